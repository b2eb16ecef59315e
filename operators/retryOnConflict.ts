import { concatMap, defer, type Observable, retry, take, throwIfEmpty, timer } from 'rxjs';
import { checkOptions, requireFunction } from '../src/checks.ts';
import { type Context, contextOf } from '../src/context.ts';
import { type ConflictError, InvalidOptionError, UserFunctionError } from '../src/errors.ts';
import { keyOf } from '../src/kubernetes/key.ts';
import type { KubernetesObject } from '../src/kubernetes/objects.ts';
import { conflictOf } from '../src/mutation/conflict.ts';
import { checkDuration, LONGEST_TIMER } from './internal/duration.ts';
import { attempt, type Projected } from './internal/project.ts';

export interface RetryOnConflictOptions {
  /** How often it is tried at the most. Default: 5. */
  readonly tries?: number | undefined;
  /** The wait before the second try. Unit: milliseconds. Default: 10. */
  readonly delay?: number | undefined;
  /** By what the wait grows each time. Default: 1. */
  readonly factor?: number | undefined;
  /** By what part of itself a wait is longer at the most, at random. Default: 0.1. */
  readonly jitter?: number | undefined;
  readonly context?: Context | undefined;
}

/**
 * Reads an object and writes it, again from the reading where somebody else was faster: client-go's
 * `RetryOnConflict`. `read` is told of the conflict before; its first value counts. Emits what `write` emits.
 *
 * Guarantees: nothing is written without having been read after the last conflict. Each subscription begins anew;
 * unsubscribing ends what is under way.
 *
 * Errors: ConflictError after so many tries. Everything but a conflict, at once, as it is; so is a patch that the
 * server cannot apply, where it was made anew and nobody had changed the object. Throws InvalidOptionError.
 */
export function retryOnConflict<T, R>(
  read: (conflict: ConflictError | undefined) => Projected<T>,
  write: (object: T) => Projected<R>,
  options: RetryOnConflictOptions = {},
): Observable<R> {
  requireFunction('read', read);
  requireFunction('write', write);
  checkOptions('options', options);
  const { tries = 5, delay = 10, factor = 1, jitter = 0.1 } = options;
  checkNumber('tries', tries, 1);
  checkDuration('delay', delay, 0);
  checkNumber('factor', factor, 1);
  checkNumber('jitter', jitter, 0);
  const { scheduler, random } = contextOf(options);

  return defer(() => {
    let conflict: ConflictError | undefined;
    let facts: ReturnType<typeof factsOf> = {};
    const once = attempt(() => read(conflict)).pipe(
      take(1),
      throwIfEmpty(
        () => new UserFunctionError('read', undefined, new Error('it completed without an object')),
      ),
      concatMap((object) => {
        facts = factsOf(object);
        return attempt(() => write(object));
      }),
    );
    const again = (error: unknown, failures: number): Observable<unknown> => {
      const before = conflict;
      conflict = conflictOf(error, { ...facts, tries: failures });
      if (conflict === undefined || nobodyChangedIt(before, conflict)) throw error;
      if (failures >= tries) throw conflict;
      const wait = delay * factor ** (failures - 1) * (1 + jitter * random());
      return timer(Math.min(wait, LONGEST_TIMER), scheduler);
    };
    return once.pipe(retry({ delay: again }));
  });
}

/** A patch that failed, made anew of the same version, failed again: that version is not what it failed on. */
const nobodyChangedIt = (before: ConflictError | undefined, conflict: ConflictError): boolean =>
  before?.status === 422 && conflict.version !== undefined && before.version === conflict.version;

function factsOf(object: unknown): { key?: string | undefined; version?: string | undefined } {
  const { metadata } = (object ?? {}) as KubernetesObject;
  const { name, namespace = '', resourceVersion: version } = metadata ?? {};
  return name === undefined ? { version } : { key: keyOf({ name, namespace }), version };
}

function checkNumber(option: string, value: number, least: number): void {
  if (Number.isFinite(value) && value >= least) return;
  throw new InvalidOptionError(option, value, `give a number of at least ${least}`);
}
