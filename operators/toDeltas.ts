import { defer, filter, map, type OperatorFunction } from 'rxjs';
import type { Entry } from '../src/codec/codec.ts';
import type { Delta } from '../src/queue/delta.ts';
import type { Signal } from '../src/reflector/signal.ts';

/**
 * Turns signals into deltas: a complete list becomes one Replaced, and every event after it an Added,
 * Updated, Deleted or Bookmark.
 *
 * Guarantees: what a list that was not completed brought is dropped; an end without the beginning of a list
 * is no empty list.
 */
export function toDeltas<T>(): OperatorFunction<Signal<T>, Delta<T>> {
  return (source) =>
    defer(() =>
      source.pipe(
        map(deltaOf<T>()),
        filter((delta) => delta !== undefined),
      ),
    );
}

function deltaOf<T>(): (signal: Signal<T>) => Delta<T> | undefined {
  /** The set that is being read. */
  let reading: Map<string, Entry<T>> | undefined;

  const listed = (version: string | undefined): Delta<T> | undefined => {
    if (reading === undefined) return undefined;
    const entries = [...reading.values()];
    reading = undefined;
    return { type: 'Replaced', version, entries };
  };

  return (signal) => {
    switch (signal.type) {
      case 'LIST':
        reading = new Map();
        return undefined;
      case 'ITEMS':
        for (const entry of signal.entries) reading?.set(entry.key, entry);
        return undefined;
      case 'LISTED':
        return listed(signal.version);
      case 'ABANDONED':
        reading = undefined;
        return undefined;
      case 'BOOKMARK':
        return { type: 'Bookmark', version: signal.version };
      default: {
        const { type, entry } = signal;
        if (reading === undefined) return { type: DELTA[type], key: entry.key, entry };
        if (type === 'DELETED') reading.delete(entry.key);
        else reading.set(entry.key, entry);
        return undefined;
      }
    }
  };
}

const DELTA = { ADDED: 'Added', MODIFIED: 'Updated', DELETED: 'Deleted' } as const;
