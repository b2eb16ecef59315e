import { Observable, type OperatorFunction } from 'rxjs';
import type { Entry } from '../src/codec/codec.ts';
import type { Delta } from '../src/queue/delta.ts';
import type { Signal } from '../src/reflector/signal.ts';

/**
 * Turns signals into deltas: a complete list becomes one Replaced, and every event after it an Added,
 * Updated, Deleted or Bookmark.
 *
 * Guarantees: what a list that was not completed brought is dropped.
 */
export function toDeltas<T>(): OperatorFunction<Signal<T>, Delta<T>> {
  return (source) =>
    new Observable((subscriber) => {
      /** The set that is being read. */
      let reading: Map<string, Entry<T>> | undefined;

      const event = (type: 'ADDED' | 'MODIFIED' | 'DELETED', entry: Entry<T>): void => {
        if (reading === undefined) subscriber.next({ type: DELTA[type], key: entry.key, entry });
        else if (type === 'DELETED') reading.delete(entry.key);
        else reading.set(entry.key, entry);
      };

      return source.subscribe({
        next(signal) {
          switch (signal.type) {
            case 'LIST':
              reading = new Map();
              break;
            case 'ITEMS':
              for (const entry of signal.entries) reading?.set(entry.key, entry);
              break;
            case 'LISTED': {
              const entries = [...(reading?.values() ?? [])];
              reading = undefined;
              subscriber.next({ type: 'Replaced', version: signal.version, entries });
              break;
            }
            case 'BOOKMARK':
              subscriber.next({ type: 'Bookmark', version: signal.version });
              break;
            default:
              event(signal.type, signal.entry);
          }
        },
        error: (error: unknown) => {
          subscriber.error(error);
        },
        complete: () => {
          subscriber.complete();
        },
      });
    });
}

const DELTA = { ADDED: 'Added', MODIFIED: 'Updated', DELETED: 'Deleted' } as const;
