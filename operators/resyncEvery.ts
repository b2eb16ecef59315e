import { concatMap, type MonoTypeOperatorFunction, Observable, repeat } from 'rxjs';
import { type Context, contextOf } from '../src/context.ts';
import type { Delta } from '../src/queue/delta.ts';
import { requireStore, type Store } from '../src/store/store.ts';
import { checkPeriod } from './internal/duration.ts';
import { inSlices } from './internal/inSlices.ts';
import { resyncTick } from './internal/resyncTicks.ts';

export interface ResyncOptions {
  readonly context?: Context | undefined;
}

/**
 * Merges a Sync delta for every stored object into the stream, each `period` milliseconds (each time up to a
 * tenth longer, so that informers started together do not resync together). From the cache: no request is made.
 *
 * It tells all subscribers; the option `resync` of one subscriber's notifications tells that one. Throws
 * InvalidOptionError.
 */
export function resyncEvery<T>(
  period: number,
  store: Store<T>,
  options: ResyncOptions = {},
): MonoTypeOperatorFunction<Delta<T>> {
  checkPeriod('period', period);
  requireStore(store);
  const context = contextOf(options);
  const resync$ = resyncTick(period, context).pipe(
    concatMap(() => syncs$(store, context)),
    repeat(),
  );
  return (source) =>
    new Observable((subscriber) => {
      const ticks = resync$.subscribe((sync) => {
        subscriber.next(sync);
      });
      subscriber.add(ticks);
      return source.subscribe(subscriber);
    });
}

function syncs$<T>(store: Store<T>, { scheduler }: Context): Observable<Delta<T>> {
  return new Observable((subscriber) => {
    const keys = [...store.keys()].values();
    const step = (): boolean => {
      const { done, value } = keys.next();
      if (done === true) return false;
      subscriber.next({ type: 'Sync', key: value });
      return true;
    };
    inSlices(scheduler, subscriber, step, () => {
      subscriber.complete();
    });
  });
}
