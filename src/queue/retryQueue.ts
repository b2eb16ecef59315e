import { CoalescingQueue } from './coalescingQueue.ts';
import type { Stage, Waiting } from './deliveryQueue.ts';
import { StagedQueue } from './stagedQueue.ts';

/**
 * Another queue, and in front of it what failed: of a key that failed, all that waits is merged, whatever the other
 * queue does with the rest.
 */
export class RetryQueue<T> extends StagedQueue<T, CoalescingQueue<T>, Stage<T>> {
  #isTurnOfFailed = false;

  constructor(queue: Stage<T>) {
    super(new CoalescingQueue(), queue);
  }

  push(waiting: Waiting<T>): boolean {
    const isFailed = this.front.length > 0 && this.front.has(waiting.notification.key);
    return (isFailed ? this.front : this.back).push(waiting);
  }

  /** By turns, so that neither what failed nor what came waits for the other. */
  override pop(): Waiting<T> | undefined {
    if (this.front.length === 0) return this.popBack();
    this.#isTurnOfFailed = !this.#isTurnOfFailed;
    return this.#isTurnOfFailed ? super.pop() : (this.popBack() ?? this.popFront());
  }

  /** In front, keys are taken when they are put back. */
  protected override popBack(): Waiting<T> | undefined {
    return this.back.pop();
  }

  /** What was popped last of its key failed: it waits again, merged with what came since; the key stays taken. */
  putBack(waiting: Waiting<T>): void {
    this.front.putBack(waiting);
    for (const newer of this.back.drain(waiting.notification.key)) this.front.push(newer);
  }
}
