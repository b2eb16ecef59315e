import { isSameObject } from '../store/identity.ts';
import { addOf, type Notification, updateOf } from '../store/notification.ts';
import { Fifo } from './fifo.ts';

/**
 * What one slow subscriber has still to be told: per key what is needed to get from the state it was told last
 * to the newest one, first come, first served. A key that is popped is taken: it comes again after `done`, at
 * the end of the line.
 *
 * Guarantees: the `old` of an update is the state told before; at most two notifications wait for a key (the
 * delete of an object and the add after it); an object that came and went unseen leaves nothing.
 */
export class CoalescingQueue<T> {
  readonly #waiting = new Fifo<string, Waiting<T>>();
  /** Of each key that is taken, what came for it since. */
  readonly #taken = new Map<string, Waiting<T>>();

  /** Keys that may be popped. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Keys that were popped and are not done. */
  get taken(): number {
    return this.#taken.size;
  }

  push(notification: Notification<T>): void {
    const { key } = notification;
    const taken = this.#taken.get(key);
    if (taken !== undefined) this.#taken.set(key, merge(taken, notification));
    else this.#wait(key, merge(this.#waiting.get(key) ?? [], notification));
  }

  /** The next notification, whose key is taken from now on. */
  pop(): Notification<T> | undefined {
    const [first, ...rest] = this.#waiting.shift() ?? [];
    if (first !== undefined) this.#taken.set(first.key, rest);
    return first;
  }

  done(key: string): void {
    const waiting = this.#taken.get(key) ?? [];
    this.#taken.delete(key);
    this.#wait(key, waiting);
  }

  #wait(key: string, waiting: Waiting<T>): void {
    if (waiting.length > 0) this.#waiting.set(key, waiting);
    else this.#waiting.delete(key);
  }
}

type Waiting<T> = readonly Notification<T>[];

/** What is to be told in place of all these notifications of one key. */
function merge<T>(waiting: Waiting<T>, next: Notification<T>): Waiting<T> {
  const [first, second] = waiting;
  if (first === undefined) return [next];
  if (next.type === 'sync') return waiting;
  const { entry, revision } = next;
  switch (first.type) {
    case 'sync':
      return [next];
    case 'add':
      return next.type === 'delete' ? [] : [addOf(entry, revision, first.initial)];
    case 'update':
      return next.type === 'delete' ? [next] : [updateOf(entry, revision, first.oldEntry)];
    case 'delete':
      // An object that came and went behind a delete was seen by nobody; the one deleted before it was.
      if (next.type === 'delete') return [isSameObject(first.entry, entry) ? next : first];
      return [first, second === undefined ? next : addOf(entry, revision, false)];
  }
}
