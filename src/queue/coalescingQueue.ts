import { isSameObject } from '../store/identity.ts';
import { addOf, type Notification, updateOf } from '../store/notification.ts';
import { earlier, type Stage, type Waiting } from './deliveryQueue.ts';
import { Fifo } from './fifo.ts';

/**
 * Merged by key: what is needed to get from the state that was told last to the newest one. First come, first
 * served; a key that is done goes to the end of the line.
 *
 * Guarantees: the `old` of an update is the state told before; at most two notifications wait for a key (the
 * delete of an object and the add after it); an object that came and went unseen leaves nothing.
 */
export class CoalescingQueue<T> implements Stage<T> {
  readonly #waiting = new Fifo<string, Merged<T>>();
  /** Of each key that is taken, what came for it since. */
  readonly #taken = new Map<string, Merged<T>>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get oldest(): number | undefined {
    let oldest: number | undefined;
    for (const { since } of this.#waiting.values()) oldest = earlier(oldest, since);
    for (const { since, told } of this.#taken.values()) if (told.length > 0) oldest = earlier(oldest, since);
    return oldest;
  }

  has(key: string): boolean {
    const { told } = this.#taken.get(key) ?? this.#waiting.get(key) ?? NOTHING;
    return told.length > 0;
  }

  push({ notification, since }: Waiting<T>): true {
    const { key } = notification;
    const taken = this.#taken.get(key);
    const before = taken ?? this.#waiting.get(key) ?? NOTHING;
    const { tried } = before;
    const told = merge(before.told, notification, tried);
    this.#length += told.length - before.told.length;
    if (before.told.length > 0 && told.length > 0) {
      // As it mostly is: it stays in its place.
      before.told = told;
      return true;
    }
    const merged = { told, since: before.told.length === 0 ? since : before.since, tried };
    if (taken !== undefined) this.#taken.set(key, merged);
    else this.#wait(key, merged);
    return true;
  }

  /** What was popped last of its key failed: it waits again, merged with what came since; the key stays taken. */
  putBack({ notification, since }: Waiting<T>): void {
    const { key } = notification;
    const came = this.drain(key);
    this.#length += 1;
    this.#taken.set(key, { told: [notification], since, tried: true });
    for (const waiting of came) this.push(waiting);
  }

  pop(): Waiting<T> | undefined {
    const merged = this.#waiting.shift();
    const notification = merged?.told[0];
    if (merged === undefined || notification === undefined) return undefined;
    const { told, since } = merged;
    const left = told.length === 1 ? NOTHING : { told: told.slice(1), since, tried: false };
    this.#taken.set(notification.key, left);
    this.#length -= 1;
    return { notification, since };
  }

  take(key: string): void {
    this.#taken.set(key, this.#waiting.get(key) ?? NOTHING);
    this.#waiting.delete(key);
  }

  drain(key: string): readonly Waiting<T>[] {
    const { told, since } = this.#taken.get(key) ?? this.#waiting.get(key) ?? NOTHING;
    this.#length -= told.length;
    if (this.#taken.has(key)) this.#taken.set(key, NOTHING);
    this.#waiting.delete(key);
    return told.map((notification) => ({ notification, since }));
  }

  done(key: string): void {
    const merged = this.#taken.get(key);
    this.#taken.delete(key);
    if (merged !== undefined && merged.told.length > 0) this.#waiting.set(key, merged);
  }

  #wait(key: string, merged: Merged<T>): void {
    if (merged.told.length > 0) this.#waiting.set(key, merged);
    else this.#waiting.delete(key);
  }
}

/** What is to be told of one key. */
interface Merged<T> {
  told: readonly Notification<T>[];
  readonly since: number;
  /** Whether the first of them was handed out already, and failed. */
  readonly tried: boolean;
}

const NOTHING: Merged<never> = Object.freeze({ told: [], since: 0, tried: false });

/** What is to be told in place of all these notifications of one key. */
function merge<T>(
  waiting: readonly Notification<T>[],
  next: Notification<T>,
  tried: boolean,
): readonly Notification<T>[] {
  const [first, second] = waiting;
  if (first === undefined) return [next];
  if (next.type === 'sync') return waiting;
  const { entry, revision } = next;
  switch (first.type) {
    case 'sync':
      return [next];
    case 'add':
      if (next.type !== 'delete') return [addOf(entry, revision, first.initial)];
      // What failed may have been done in part.
      return tried ? [next] : [];
    case 'update':
      return next.type === 'delete' ? [next] : [updateOf(entry, revision, first.oldEntry)];
    case 'delete':
      // An object that came and went behind a delete was seen by nobody; the one deleted before it was.
      if (next.type === 'delete') return [isSameObject(first.entry, entry) ? next : first];
      return [first, second === undefined ? next : addOf(entry, revision, false)];
  }
}
