import { type Subscriber, Subscription } from 'rxjs';
import type { Context } from '../../src/context.ts';
import { HandlerTimeoutError, UserFunctionError } from '../../src/errors.ts';
import type { WorkFacts } from '../../src/queue/backlog.ts';
import type { BackoffOptions } from '../../src/queue/backoff.ts';
import { Retries } from '../../src/queue/retries.ts';
import type { Notification } from '../../src/store/notification.ts';
import type { Turn, Worker } from './consumption.ts';
import { HANDLERS, HandlerCall, type Handlers } from './handlerCall.ts';
import { RunningCall } from './runningCall.ts';

interface Attempted {
  readonly key: string;
  readonly type: Notification<unknown>['type'];
  /** Which try it was since the key was last handled without a failure, from 1. */
  readonly attempt: number;
}

interface Handled<R> extends Attempted {
  readonly error: undefined;
  /** The last value, if there was any. */
  readonly result: R | undefined;
}

interface Failed extends Attempted {
  readonly error: UserFunctionError | HandlerTimeoutError;
  /** How long its key waits to be tried again; `undefined`: it is not. 0 after the end. Unit: milliseconds. */
  readonly retryIn: number | undefined;
}

/** What became of one call of a handler. */
export type Outcome<R> = Handled<R> | Failed;

export interface HandlingSettings {
  /** Unit: milliseconds. */
  readonly timeout: number | undefined;
  readonly retry: BackoffOptions | undefined;
}

/** Calls handlers, within a time limit, and again after a failure. */
export class Handling<T, R> implements Worker<T> {
  readonly #handlers: Handlers<T, R, R, R, R>;
  readonly #settings: HandlingSettings;
  readonly #subscriber: Subscriber<Outcome<R>>;
  readonly #context: Context;
  readonly #retries: Retries;
  /** What ends each wait for the next try. */
  readonly #waits = new Set<() => void>();
  #overdue = 0;
  #ended = false;

  constructor(
    handlers: Handlers<T, R, R, R, R>,
    settings: HandlingSettings,
    subscriber: Subscriber<Outcome<R>>,
    context: Context,
  ) {
    this.#handlers = handlers;
    this.#settings = settings;
    this.#subscriber = subscriber;
    this.#context = context;
    this.#retries = new Retries({ ...settings.retry, random: context.random });
  }

  get facts(): WorkFacts {
    return { overdue: this.#overdue, failing: this.#waits.size };
  }

  begin(turn: Turn<T>): void {
    const { notification } = turn;
    const { key, type } = notification;
    if (this.#handlers[HANDLERS[type]] === undefined) {
      this.#retries.succeeded(key);
      turn.done();
      return;
    }
    this.#call(turn, { key, type, attempt: this.#retries.attempt(key) });
  }

  /** Nobody waits for long any more: what failed is tried once more now, and not again. */
  end(): void {
    this.#ended = true;
    for (const over of [...this.#waits]) over();
  }

  #call(turn: Turn<T>, attempted: Attempted): void {
    const { key, attempt } = attempted;
    const { scheduler } = this.#context;
    const { timeout } = this.#settings;
    const call = new RunningCall<T, R>(new HandlerCall(turn.notification, attempt), {
      succeeded: (result) => {
        this.#succeed(turn, { ...attempted, error: undefined, result });
      },
      failed: (cause) => {
        this.#fail(turn, attempted, new UserFunctionError('handler', key, cause, attempt))();
        turn.yield();
      },
    });
    call.begin(this.#handlers, this.#subscriber);
    if (timeout === undefined) return;
    call.limit(timeout, scheduler, () => {
      this.#timeIsOver(turn, attempted, call, new HandlerTimeoutError(key, attempt, timeout));
    });
  }

  #timeIsOver(
    turn: Turn<T>,
    attempted: Attempted,
    call: RunningCall<T, R>,
    error: HandlerTimeoutError,
  ): void {
    this.#overdue += 1;
    const free = this.#fail(turn, attempted, error);
    call.abandon(error, () => {
      this.#overdue -= 1;
      free();
    });
    turn.yield();
  }

  #succeed(turn: Turn<T>, outcome: Outcome<R>): void {
    this.#retries.succeeded(outcome.key);
    this.#subscriber.next(outcome);
    turn.done();
  }

  /** Returns what is to be called when the handler is at its end: from then on its key may be tried again. */
  #fail(turn: Turn<T>, attempted: Attempted, error: UserFunctionError | HandlerTimeoutError): () => void {
    // First, as who hears of it may end it all.
    this.#context.status.problem(error);
    const isRetried = this.#settings.retry !== undefined && (!this.#ended || turn.isFollowed());
    const retryIn = isRetried ? this.#nextWait(attempted.key) : undefined;
    if (isRetried) turn.putBack();
    let left = 2;
    const free = (): void => {
      left -= 1;
      if (left === 0) turn.done();
    };
    if (retryIn === undefined || this.#ended) free();
    else this.#wait(retryIn, free);
    this.#subscriber.next({ ...attempted, error, retryIn });
    return free;
  }

  /** None after the end: then it is tried again with what waits for its key. Unit: milliseconds. */
  #nextWait(key: string): number {
    const wait = this.#retries.failed(key);
    return this.#ended ? 0 : wait;
  }

  #wait(delay: number, then: () => void): void {
    const over = (): void => {
      timer.unsubscribe();
      this.#waits.delete(over);
      then();
    };
    const timer = new Subscription();
    this.#waits.add(over);
    this.#subscriber.add(timer);
    timer.add(this.#context.scheduler.schedule(over, delay));
  }
}
