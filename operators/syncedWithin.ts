import { defaultIfEmpty, defer, forkJoin, map, type Observable, tap, throwError, timeout } from 'rxjs';
import { checkOptions, isRecord } from '../src/checks.ts';
import { type Context, contextOf } from '../src/context.ts';
import { InvalidOptionError, SyncTimeoutError } from '../src/errors.ts';
import type { Informer } from '../src/informer/informer.ts';
import { checkDuration } from './internal/duration.ts';

export interface SyncedWithinOptions {
  readonly context?: Context | undefined;
}

/**
 * Emits once and completes when all of these informers are in sync; their names are for the error. It starts
 * none of them.
 *
 * Errors: SyncTimeoutError after so many milliseconds, with how each informer does that is missing, and why; the
 * terminal error of an informer at once. Throws InvalidOptionError.
 */
export function syncedWithin(
  milliseconds: number,
  informers: Readonly<Record<string, Pick<Informer<never>, 'synced$' | 'readiness'>>>,
  options: SyncedWithinOptions = {},
): Observable<void> {
  checkDuration('milliseconds', milliseconds, 1);
  if (!isRecord(informers)) throw new InvalidOptionError('informers', informers, 'give informers by name');
  checkOptions('options', options);
  const { scheduler } = contextOf(options);
  return defer(() => {
    const missing = new Map(Object.entries(informers));
    const each = [...missing].map(([name, { synced$ }]) =>
      synced$.pipe(tap({ complete: () => missing.delete(name) })),
    );
    const late = (): SyncTimeoutError =>
      new SyncTimeoutError(
        milliseconds,
        Object.fromEntries([...missing].map(([name, { readiness }]) => [name, readiness])),
      );
    return forkJoin(each).pipe(
      map(() => undefined),
      defaultIfEmpty(undefined),
      timeout({ first: milliseconds, scheduler, with: () => throwError(late) }),
    );
  });
}
