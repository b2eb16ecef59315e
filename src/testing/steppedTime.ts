import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';
import { InformerError, InvalidOptionError } from '../errors.ts';

/** A scheduler whose time moves only when it is told to. */
export interface SteppedTime extends SchedulerLike {
  /** Virtual wall clock. Unit: milliseconds. */
  now(): number;
  /**
   * Lets time pass and runs what falls due, in order, with everything at rest before and after each.
   *
   * Errors: what a timer throws, and what keeps everything from coming to rest.
   */
  advance(milliseconds: number): Promise<void>;
  /** Waits until everything is at rest; no time passes, so only what is due at once runs. */
  settle(): Promise<void>;
  /** The wall clock leaps, forward or back, and no timer comes nearer, as when the machine sleeps. */
  jump(milliseconds: number): void;
  /** Timers that wait. */
  readonly pending: number;
  /** Drops all timers; nothing is scheduled any more. */
  dispose(): void;
}

export interface SteppedTimeOptions {
  /** What `now()` is at first. Unit: milliseconds. */
  readonly now: number;
  /** Resolves when everything that a timer set in motion has come to rest. */
  readonly rest: () => Promise<void>;
}

/** More timers than that at one instant are an endless loop of delays of 0. */
const MAX_AT_ONE_INSTANT = 10_000;

export function createSteppedTime({ now: start, rest }: SteppedTimeOptions): SteppedTime {
  const timers: Waiting[] = [];
  let elapsed = 0;
  let leapt = 0;
  let disposed = false;
  let lastStep: Promise<void> = Promise.resolve();

  const queue: TimerQueue = {
    add(timer, delay) {
      timer.due = elapsed + Math.max(0, delay);
      // Behind all that are due at the same time: in the order in which they were scheduled.
      const at = timers.findLastIndex((other) => other.due <= timer.due) + 1;
      timers.splice(at, 0, timer);
    },
    remove(timer) {
      const at = timers.indexOf(timer);
      if (at >= 0) timers.splice(at, 1);
    },
  };

  const runUntil = async (target: number) => {
    let atThisInstant = 0;
    await rest();
    for (let next = timers[0]; next !== undefined && next.due <= target; next = timers[0]) {
      atThisInstant = next.due > elapsed ? 1 : atThisInstant + 1;
      if (atThisInstant > MAX_AT_ONE_INSTANT) throw new EndlessTimersError(start + elapsed + leapt);
      elapsed = Math.max(elapsed, next.due);
      next.fire();
      await rest();
    }
    elapsed = target;
  };

  // Two at the same time would wait for each other, so they go one after the other.
  const advance = (milliseconds: number) => {
    requireMilliseconds(milliseconds, 0);
    const step = lastStep.then(() => runUntil(elapsed + milliseconds));
    lastStep = step.catch(() => undefined);
    return step;
  };

  return {
    now: () => start + elapsed + leapt,
    schedule<T>(work: (this: SchedulerAction<T>, state: T) => void, delay = 0, state?: T): Subscription {
      return disposed ? Subscription.EMPTY : new Timer(queue, work).schedule(state, delay);
    },
    advance,
    settle: () => advance(0),
    jump(milliseconds) {
      requireMilliseconds(milliseconds, -Infinity);
      leapt += milliseconds;
    },
    get pending() {
      return timers.length;
    },
    dispose() {
      disposed = true;
      timers.length = 0;
    },
  };
}

/** Timers of delay 0 that schedule one another without end. */
export class EndlessTimersError extends InformerError {
  readonly code = 'ENDLESS_TIMERS';
  override readonly terminal = true;

  constructor(now: number) {
    super(`more than ${MAX_AT_ONE_INSTANT} timers fired at ${now} ms; let a timer that repeats wait a while`);
  }
}

interface Waiting {
  due: number;
  fire(): void;
}

interface TimerQueue {
  add(timer: Waiting, delay: number): void;
  remove(timer: Waiting): void;
}

/** One scheduled piece of work; it may schedule itself again, as the actions of RxJS do. */
class Timer<T> extends Subscription implements SchedulerAction<T>, Waiting {
  due = 0;
  readonly #queue: TimerQueue;
  readonly #work: (this: SchedulerAction<T>, state: T) => void;
  #state: T | undefined;

  constructor(queue: TimerQueue, work: (this: SchedulerAction<T>, state: T) => void) {
    super();
    this.#queue = queue;
    this.#work = work;
  }

  schedule(state?: T, delay = 0): Subscription {
    if (this.closed) return this;
    this.#state = state;
    this.#queue.remove(this);
    if (Number.isFinite(delay)) this.#queue.add(this, delay);
    return this;
  }

  fire(): void {
    this.#queue.remove(this);
    try {
      this.#work.call(this, this.#state as T);
    } catch (error) {
      this.unsubscribe();
      throw error;
    }
  }

  override unsubscribe(): void {
    if (this.closed) return;
    this.#queue.remove(this);
    super.unsubscribe();
  }
}

function requireMilliseconds(value: number, least: number): void {
  if (Number.isFinite(value) && value >= least) return;
  throw new InvalidOptionError(
    'milliseconds',
    value,
    `pass a finite number${least === 0 ? ', 0 or more' : ''}`,
  );
}
