import { Observable, type OperatorFunction } from 'rxjs';
import { type Context, contextOf } from '../src/context.ts';
import { Flow } from '../src/flow.ts';
import type { Batch, Delta, Holdable } from '../src/queue/delta.ts';
import { DeltaQueue } from '../src/queue/deltaQueue.ts';
import { inSlices } from './internal/inSlices.ts';
import { subscribeWithin } from './internal/subscribeWithin.ts';

export interface MergeByKeyOptions {
  readonly context?: Context | undefined;
}

/**
 * The queue between the wire and the cache: while downstream is busy (it holds what it was given), deltas wait,
 * those of one key together and merged, so that what waits is bounded by the number of keys.
 *
 * Guarantees: the order of one key is kept and its last state arrives; what waits is emitted before an error
 * or the end of the source; emission gives way to other work every few milliseconds.
 */
export function mergeByKey<T>(
  options: MergeByKeyOptions = {},
): OperatorFunction<Delta<T>, Batch<T> & Holdable> {
  const { scheduler } = contextOf(options);
  return (source) =>
    new Observable((subscriber) => {
      const queue = new DeltaQueue<T>();
      const busy = new Flow();
      const hold = (): (() => void) => busy.hold();
      let draining = false;
      let finish: (() => void) | undefined;

      const emit = (): boolean => {
        const batch = busy.paused ? undefined : queue.pop();
        if (batch !== undefined) subscriber.next(holdable(batch, hold));
        return batch !== undefined;
      };
      const drain = (): void => {
        if (draining || busy.paused) return;
        draining = true;
        inSlices(scheduler, subscriber, emit, () => {
          draining = false;
          if (!busy.paused) finish?.();
        });
      };
      busy.listen((paused) => {
        if (!paused) drain();
      });

      subscribeWithin(subscriber, source, {
        next(delta) {
          queue.push(delta);
          drain();
        },
        error(error: unknown) {
          finish = () => {
            subscriber.error(error);
          };
          drain();
        },
        complete() {
          finish = () => {
            subscriber.complete();
          };
          drain();
        },
      });
    });
}

function holdable<T>(batch: Batch<T>, hold: () => () => void): Batch<T> & Holdable {
  if (batch.type !== 'Key') return { ...batch, hold };
  // Most are of this type, and a spread costs as much as the rest of the way.
  const { type, key, deltas, version } = batch;
  return { type, key, deltas, version, hold };
}
