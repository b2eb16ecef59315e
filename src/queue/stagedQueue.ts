import { earlier, type Stage, type Waiting } from './deliveryQueue.ts';

/** Two queues one behind the other: what is in front is older. */
export abstract class StagedQueue<T, Front extends Stage<T>, Back extends Stage<T>> implements Stage<T> {
  protected readonly front: Front;
  protected readonly back: Back;

  constructor(front: Front, back: Back) {
    this.front = front;
    this.back = back;
  }

  get length(): number {
    return this.front.length + this.back.length;
  }

  get oldest(): number | undefined {
    return earlier(this.front.oldest, this.back.oldest);
  }

  has(key: string): boolean {
    return this.front.has(key) || this.back.has(key);
  }

  abstract push(waiting: Waiting<T>): boolean;

  /** What is left in front is of keys that are taken, and they are so behind, too. */
  pop(): Waiting<T> | undefined {
    return this.popFront() ?? this.popBack();
  }

  take(key: string): void {
    this.front.take(key);
    this.back.take(key);
  }

  drain(key: string): readonly Waiting<T>[] {
    return [...this.front.drain(key), ...this.back.drain(key)];
  }

  protected popFront(): Waiting<T> | undefined {
    const popped = this.front.pop();
    if (popped !== undefined) this.back.take(popped.notification.key);
    return popped;
  }

  protected popBack(): Waiting<T> | undefined {
    const popped = this.back.pop();
    if (popped !== undefined) this.front.take(popped.notification.key);
    return popped;
  }

  done(key: string): void {
    this.front.done(key);
    this.back.done(key);
  }
}
