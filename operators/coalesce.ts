import { from, isObservable, Observable, type OperatorFunction, of } from 'rxjs';
import { type Context, contextOf } from '../src/context.ts';
import { InvalidOptionError, UserFunctionError } from '../src/errors.ts';
import { CoalescingQueue } from '../src/queue/coalescingQueue.ts';
import type { Notification } from '../src/store/notification.ts';
import { subscribeWithin } from './internal/subscribeWithin.ts';

export interface CoalesceOptions {
  /** How many keys are handled at a time: a whole number, or Infinity. Default: 1. */
  readonly concurrency?: number | undefined;
  readonly context?: Context | undefined;
}

/** What is waited for, or else the result of a plain function. An array is such a result. */
export type Projected<R> = Input<R> | R;

type Input<R> = Observable<R> | PromiseLike<R> | AsyncIterable<R>;

/**
 * Hands one notification after the other to `project`, the next one when that is done; what comes meanwhile
 * waits, merged by key: the old state of the first, the new one of the last, so that what waits is bounded by
 * the number of keys.
 *
 * Guarantees: notifications of one key are handled in order and never two at once; the last state of each key
 * arrives. A `project` that throws, rejects or errors is reported on the status as a UserFunctionError with its
 * key, and does not end the stream or hurt anybody else.
 *
 * Throws InvalidOptionError.
 */
export function coalesce<T, R>(
  project: (notification: Notification<T>) => Projected<R>,
  options: CoalesceOptions = {},
): OperatorFunction<Notification<T>, R> {
  const { concurrency = 1 } = options;
  if (typeof project !== 'function') throw new InvalidOptionError('project', project, 'give a function');
  if (!(concurrency >= 1) || !(Number.isInteger(concurrency) || concurrency === Infinity)) {
    throw new InvalidOptionError(
      'concurrency',
      concurrency,
      'give a whole number of at least 1, or Infinity',
    );
  }
  const { status } = contextOf(options);

  return (source) =>
    new Observable((subscriber) => {
      const queue = new CoalescingQueue<T>();
      let running = 0;
      let starting = false;
      let finish: (() => void) | undefined;

      /** Starts what may run. A loop, not a recursion: a project may be done before it returns. */
      const start = (): void => {
        if (starting) return;
        starting = true;
        while (running < concurrency && !subscriber.closed) {
          const next = queue.pop();
          if (next === undefined) break;
          running += 1;
          run(next.notification);
        }
        starting = false;
        if (running === 0 && queue.length === 0) finish?.();
      };

      const run = (notification: Notification<T>): void => {
        const { key } = notification;
        const done = (): void => {
          running -= 1;
          queue.done(key);
          start();
        };
        subscribeWithin(
          subscriber,
          attempt(() => project(notification)),
          {
            next: (result) => {
              subscriber.next(result);
            },
            error: (cause: unknown) => {
              status.problem(new UserFunctionError('handler', key, cause));
              done();
            },
            complete: done,
          },
        );
      };

      subscribeWithin(subscriber, source, {
        next(notification) {
          queue.push({ notification, since: 0 });
          start();
        },
        error(error: unknown) {
          finish = () => {
            subscriber.error(error);
          };
          start();
        },
        complete() {
          finish = () => {
            subscriber.complete();
          };
          start();
        },
      });
    });
}

/** Whatever a project returns or throws, as a stream. */
function attempt<R>(project: () => Projected<R>): Observable<R> {
  return new Observable((subscriber) => {
    const result = project();
    return (isInput(result) ? from(result) : of(result)).subscribe(subscriber);
  });
}

function isInput<R>(value: Projected<R>): value is Input<R> {
  if (typeof value !== 'object' || value === null) return false;
  const { then } = value as Partial<PromiseLike<R>>;
  return isObservable(value) || typeof then === 'function' || Symbol.asyncIterator in value;
}
