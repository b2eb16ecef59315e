import { type DeliveryQueue, earlier, type Stage, type Waiting } from './deliveryQueue.ts';

/** Two queues one behind the other: what is in front is older. */
export abstract class StagedQueue<T, Front extends Stage<T>, Back extends Stage<T>>
  implements DeliveryQueue<T>
{
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

  abstract push(waiting: Waiting<T>): true;

  pop(): Waiting<T> | undefined {
    const first = this.front.pop();
    if (first !== undefined) {
      this.back.take(first.notification.key);
      return first;
    }
    // What is left in front is of keys that are taken, and they are so behind, too.
    const next = this.back.pop();
    if (next !== undefined) this.front.take(next.notification.key);
    return next;
  }

  done(key: string): void {
    this.front.done(key);
    this.back.done(key);
  }
}
