import { checkDuration } from '../../operators/internal/duration.ts';
import { checkOptions } from '../checks.ts';
import { InvalidOptionError } from '../errors.ts';
import type { AnyInformer } from './group.ts';

export interface StartOptions {
  /**
   * Starts them one after the other, each when the one before is in sync: with `true` all, in the order in which they
   * were asked for; with a list those first, in its order, and then the others at once. One that fails keeps back
   * those behind it until it was started again and is in sync. Default: false, all at once.
   */
  readonly inOrder?: boolean | readonly AnyInformer[] | undefined;
}

export interface TimeoutOptions {
  /** Unit: milliseconds. Default: none. */
  readonly timeout?: number | undefined;
}

/** Those that are started at once, step by step. Throws InvalidOptionError. */
export function stepsOf(all: readonly AnyInformer[], options: StartOptions = {}): AnyInformer[][] {
  checkOptions('options', options);
  const { inOrder = false } = options;
  if (inOrder === false) return [[...all]];
  const given: unknown = inOrder;
  if (given !== true && !Array.isArray(given)) throw new InvalidOptionError('inOrder', given, ALLOWED);
  const first = new Set(inOrder === true ? all : inOrder);
  for (const one of first) {
    if (!all.includes(one)) throw new InvalidOptionError('inOrder', typeof one, ALLOWED);
  }
  return [...[...first].map((one) => [one]), all.filter((one) => !first.has(one))];
}

/** Throws InvalidOptionError. */
export function timeoutIn(options: TimeoutOptions = {}): number | undefined {
  checkOptions('options', options);
  const { timeout } = options;
  if (timeout !== undefined) checkDuration('timeout', timeout, 1);
  return timeout;
}

const ALLOWED = 'give true, false or an array of informers of this factory';
