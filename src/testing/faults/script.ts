import { InvalidOptionError } from '../../errors.ts';
import type { LoggedRequest } from '../requestLog.ts';
import { FAULT_KINDS, type Fault } from './fault.ts';

/** Which requests a fault befalls. Each one that is left out lets all pass. */
export interface RequestMatcher {
  /** Such as `list` or `watch`. */
  readonly verb?: string | readonly string[];
  /** A part of the path, such as `/pods`. */
  readonly path?: string;
  /** Only the nth of those that verb and path let pass, from 1. */
  readonly nth?: number;
  /** Each of them at random, this often. From 0 to 1. */
  readonly probability?: number;
}

export type FaultStep = Fault & {
  /** Default: every request. */
  readonly on?: RequestMatcher;
};

/** The fault that befalls a request, if any. */
export type FaultFunction = (request: LoggedRequest) => Fault | undefined;

/** The first step that matches a request is played on it; or whatever a function says. */
export type FaultScript = readonly FaultStep[] | FaultFunction;

/** Errors: InvalidOptionError. */
export function faultsOf(script: FaultScript, random: () => number): FaultFunction {
  if (typeof script === 'function') return script;
  for (const step of script) checkStep(step);
  const steps = script.map((step) => ({ step, matches: matcherOf(step.on ?? {}, random) }));
  return (request) => {
    // All of them count the request, whichever is played.
    const matching = steps.filter(({ matches }) => matches(request));
    return matching[0]?.step;
  };
}

function matcherOf(
  { verb, path = '', nth, probability = 1 }: RequestMatcher,
  random: () => number,
): (request: LoggedRequest) => boolean {
  const verbs = verb === undefined ? undefined : [verb].flat();
  let seen = 0;
  return (request) => {
    if (verbs?.includes(request.verb) === false || !request.path.includes(path)) return false;
    seen += 1;
    return (nth === undefined || seen === nth) && (probability === 1 || random() < probability);
  };
}

function checkStep({ kind, on = {} }: FaultStep): void {
  if (!FAULT_KINDS.includes(kind)) {
    throw new InvalidOptionError('kind', kind, `give one of ${FAULT_KINDS.join(', ')}`);
  }
  const { nth = 1, probability = 1 } = on;
  if (!Number.isInteger(nth) || nth < 1)
    throw new InvalidOptionError('nth', nth, 'give a whole number from 1 on');
  if (!(probability >= 0 && probability <= 1)) {
    throw new InvalidOptionError('probability', probability, 'give a number from 0 to 1');
  }
}
