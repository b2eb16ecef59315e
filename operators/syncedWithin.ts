import { defer, type Observable, tap, throwError, timeout } from 'rxjs';
import { checkOptions, isRecord } from '../src/checks.ts';
import { type Context, contextOf } from '../src/context.ts';
import { InvalidOptionError, SyncTimeoutError } from '../src/errors.ts';
import type { Informer } from '../src/informer/informer.ts';
import { allOf } from './internal/allOf.ts';
import { checkDuration } from './internal/duration.ts';

export interface SyncedWithinOptions {
  readonly context?: Context | undefined;
}

/** What is asked of an informer of whatever kind. */
export type AwaitedInformer = Pick<Informer<never>, 'synced$' | 'readiness' | 'lastError'>;

/**
 * Emits once and completes when all of these informers are in sync; their names are for the error. It starts
 * none of them.
 *
 * Errors: SyncTimeoutError after so many milliseconds (`undefined`: never), with how each informer does that is
 * missing, and why; the terminal error of an informer at once, also where it had failed before. Throws
 * InvalidOptionError.
 */
export function syncedWithin(
  milliseconds: number | undefined,
  informers: Readonly<Record<string, AwaitedInformer>>,
  options: SyncedWithinOptions = {},
): Observable<void> {
  if (milliseconds !== undefined) checkDuration('milliseconds', milliseconds, 1);
  if (!isRecord(informers)) throw new InvalidOptionError('informers', informers, 'give informers by name');
  checkOptions('options', options);
  const { scheduler } = contextOf(options);
  return defer(() => {
    const all = Object.entries(informers);
    const failed = all.find(([, { readiness }]) => readiness.state === 'failed');
    if (failed !== undefined) return throwError(() => failed[1].lastError);
    const missing = new Map(all);
    const inSync$ = allOf(
      all.map(([name, { synced$ }]) => synced$.pipe(tap({ complete: () => missing.delete(name) }))),
    );
    if (milliseconds === undefined) return inSync$;
    const late = (): SyncTimeoutError =>
      new SyncTimeoutError(
        milliseconds,
        Object.fromEntries([...missing].map(([name, { readiness }]) => [name, readiness])),
      );
    return inSync$.pipe(timeout({ first: milliseconds, scheduler, with: () => throwError(late) }));
  });
}
