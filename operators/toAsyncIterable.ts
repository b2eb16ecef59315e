import { EMPTY, Observable, type OperatorFunction, type Subscriber, Subscription } from 'rxjs';
import type { Notification } from '../src/store/notification.ts';
import { coalesce } from './coalesce.ts';
import type { Project } from './internal/project.ts';

/**
 * The notifications for a `for await` loop, one after the other: each is being handled until the loop asks for the
 * next one. What comes meanwhile waits as one of `coalesce`, `dropOldest`, `dropNewest`, `throwIfFull` and `block`
 * has it: `toAsyncIterable(pods$, (project) => dropOldest(project, { capacity: 100 }))`. Default: `coalesce`.
 *
 * Each loop is a subscription, which begins when it asks for the first one. Leaving it, by `break`, `return` or an
 * error, unsubscribes. An error of the stream is thrown in it.
 *
 * Throws what the operator throws.
 */
export function toAsyncIterable<T>(
  notifications$: Observable<Notification<T>>,
  delivery: (project: Project<T, never>) => OperatorFunction<Notification<T>, never> = coalesce,
): AsyncIterable<Notification<T>> {
  // So that it throws here, not in the loop.
  delivery(() => EMPTY);
  return {
    [Symbol.asyncIterator]: () => new Loop((project) => notifications$.pipe(delivery(project))),
  };
}

type Result<T> = IteratorResult<Notification<T>, undefined>;

interface Asked<T> {
  readonly resolve: (result: Result<T>) => void;
  readonly reject: (error: unknown) => void;
}

interface Offered<T> {
  readonly notification: Notification<T>;
  /** Is complete when the notification is handled. */
  readonly handling: Subscriber<never>;
}

class Loop<T> implements AsyncIterator<Notification<T>, undefined> {
  readonly #consume: (project: Project<T, never>) => Observable<never>;
  readonly #asked: Asked<T>[] = [];
  readonly #offered: Offered<T>[] = [];
  #subscription: Subscription | undefined;
  /** What the loop was given last. */
  #handling: Subscriber<never> | undefined;
  /** Tells the end to one who asks. */
  #end: ((asked: Asked<T>) => void) | undefined;

  constructor(consume: (project: Project<T, never>) => Observable<never>) {
    this.#consume = consume;
  }

  next(): Promise<Result<T>> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject });
      this.#subscription ??= this.#begin();
      this.#give();
    });
  }

  return(): Promise<Result<T>> {
    this.#subscription ??= Subscription.EMPTY;
    this.#subscription.unsubscribe();
    this.#offered.length = 0;
    this.#finish(isOver);
    return Promise.resolve({ done: true, value: undefined });
  }

  #begin(): Subscription {
    const offer: Project<T, never> = (notification) =>
      new Observable<never>((handling) => {
        this.#offered.push({ notification, handling });
        this.#give();
      });
    return this.#consume(offer).subscribe({
      error: (error: unknown) => {
        this.#finish((asked) => {
          // Once: after it, there is nothing more.
          this.#end = isOver;
          asked.reject(error);
        });
      },
      complete: () => {
        this.#finish(isOver);
      },
    });
  }

  #finish(end: (asked: Asked<T>) => void): void {
    this.#end ??= end;
    this.#give();
  }

  /** To those who ask, what there is for them. Asking says that the one before is handled. */
  #give(): void {
    while (this.#asked.length > 0) {
      const handled = this.#handling;
      this.#handling = undefined;
      // This may offer the next one, and give it.
      handled?.complete();
      const next = this.#nextOffered();
      if (next === undefined && this.#end === undefined) return;
      const asked = this.#asked.shift();
      if (asked === undefined) return;
      if (next === undefined) this.#end?.(asked);
      else {
        this.#handling = next.handling;
        asked.resolve({ done: false, value: next.notification });
      }
    }
  }

  /** One that was not given up meanwhile. */
  #nextOffered(): Offered<T> | undefined {
    if (this.#asked.length === 0) return undefined;
    let next = this.#offered.shift();
    while (next?.handling.closed === true) next = this.#offered.shift();
    return next;
  }
}

const isOver = <T>(asked: Asked<T>): void => {
  asked.resolve({ done: true, value: undefined });
};
