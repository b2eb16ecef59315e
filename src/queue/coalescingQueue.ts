import { addOf, type Notification, updateOf } from '../store/notification.ts';

/**
 * What one slow subscriber has still to be told: per key what is needed to get from the state it was told last
 * to the newest one, in the order in which the keys began to wait.
 *
 * Guarantees: at most two notifications wait for a key (the delete of one object and the add of the next with
 * its name); an object that came and went unseen leaves nothing.
 */
export class CoalescingQueue<T> {
  readonly #waiting = new Map<string, readonly Notification<T>[]>();

  /** Keys that wait. */
  get size(): number {
    return this.#waiting.size;
  }

  push(notification: Notification<T>): void {
    const { key } = notification;
    const waiting = this.#waiting.get(key);
    const last = waiting?.at(-1);
    const merged =
      waiting === undefined || last === undefined
        ? [notification]
        : [...waiting.slice(0, -1), ...merge(last, notification)];
    if (merged.length > 0) this.#waiting.set(key, merged);
    else this.#waiting.delete(key);
  }

  /** The next notification of the first key that is not taken; of a key with two, the first. */
  pop(taken: { has(key: string): boolean }): Notification<T> | undefined {
    for (const [key, [first, ...rest]] of this.#waiting) {
      if (first === undefined || taken.has(key)) continue;
      if (rest.length > 0) this.#waiting.set(key, rest);
      else this.#waiting.delete(key);
      return first;
    }
    return undefined;
  }
}

/** What is to be told in place of two notifications of one key. */
function merge<T>(first: Notification<T>, then: Notification<T>): readonly Notification<T>[] {
  if (then.type === 'sync') return [first];
  if (first.type === 'sync') return [then];
  const { entry, revision } = then;
  switch (first.type) {
    case 'add':
      return then.type === 'delete' ? [] : [addOf(entry, revision, first.initial)];
    case 'update':
      return then.type === 'delete' ? [then] : [updateOf(entry, revision, first.oldEntry)];
    case 'delete': {
      const same = first.entry.uid === entry.uid && entry.uid !== undefined;
      return then.type !== 'delete' && same ? [updateOf(entry, revision, first.entry)] : [first, then];
    }
  }
}
