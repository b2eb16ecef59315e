import type { Entry } from '../codec/codec.ts';
import type { Notification } from './notification.ts';
import type { Snapshot } from './store.ts';

/**
 * What one late subscriber has still to be told: the store as it was when it joined, pulled one by one,
 * while live changes go on.
 *
 * Guarantees: each object is told once, in its newest state; a live change of an object that was not told
 * yet is folded into it.
 */
export class Replay<T> {
  readonly #snapshot: Snapshot<T>;
  /** The newest state of what changed before it was told; `undefined`: it is gone. */
  readonly #changed = new Map<string, Entry<T> | undefined>();
  #next = 0;

  constructor(snapshot: Snapshot<T>) {
    this.#snapshot = snapshot;
  }

  /** The next object to tell as an initial add; `undefined` when all were told. */
  pull(): Entry<T> | undefined {
    const { entries } = this.#snapshot;
    for (let entry = entries[this.#next]; entry !== undefined; entry = entries[this.#next]) {
      this.#next += 1;
      if (!this.#changed.has(entry.key)) return entry;
      const changed = this.#changed.get(entry.key);
      this.#changed.delete(entry.key);
      if (changed !== undefined) return changed;
    }
    return undefined;
  }

  /** Whether this live change is taken care of here, so that it must not be told by itself. */
  absorb(notification: Notification<T>): boolean {
    const position = this.#snapshot.position(notification.key);
    if (position === undefined || position < this.#next) return false;
    this.#changed.set(notification.key, notification.type === 'delete' ? undefined : notification.entry);
    return true;
  }
}
