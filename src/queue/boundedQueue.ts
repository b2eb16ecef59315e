import { holdOf } from '../store/notification.ts';
import { earlier, type Stage, type Waiting } from './deliveryQueue.ts';
import { Fifo } from './fifo.ts';

/**
 * Everything as it came, in the order in which it came, as long as there is room; what waits for a key that is
 * taken lets others pass.
 *
 * What is held back in the store while it waits does not take up room.
 */
export class BoundedQueue<T> implements Stage<T> {
  readonly #capacity: number;
  readonly #line = new Fifo<number, Arrival<T>>();
  readonly #taken = new Set<string>();
  /** Of each key that was taken when its turn came, what let others pass: older than what is in the line. */
  readonly #passed = new Map<string, Arrival<T>[]>();
  /** How many of each key wait. */
  readonly #waiting = new Map<string, number>();
  #arrivals = 0;
  #length = 0;
  /** How many of those that wait take up room. */
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get length(): number {
    return this.#length;
  }

  get full(): boolean {
    return this.#size >= this.#capacity;
  }

  get oldest(): number | undefined {
    // What was moved here from another queue may be older than what is in front of it.
    let oldest: number | undefined;
    for (const { since } of this.#line.values()) oldest = earlier(oldest, since);
    for (const passed of this.#passed.values())
      for (const { since } of passed) oldest = earlier(oldest, since);
    return oldest;
  }

  has(key: string): boolean {
    return this.#waiting.has(key);
  }

  push({ notification, since }: Waiting<T>): boolean {
    if (this.full && takesUpRoom({ notification })) return false;
    this.#arrivals += 1;
    const arrival = { notification, since, position: this.#arrivals };
    this.#line.set(arrival.position, arrival);
    this.#count(arrival, 1);
    return true;
  }

  pop(): Waiting<T> | undefined {
    const next = this.#unpass(this.#longestPassed((key) => !this.#taken.has(key))) ?? this.#nextInLine();
    if (next === undefined) return undefined;
    this.#taken.add(next.notification.key);
    this.#count(next, -1);
    return next;
  }

  /** Takes out the one that came first, whether its key is taken or not. */
  shift(): Waiting<T> | undefined {
    const first = this.#unpass(this.#longestPassed(() => true)) ?? this.#line.shift();
    if (first !== undefined) this.#count(first, -1);
    return first;
  }

  take(key: string): void {
    this.#taken.add(key);
  }

  drain(key: string): readonly Waiting<T>[] {
    if (!this.has(key)) return [];
    const inLine = [...this.#line.values()].filter(({ notification }) => notification.key === key);
    const all = [...(this.#passed.get(key) ?? []), ...inLine];
    this.#passed.delete(key);
    for (const { position } of inLine) this.#line.delete(position);
    for (const waiting of all) this.#count(waiting, -1);
    return all;
  }

  done(key: string): void {
    this.#taken.delete(key);
  }

  #nextInLine(): Arrival<T> | undefined {
    for (let next = this.#line.shift(); next !== undefined; next = this.#line.shift()) {
      const { key } = next.notification;
      if (!this.#taken.has(key)) return next;
      const passed = this.#passed.get(key);
      if (passed === undefined) this.#passed.set(key, [next]);
      else passed.push(next);
    }
    return undefined;
  }

  #longestPassed(isWanted: (key: string) => boolean): Arrival<T> | undefined {
    let longest: Arrival<T> | undefined;
    for (const [key, [first]] of this.#passed) {
      if (first === undefined || !isWanted(key)) continue;
      if (longest === undefined || first.position < longest.position) longest = first;
    }
    return longest;
  }

  /** Takes the first of its key out of those passed. */
  #unpass(first: Arrival<T> | undefined): Arrival<T> | undefined {
    if (first === undefined) return undefined;
    const { key } = first.notification;
    const passed = this.#passed.get(key);
    passed?.shift();
    if (passed?.length === 0) this.#passed.delete(key);
    return first;
  }

  #count({ notification }: Waiting<T>, by: 1 | -1): void {
    const { key } = notification;
    const waiting = (this.#waiting.get(key) ?? 0) + by;
    if (waiting === 0) this.#waiting.delete(key);
    else this.#waiting.set(key, waiting);
    this.#length += by;
    if (takesUpRoom({ notification })) this.#size += by;
  }
}

interface Arrival<T> extends Waiting<T> {
  readonly position: number;
}

const takesUpRoom = ({ notification }: Pick<Waiting<unknown>, 'notification'>): boolean =>
  holdOf(notification) === undefined;
