import { holdOf, type Notification } from '../store/notification.ts';
import type { Stage } from './deliveryQueue.ts';
import { RetryQueue } from './retryQueue.ts';

/** `high` from the high-water mark up, until it is down at the low-water mark; `full` above the capacity. */
export type BacklogLevel = 'low' | 'high' | 'full';

/** How far somebody who handles notifications is behind. */
export interface BacklogFacts extends QueueFacts, WorkFacts {
  /** How many are being handled, those that are overdue apart. */
  readonly running: number;
}

/** What waits for somebody who handles notifications. */
export interface QueueFacts {
  /** As given by option; by default that of the operator. */
  readonly name: string;
  /** Unit: notifications that wait. `undefined`: bounded by the number of keys only. */
  readonly capacity: number | undefined;
  readonly highWater: number;
  readonly lowWater: number;
  readonly level: BacklogLevel;
  /** How many wait. */
  readonly length: number;
  /** For how long the oldest of them has waited. Unit: milliseconds. */
  readonly lag: number;
  /** How many were handed out so far, each as often as it was tried. */
  readonly handed: number;
  /** How many were lost so far: never handed out, since a later one of their key took their place, or refused. */
  readonly lost: number;
}

/** What somebody who handles notifications has trouble with. */
export interface WorkFacts {
  /** How many handlers are over their time limit and still at work. Their keys wait for them. */
  readonly overdue: number;
  /** How many keys wait to be tried again. */
  readonly failing: number;
}

export type BacklogSettings = Pick<BacklogFacts, 'name' | 'capacity' | 'highWater' | 'lowWater'>;

/** Of all who handle the notifications of one informer: how far each is behind now. */
export class Backlogs implements Iterable<BacklogFacts> {
  readonly #all = new Set<() => BacklogFacts>();
  readonly #listeners = new Set<(left: () => BacklogFacts) => void>();

  /** How many handle them. */
  get size(): number {
    return this.#all.size;
  }

  /** Returns the removal. */
  add(facts: () => BacklogFacts): () => void {
    this.#all.add(facts);
    return () => {
      this.#all.delete(facts);
      for (const listener of [...this.#listeners]) listener(facts);
    };
  }

  /**
   * The listener is called once all who are there now were told the end and are done with everything, or have left: at
   * once where nobody is there. Returns its removal.
   */
  whenLeft(listener: () => void): () => void {
    const present = new Set(this.#all);
    const look = (left?: () => BacklogFacts): void => {
      if (left !== undefined) present.delete(left);
      if (present.size > 0) return;
      this.#listeners.delete(look);
      listener();
    };
    this.#listeners.add(look);
    look();
    return () => {
      this.#listeners.delete(look);
    };
  }

  *[Symbol.iterator](): IterableIterator<BacklogFacts> {
    for (const facts of [...this.#all]) yield facts();
  }
}

/** Counts what goes through the queue of one subscriber, and lets it pull what the store holds for it. */
export class CountedQueue<T> {
  readonly #queue: RetryQueue<T>;
  readonly #settings: BacklogSettings;
  readonly #now: () => number;
  /** Of what waits, the parts of the store, and what lets the next one come. */
  #held: Held[] = [];
  #level: BacklogLevel = 'low';
  #came = 0;
  #handed = 0;

  constructor(queue: Stage<T>, settings: BacklogSettings, now: () => number) {
    this.#queue = new RetryQueue(queue);
    this.#settings = settings;
    this.#now = now;
  }

  get length(): number {
    return this.#queue.length;
  }

  /** Whether anything of this key waits. */
  has(key: string): boolean {
    return this.#queue.has(key);
  }

  facts(): QueueFacts {
    const { length, oldest } = this.#queue;
    return {
      ...this.#settings,
      level: this.#level,
      length,
      lag: oldest === undefined ? 0 : this.#now() - oldest,
      handed: this.#handed,
      lost: this.#came - this.#handed - length,
    };
  }

  /** Whether there was room. A resync of what waits anyway takes none. */
  push(notification: Notification<T>): boolean {
    const { key } = notification;
    this.#came += 1;
    if (notification.type === 'sync' && this.#queue.has(key)) return true;
    const hold = holdOf(notification);
    if (hold !== undefined) this.#held.push({ key, release: hold() });
    return this.#queue.push({ notification, since: this.#now() });
  }

  /** Whose key is taken until it is done. */
  pop(): Notification<T> | undefined {
    const next = this.#queue.pop()?.notification;
    if (next !== undefined) {
      this.#handed += 1;
      if (this.#held.length > 0) this.#release((key) => key === next.key);
      return next;
    }
    // What was held may have been merged into nothing.
    const isMore = this.#held.length > 0;
    this.#release(() => true);
    return isMore ? this.pop() : undefined;
  }

  /** What was popped failed: it waits again, merged with what came since. Its key stays taken. */
  putBack(notification: Notification<T>): void {
    this.#came += 1;
    this.#queue.putBack({ notification, since: this.#now() });
  }

  done(key: string): void {
    this.#queue.done(key);
  }

  /** Looks at the level; whether it is another one than before. */
  levelled(): boolean {
    const before = this.#level;
    this.#level = this.#nextLevel();
    return this.#level !== before;
  }

  #nextLevel(): BacklogLevel {
    const { capacity = Infinity, highWater, lowWater } = this.#settings;
    const length = this.#queue.length - this.#held.length;
    if (length <= lowWater) return 'low';
    if (length > capacity) return 'full';
    return length >= highWater && this.#level === 'low' ? 'high' : this.#level;
  }

  #release(isDue: (key: string) => boolean): void {
    const due = this.#held.filter(({ key }) => isDue(key));
    if (due.length === 0) return;
    this.#held = this.#held.filter(({ key }) => !isDue(key));
    for (const { release } of due) release();
  }
}

interface Held {
  readonly key: string;
  readonly release: () => void;
}
