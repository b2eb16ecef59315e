import type { Notification } from '../store/notification.ts';

/** A notification that is not handled yet. */
export interface Waiting<T> {
  readonly notification: Notification<T>;
  /** When it came, or the first of those that were merged into it. Unit: milliseconds. */
  readonly since: number;
}

/**
 * What one subscriber has still to be told, and how it may fall behind. A key that is popped is taken: nothing
 * of it is popped again before it is done.
 *
 * Guarantees: what is popped of one key is in order, and leads from the state told before to the newest one.
 */
export interface DeliveryQueue<T> {
  /** All that wait, also those whose key is taken. */
  readonly length: number;
  /** Since when the one that came first waits. Looks at all of them. Unit: milliseconds. */
  readonly oldest: number | undefined;
  /** Whether anything of this key waits. */
  has(key: string): boolean;
  /** Whether there was room. */
  push(waiting: Waiting<T>): boolean;
  pop(): Waiting<T> | undefined;
  done(key: string): void;
}

/** A queue that shares its keys with another one. */
export interface Stage<T> extends DeliveryQueue<T> {
  /** The other one has popped this key. */
  take(key: string): void;
  /** Takes out all that waits for this key, oldest first, also where it is taken. */
  drain(key: string): readonly Waiting<T>[];
}

/** The earlier of two times that may be unknown. */
export const earlier = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
