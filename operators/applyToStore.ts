import { Observable, type OperatorFunction } from 'rxjs';
import { type Context, contextOf } from '../src/context.ts';
import type { Batch, Holdable, Replaced } from '../src/queue/delta.ts';
import type { Change } from '../src/store/change.ts';
import { type Notification, notificationOf } from '../src/store/notification.ts';
import type { WritableStore } from '../src/store/store.ts';
import { inSlices } from './internal/inSlices.ts';

export interface ApplyToStoreOptions {
  readonly context?: Context | undefined;
}

/** Objects of a list handled between two looks at the clock's slice. */
const STEP = 32;

/**
 * Writes to the store, then tells what changed: the cache first.
 *
 * Guarantees: when a notification is emitted, the store and each index show that state or a later one; a write
 * that changed nothing is not told; a list is put in place as a whole, in one step, and its difference told
 * in slices, while what follows is held back. Adds of the first list are marked `initial`.
 *
 * At the end of the source and when unsubscribed the store is marked stale.
 */
export function applyToStore<T>(
  store: WritableStore<T>,
  options: ApplyToStoreOptions = {},
): OperatorFunction<Batch<T> & Partial<Holdable>, Notification<T>> {
  const { scheduler, status } = contextOf(options);
  return (source) =>
    new Observable((subscriber) => {
      /** What comes while a list is put in place, from a source that cannot hold. */
      const waiting: (Batch<T> & Partial<Holdable>)[] = [];
      let replacing = false;
      let first = true;
      let finish: (() => void) | undefined;

      const tell = (change: Change<T>, initial = false): void => {
        subscriber.next(notificationOf(change, store.revision, initial));
      };

      const replace = (list: Replaced<T>, done: () => void): void => {
        const replacement = store.replace(list);
        const initial = first;
        first = false;
        const notify = (): void => {
          const changes = replacement.commit()[Symbol.iterator]();
          const step = (): boolean => {
            const change = changes.next();
            if (change.done !== true) tell(change.value, initial);
            return change.done !== true;
          };
          const applied = (): void => {
            status.report({ type: 'applied', items: store.size, version: list.version });
            done();
          };
          inSlices(scheduler, subscriber, step, applied);
        };
        inSlices(scheduler, subscriber, () => replacement.step(STEP), notify);
      };

      const take = (batch: Batch<T> & Partial<Holdable>): void => {
        switch (batch.type) {
          case 'Bookmark':
            store.bookmark(batch.version);
            break;
          case 'Key':
            for (const delta of batch.deltas) for (const change of store.apply(delta)) tell(change);
            break;
          case 'Replaced': {
            replacing = true;
            const release = batch.hold?.();
            replace(batch, () => {
              replacing = false;
              release?.();
              next();
            });
          }
        }
      };
      const next = (): void => {
        while (!replacing) {
          const batch = waiting.shift();
          if (batch === undefined) break;
          take(batch);
        }
        if (!replacing) finish?.();
      };

      subscriber.add(() => {
        store.markStale();
      });
      return source.subscribe({
        next(batch) {
          if (replacing || waiting.length > 0) waiting.push(batch);
          else take(batch);
        },
        error(error: unknown) {
          finish = () => {
            subscriber.error(error);
          };
          next();
        },
        complete() {
          finish = () => {
            subscriber.complete();
          };
          next();
        },
      });
    });
}
