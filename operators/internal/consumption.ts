import type { Observer, Subscriber } from 'rxjs';
import type { Context } from '../../src/context.ts';
import { BufferFullError, UserFunctionError } from '../../src/errors.ts';
import { type BacklogSettings, CountedQueue } from '../../src/queue/backlog.ts';
import type { DeliveryQueue } from '../../src/queue/deliveryQueue.ts';
import type { Notification } from '../../src/store/notification.ts';
import { Brake } from './brake.ts';
import { inTurns } from './inTurns.ts';
import { attempt, type Project } from './project.ts';
import { subscribeWithin } from './subscribeWithin.ts';

export interface ConsumptionSettings {
  readonly backlog: BacklogSettings;
  readonly concurrency: number;
  /** For how long it may stop the reading from the server at a time; `undefined`: it never does. Unit: milliseconds. */
  readonly stopsFor: number | undefined;
}

/**
 * One subscriber's consumption: notifications go through its queue, and the next one is handed out when a handler is
 * free and its key is not being handled. What the store holds for it is pulled: held back while a part of it waits.
 */
export class Consumption<T, R> implements Observer<Notification<T>> {
  readonly #subscriber: Subscriber<R>;
  readonly #project: Project<T, R>;
  readonly #settings: ConsumptionSettings;
  readonly #context: Context;
  readonly #queue: CountedQueue<T>;
  readonly #brake: Brake | undefined;
  readonly #proceed: () => void;
  #running = 0;
  #finish: (() => void) | undefined;

  constructor(
    subscriber: Subscriber<R>,
    project: Project<T, R>,
    queue: DeliveryQueue<T>,
    settings: ConsumptionSettings,
    context: Context,
  ) {
    const { scheduler, backlogs } = context;
    const { stopsFor, backlog } = settings;
    this.#subscriber = subscriber;
    this.#project = project;
    this.#settings = settings;
    this.#context = context;
    this.#queue = new CountedQueue(queue, backlog, () => scheduler.now());
    const facts = () => this.#queue.facts();
    this.#brake = stopsFor === undefined ? undefined : new Brake(context, stopsFor, facts);
    this.#proceed = inTurns(
      scheduler,
      subscriber,
      () => this.#isFree && this.#handOut(),
      () => {
        if (this.#running === 0 && this.#queue.length === 0) this.#finish?.();
      },
    );
    subscriber.add(backlogs.add(facts));
    subscriber.add(() => this.#brake?.release('gone'));
  }

  next(notification: Notification<T>): void {
    if (!this.#queue.push(notification)) this.#overflow();
    else if (this.#isFree) this.#proceed();
    this.#level();
  }

  error(error: unknown): void {
    this.#end(() => {
      this.#subscriber.error(error);
    });
  }

  complete(): void {
    this.#end(() => {
      this.#subscriber.complete();
    });
  }

  get #isFree(): boolean {
    return this.#running < this.#settings.concurrency;
  }

  /** After what waits. Whatever is still read is not for this one. */
  #end(finish: () => void): void {
    this.#finish = finish;
    this.#brake?.release('gone');
    this.#proceed();
  }

  #overflow(): void {
    const { capacity = Infinity, name, lag } = this.#queue.facts();
    this.#subscriber.error(new BufferFullError(name, { capacity, lag }));
  }

  /** Whether there was anything to hand out. */
  #handOut(): boolean {
    const notification = this.#queue.pop();
    if (notification === undefined) return false;
    this.#level();
    this.#running += 1;
    this.#run(notification);
    return true;
  }

  #run(notification: Notification<T>): void {
    const { key } = notification;
    const done = (): void => {
      this.#running -= 1;
      this.#queue.done(key);
      this.#proceed();
    };
    subscribeWithin(
      this.#subscriber,
      attempt(() => this.#project(notification)),
      {
        next: (result) => {
          this.#subscriber.next(result);
        },
        error: (cause: unknown) => {
          this.#context.status.problem(new UserFunctionError('handler', key, cause));
          done();
        },
        complete: done,
      },
    );
  }

  #level(): void {
    if (!this.#queue.levelled()) return;
    const backlog = this.#queue.facts();
    this.#context.status.report({ type: 'backlog', backlog });
    if (backlog.level === 'low') this.#brake?.release('caught up');
    else if (this.#finish === undefined) this.#brake?.stop();
  }
}
