import { Observable, type OperatorFunction } from 'rxjs';
import { type Context, contextOf } from '../src/context.ts';
import type { Batch, Holdable, KeyBatch, KeyDelta, Replaced } from '../src/queue/delta.ts';
import { Fifo } from '../src/queue/fifo.ts';
import type { Change } from '../src/store/change.ts';
import { type Notification, notificationOf } from '../src/store/notification.ts';
import { requireStore, type WritableStore } from '../src/store/store.ts';
import { inSlices } from './internal/inSlices.ts';
import { subscribeWithin } from './internal/subscribeWithin.ts';

export interface ApplyToStoreOptions {
  readonly context?: Context | undefined;
}

/**
 * Writes to the store, then tells what changed: the cache first.
 *
 * Guarantees: when a notification is emitted, the store and each index show that state or a later one; a write
 * that changed nothing is not told; a list is put in place as a whole, in one step, and its difference told
 * in slices, while what follows is held back; the store's version is never ahead of what the store shows, and
 * goes back only with a list. Adds of the first list are marked `initial`.
 *
 * At the end of the source and when unsubscribed the store is marked stale.
 *
 * Throws InvalidOptionError.
 */
export function applyToStore<T>(
  store: WritableStore<T>,
  options: ApplyToStoreOptions = {},
): OperatorFunction<Batch<T> & Partial<Holdable>, Notification<T>> {
  requireStore(store);
  const { scheduler, status } = contextOf(options);
  return (source) =>
    new Observable((subscriber) => {
      /** What a source that cannot hold emits while something is told or a list is put in place. */
      const waiting = new Fifo<number, Batch<T> & Partial<Holdable>>();
      let came = 0;
      let taking = false;
      let replacing = false;
      let first = true;
      let finish: (() => void) | undefined;

      const tell = (change: Change<T>, revision: number, initial = false): void => {
        subscriber.next(notificationOf(change, revision, initial));
      };

      /** `version`: up to where the store is complete then; an entry that was merged is ahead of it. */
      const write = (delta: KeyDelta<T>, version: string | undefined): void => {
        const changes = store.apply(delta);
        if (version !== undefined) store.bookmark(version);
        const { revision } = store;
        const told = store.telling.hold();
        for (const change of changes) tell(change, revision);
        told();
      };

      const writeAll = ({ deltas, version }: KeyBatch<T>): void => {
        const before = store.resourceVersion;
        for (const [index, delta] of deltas.entries()) {
          if (subscriber.closed) return;
          write(delta, index < deltas.length - 1 ? before : version);
        }
      };

      const replace = (list: Replaced<T>, done: () => void): void => {
        const replacement = store.replace(list);
        const initial = first;
        first = false;
        const notify = (): void => {
          const told = store.telling.hold();
          subscriber.add(told);
          const changes = replacement.commit()[Symbol.iterator]();
          const { revision } = store;
          const step = (): boolean => {
            const change = changes.next();
            if (change.done !== true) tell(change.value, revision, initial);
            return change.done !== true;
          };
          inSlices(scheduler, subscriber, step, () => {
            told();
            subscriber.remove(told);
            status.report({ type: 'applied', items: store.size, version: list.version });
            done();
          });
        };
        inSlices(scheduler, subscriber, () => replacement.step(1), notify);
      };

      const take = (batch: Batch<T> & Partial<Holdable>): void => {
        switch (batch.type) {
          case 'Bookmark':
            store.bookmark(batch.version);
            break;
          case 'Key':
            writeAll(batch);
            break;
          case 'Replaced': {
            replacing = true;
            const release = batch.hold?.();
            replace(batch, () => {
              replacing = false;
              release?.();
              proceed();
            });
          }
        }
      };
      /** One batch after the other, also where handlers make the source emit. */
      const proceed = (): void => {
        if (taking) return;
        taking = true;
        while (!replacing && !subscriber.closed) {
          const batch = waiting.shift();
          if (batch === undefined) break;
          take(batch);
        }
        taking = false;
        if (!replacing) finish?.();
      };

      subscriber.add(() => {
        store.markStale();
      });
      subscribeWithin(subscriber, source, {
        next(batch) {
          came += 1;
          waiting.set(came, batch);
          proceed();
        },
        error(error: unknown) {
          finish = () => {
            subscriber.error(error);
          };
          proceed();
        },
        complete() {
          finish = () => {
            subscriber.complete();
          };
          proceed();
        },
      });
    });
}
