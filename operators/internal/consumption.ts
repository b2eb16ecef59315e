import type { Observer, Subscriber } from 'rxjs';
import type { Context } from '../../src/context.ts';
import { BufferFullError } from '../../src/errors.ts';
import {
  type BacklogFacts,
  type BacklogSettings,
  CountedQueue,
  type WorkFacts,
} from '../../src/queue/backlog.ts';
import type { Stage } from '../../src/queue/deliveryQueue.ts';
import type { Notification } from '../../src/store/notification.ts';
import { Brake } from './brake.ts';
import { inTurns } from './inTurns.ts';

export interface ConsumptionSettings {
  readonly backlog: BacklogSettings;
  readonly concurrency: number;
  /** For how long it may stop the reading from the server at a time; `undefined`: it never does. Unit: milliseconds. */
  readonly stopsFor: number | undefined;
}

/** What is handed out, until it is done. */
export interface Turn<T> {
  readonly notification: Notification<T>;
  /** Whether more of its key waits. */
  readonly isFollowed: () => boolean;
  /** Others may be handled; its key is still taken. */
  readonly yield: () => void;
  /** It failed: it waits again, merged with what came since; its key is still taken. */
  readonly putBack: () => void;
  /** Its key may be handled again. */
  readonly done: () => void;
}

/** Handles what is handed out to it. */
export interface Worker<T> {
  readonly facts: WorkFacts;
  begin(turn: Turn<T>): void;
  /** Nothing comes any more. */
  end(): void;
}

/**
 * One subscriber's consumption: notifications go through its queue, and the next one is handed out when a handler is
 * free and its key is not being handled. What the store holds for it is pulled: held back while a part of it waits.
 */
export class Consumption<T> implements Observer<Notification<T>> {
  readonly #subscriber: Subscriber<unknown>;
  readonly #worker: Worker<T>;
  readonly #settings: ConsumptionSettings;
  readonly #context: Context;
  readonly #queue: CountedQueue<T>;
  readonly #brake: Brake | undefined;
  readonly #proceed: () => void;
  #running = 0;
  #finish: (() => void) | undefined;

  constructor(
    subscriber: Subscriber<unknown>,
    worker: Worker<T>,
    queue: Stage<T>,
    settings: ConsumptionSettings,
    context: Context,
  ) {
    const { scheduler, backlogs } = context;
    const { stopsFor, backlog } = settings;
    this.#subscriber = subscriber;
    this.#worker = worker;
    this.#settings = settings;
    this.#context = context;
    this.#queue = new CountedQueue(queue, backlog, () => scheduler.now());
    const facts = () => this.#facts();
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

  #facts(): BacklogFacts {
    return { ...this.#queue.facts(), ...this.#worker.facts, running: this.#running };
  }

  get #isFree(): boolean {
    return this.#running < this.#settings.concurrency;
  }

  /** After what waits. Whatever is still read is not for this one. */
  #end(finish: () => void): void {
    this.#finish = finish;
    this.#brake?.release('gone');
    this.#worker.end();
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
    this.#worker.begin(this.#turnOf(notification));
    return true;
  }

  #turnOf(notification: Notification<T>): Turn<T> {
    let isRunning = true;
    const leave = (): void => {
      if (isRunning) this.#running -= 1;
      isRunning = false;
    };
    return {
      notification,
      isFollowed: () => this.#queue.has(notification.key),
      yield: () => {
        leave();
        this.#proceed();
      },
      putBack: () => {
        this.#queue.putBack(notification);
        this.#level();
      },
      done: () => {
        leave();
        this.#queue.done(notification.key);
        this.#proceed();
      },
    };
  }

  #level(): void {
    if (!this.#queue.levelled()) return;
    const backlog = this.#facts();
    this.#context.status.report({ type: 'backlog', backlog });
    if (backlog.level === 'low') this.#brake?.release('caught up');
    else if (this.#finish === undefined) this.#brake?.stop();
  }
}
