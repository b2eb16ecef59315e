import { from, isObservable, Observable, type ObservableInput, type OperatorFunction, of } from 'rxjs';
import { type Context, contextOf } from '../src/context.ts';
import { InvalidOptionError, UserFunctionError } from '../src/errors.ts';
import { CoalescingQueue } from '../src/queue/coalescingQueue.ts';
import type { Notification } from '../src/store/notification.ts';

export interface CoalesceOptions {
  /** How many keys are handled at a time. Default: 1. */
  readonly concurrency?: number | undefined;
  readonly context?: Context | undefined;
}

/** A promise, observable or async iterable to wait for, or anything else: what a plain function returns. */
export type Projected<R> = ObservableInput<R> | R;

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
  if (!(concurrency >= 1))
    throw new InvalidOptionError('concurrency', concurrency, 'give a number of at least 1');
  const { status } = contextOf(options);

  return (source) =>
    new Observable((subscriber) => {
      const queue = new CoalescingQueue<T>();
      const running = new Set<string>();
      let starting = false;
      let finish: (() => void) | undefined;

      /** Starts what may run. A loop, not a recursion: a project may be done before it returns. */
      const start = (): void => {
        if (starting) return;
        starting = true;
        while (running.size < concurrency && !subscriber.closed) {
          const notification = queue.pop(running);
          if (notification === undefined) break;
          run(notification);
        }
        starting = false;
        if (running.size === 0 && queue.size === 0) finish?.();
      };

      const run = (notification: Notification<T>): void => {
        const { key } = notification;
        running.add(key);
        const done = (): void => {
          running.delete(key);
          start();
        };
        const fail = (cause: unknown): void => {
          status.problem(new UserFunctionError('handler', key, cause));
          done();
        };
        subscriber.add(
          attempt(() => project(notification)).subscribe({
            next: (result) => {
              subscriber.next(result);
            },
            error: fail,
            complete: done,
          }),
        );
      };

      return source.subscribe({
        next(notification) {
          queue.push(notification);
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

const isInput = <R>(value: Projected<R>): value is ObservableInput<R> =>
  isObservable(value) ||
  (typeof value === 'object' && value !== null && ('then' in value || Symbol.asyncIterator in value));
