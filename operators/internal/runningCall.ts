import { isObservable, type Observer, type SchedulerLike, Subscription } from 'rxjs';
import type { HandlerCall, Handlers } from './handlerCall.ts';
import { attemptWithin } from './project.ts';

/** What becomes of a call. */
export interface CallEnds<R> {
  /** With the last value, if there was any. */
  readonly succeeded: (result: R | undefined) => void;
  readonly failed: (cause: unknown) => void;
}

/** One call of a handler, until what it returned is at its end or nobody waits for it any more. */
export class RunningCall<T, R> implements Observer<R | undefined> {
  readonly #call: HandlerCall<T>;
  readonly #ends: CallEnds<R>;
  readonly #life = new Subscription();
  #result: R | undefined;
  #isSettled = false;
  /** Whether leaving what it returned ends it. */
  #isEndedByLeaving = false;
  /** What is called at its end in place of the others. */
  #abandoned: (() => void) | undefined;

  constructor(call: HandlerCall<T>, ends: CallEnds<R>) {
    this.#call = call;
    this.#ends = ends;
    this.#life.add(() => {
      if (!this.#isSettled) call.abort();
    });
  }

  begin(handlers: Handlers<T, R, R, R, R>, owner: Subscription): void {
    owner.add(this.#life);
    const project = () => {
      const returned = this.#call.begin(handlers);
      this.#isEndedByLeaving = isObservable(returned);
      return returned;
    };
    attemptWithin(this.#life, project, this);
  }

  /** `late` is called unless it is at its end by then. Unit: milliseconds. */
  limit(timeout: number, scheduler: SchedulerLike, late: () => void): void {
    if (!this.#life.closed) this.#life.add(scheduler.schedule(late, timeout));
  }

  /** Nobody waits for what it brings any more: it is aborted, and `ended` is called at its end. */
  abandon(reason: unknown, ended: () => void): void {
    this.#abandoned = ended;
    this.#call.abort(reason);
    if (this.#isEndedByLeaving && !this.#life.closed) this.#settle(() => undefined);
  }

  next(result: R | undefined): void {
    this.#result = result;
  }

  error(cause: unknown): void {
    this.#settle(() => {
      this.#ends.failed(cause);
    });
  }

  complete(): void {
    this.#settle(() => {
      this.#ends.succeeded(this.#result);
    });
  }

  #settle(ended: () => void): void {
    this.#isSettled = true;
    this.#life.unsubscribe();
    (this.#abandoned ?? ended)();
  }
}
