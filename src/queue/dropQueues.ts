import { BoundedQueue } from './boundedQueue.ts';
import { CoalescingQueue } from './coalescingQueue.ts';
import type { Waiting } from './deliveryQueue.ts';
import { StagedQueue } from './stagedQueue.ts';

/** The newest as they came, up to the capacity; what is older is merged by key. */
export class DropOldestQueue<T> extends StagedQueue<T, CoalescingQueue<T>, BoundedQueue<T>> {
  constructor(capacity: number) {
    super(new CoalescingQueue(), new BoundedQueue(capacity));
  }

  push(waiting: Waiting<T>): true {
    while (!this.back.push(waiting)) {
      const first = this.back.shift();
      if (first !== undefined) this.front.push(first);
    }
    return true;
  }
}

/** The oldest as they came, up to the capacity; what came on top of them is merged by key. */
export class DropNewestQueue<T> extends StagedQueue<T, BoundedQueue<T>, CoalescingQueue<T>> {
  constructor(capacity: number) {
    super(new BoundedQueue(capacity), new CoalescingQueue());
  }

  push(waiting: Waiting<T>): true {
    const isBehind = this.back.length > 0 || !this.front.push(waiting);
    if (isBehind) this.back.push(waiting);
    this.#moveUp();
    return true;
  }

  override pop(): Waiting<T> | undefined {
    const popped = super.pop();
    this.#moveUp();
    return popped;
  }

  override drain(key: string): readonly Waiting<T>[] {
    const drained = super.drain(key);
    this.#moveUp();
    return drained;
  }

  override done(key: string): void {
    super.done(key);
    this.#moveUp();
  }

  /** What has come up to the room in front is merged no more. */
  #moveUp(): void {
    while (!this.front.full) {
      const next = this.back.pop();
      if (next === undefined) return;
      this.back.done(next.notification.key);
      this.front.push(next);
    }
  }
}
