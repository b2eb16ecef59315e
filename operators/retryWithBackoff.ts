import {
  defer,
  from,
  type MonoTypeOperatorFunction,
  Observable,
  type ObservableInput,
  retry,
  Subscription,
  throwError,
  throwIfEmpty,
  timer,
} from 'rxjs';
import { checkFunction } from '../src/checks.ts';
import { type Context, contextOf } from '../src/context.ts';
import { type ApiError, type InformerError, informerErrorOf, NotifierCompletedError } from '../src/errors.ts';
import { Backoff, type BackoffOptions } from '../src/queue/backoff.ts';
import { checkDuration, LONGEST_TIMER } from './internal/duration.ts';

export interface RetryWithBackoffOptions extends BackoffOptions {
  /** An attempt that lived as long counts as health: the waits begin anew. Unit: milliseconds. Default: 120000. */
  readonly resetAfter?: number | undefined;
  /**
   * Decides by itself when to try again, in the manner of `retry({ delay })`: the first value retries, an error
   * ends the stream with it, and completing without a value is a NotifierCompletedError.
   * `failures` counts those since the last health. Default: a timer of the backoff.
   */
  readonly notifier?: ((error: InformerError, failures: number) => ObservableInput<unknown>) | undefined;
  readonly context?: Context | undefined;
}

interface Resumable<T> {
  resumable(): Observable<T>;
}

/**
 * Subscribes again to what failed, after a wait: 800 ms, doubled up to 30 s, each at random in [d, 2d); not
 * before a `Retry-After`; at the cap for what a wait rarely helps (403, 404, an unknown kind).
 *
 * Directly behind `listWatch$` it continues from the cursor of its own subscription. Behind anything else it
 * subscribes anew, so put it there first.
 *
 * Errors: what is terminal passes through. Throws InvalidOptionError.
 */
export function retryWithBackoff<T>(options: RetryWithBackoffOptions = {}): MonoTypeOperatorFunction<T> {
  const { resetAfter = 120_000, notifier } = options;
  const { scheduler, status, ...context } = contextOf(options);
  const { random = context.random } = options;
  const backoffOf = (): Backoff => new Backoff({ ...options, random });
  backoffOf();
  checkDuration('resetAfter', resetAfter, 1);
  checkFunction('notifier', notifier);

  return (source) =>
    new Observable((subscriber) => {
      const backoff = backoffOf();
      const resumed = isResumable(source) ? source.resumable() : source;
      let health = Subscription.EMPTY;
      const attempt = defer(() => {
        health = scheduler.schedule(() => {
          backoff.reset();
        }, resetAfter);
        return resumed;
      });

      const delay = (thrown: unknown): Observable<unknown> => {
        const error = informerErrorOf(thrown);
        health.unsubscribe();
        if (error.terminal) {
          status.report({ type: 'error', error, attempt: backoff.attempt + 1, delay: undefined });
          return throwError(() => error);
        }
        const wait = waitAfter(error, backoff, random);
        if (notifier !== undefined) {
          status.report({ type: 'error', error, attempt: backoff.attempt, delay: undefined });
          return from(notifier(error, backoff.attempt)).pipe(throwIfEmpty(() => ended(error)));
        }
        status.report({ type: 'error', error, attempt: backoff.attempt, delay: wait });
        // Who heard of the error may have ended it all.
        if (!subscriber.closed) status.report({ type: 'wait', reason: 'backoff', delay: wait });
        return timer(wait, scheduler);
      };
      const ended = (error: InformerError): InformerError => {
        const terminal = new NotifierCompletedError(error);
        status.report({ type: 'error', error: terminal, attempt: backoff.attempt, delay: undefined });
        return terminal;
      };
      attempt.pipe(retry({ delay })).subscribe(subscriber);
      return () => {
        health.unsubscribe();
      };
    });
}

/** Failures that somebody has to mend first. */
const rarelyPasses = (error: InformerError): boolean =>
  error.code === 'UNKNOWN_KIND' || ('status' in error && (error.status === 403 || error.status === 404));

/** Unit: milliseconds. */
function waitAfter(error: InformerError, backoff: Backoff, random: () => number): number {
  const wait = rarelyPasses(error) ? backoff.nextAtCap() : backoff.next();
  const { retryAfter } = error as Partial<ApiError>;
  if (retryAfter === undefined || retryAfter <= wait) return wait;
  // All who were told the same time would come back at once.
  return Math.min(retryAfter * (1 + random() / 5), LONGEST_TIMER);
}

const isResumable = <T>(
  source: Observable<T> & Partial<Resumable<T>>,
): source is Observable<T> & Resumable<T> => typeof source.resumable === 'function';
