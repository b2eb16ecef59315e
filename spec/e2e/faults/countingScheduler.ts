import { asyncScheduler, type SchedulerAction, type SchedulerLike, type Subscription } from 'rxjs';

/** Real time, and how many timers there are. */
export class CountingScheduler implements SchedulerLike {
  readonly #actions = new Set<Timer>();

  get pending(): number {
    return [...this.#actions].filter(({ id }) => id !== undefined).length;
  }

  now(): number {
    return asyncScheduler.now();
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    const action: Timer = asyncScheduler.schedule(work, delay, state);
    this.#actions.add(action);
    return action;
  }
}

/** An action of `asyncScheduler` has the id of its timer as long as it waits. */
type Timer = Subscription & { readonly id?: unknown };
