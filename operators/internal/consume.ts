import { Observable, type OperatorFunction, type Subscriber } from 'rxjs';
import { checkOptions, requireFunction, requireText } from '../../src/checks.ts';
import { type Context, contextOf } from '../../src/context.ts';
import type { Notification } from '../../src/store/notification.ts';
import { Consumption, type Worker } from './consumption.ts';
import { checkCount } from './count.ts';
import type { Policy } from './policies.ts';
import type { Project } from './project.ts';
import { Projection } from './projection.ts';
import { subscribeWithin } from './subscribeWithin.ts';

export interface DeliveryOptions {
  /** How many keys are handled at a time: a whole number, or Infinity. Default: 1. */
  readonly concurrency?: number | undefined;
  /** Who it is that handles them, on the status. Default: the name of the operator. */
  readonly name?: string | undefined;
  /**
   * So many waiting notifications are told on the status. Default: three quarters of the capacity, or 1024 where
   * there is none.
   */
  readonly highWater?: number | undefined;
  /** After that, so few are told, too. Default: half of the high-water mark. */
  readonly lowWater?: number | undefined;
  /** Default: one of its own, with no way to the status or the reader of an informer. */
  readonly context?: Context | undefined;
}

export interface BufferOptions extends DeliveryOptions {
  /** How many notifications may wait as they came, those that are being handled apart. Default: 1024. */
  readonly capacity?: number | undefined;
}

/** Hands notifications to `project`, the next one when one is done. Throws InvalidOptionError. */
export function consume<T, R>(
  project: Project<T, R>,
  policy: Policy<T>,
  options: DeliveryOptions,
): OperatorFunction<Notification<T>, R> {
  requireFunction('project', project);
  return deliver((subscriber, context) => new Projection(project, subscriber, context), policy, options);
}

/** Hands notifications to a worker of each subscriber, the next one when one is done. Throws InvalidOptionError. */
export function deliver<T, R>(
  workerOf: (subscriber: Subscriber<R>, context: Context) => Worker<T>,
  { name: policy, capacity, queue, stopsFor }: Policy<T>,
  options: DeliveryOptions,
): OperatorFunction<Notification<T>, R> {
  checkOptions('options', options);
  const { concurrency = 1, name = policy } = options;
  checkCount('concurrency', concurrency, 1);
  requireText('name', name);
  const { highWater = capacity === undefined ? HIGH_WATER : Math.ceil(capacity * 0.75) } = options;
  checkCount('highWater', highWater, 1, capacity);
  const { lowWater = Math.floor(highWater / 2) } = options;
  checkCount('lowWater', lowWater, 0, highWater - 1);
  const context = contextOf(options);
  const settings = { backlog: { name, capacity, highWater, lowWater }, concurrency, stopsFor };

  return (source) =>
    new Observable((subscriber) => {
      const worker = workerOf(subscriber, context);
      const consumption = new Consumption(subscriber, worker, queue(), settings, context);
      subscribeWithin(subscriber, source, consumption);
    });
}

const HIGH_WATER = 1024;
