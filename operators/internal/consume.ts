import { Observable, type OperatorFunction } from 'rxjs';
import { requireFunction } from '../../src/checks.ts';
import { type Context, contextOf } from '../../src/context.ts';
import { InvalidOptionError } from '../../src/errors.ts';
import type { DeliveryQueue } from '../../src/queue/deliveryQueue.ts';
import type { Notification } from '../../src/store/notification.ts';
import { Consumption } from './consumption.ts';
import type { Project } from './project.ts';
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

/** How a subscriber may fall behind. */
export interface Policy<T> {
  readonly name: string;
  readonly capacity: number | undefined;
  readonly queue: () => DeliveryQueue<T>;
  readonly stopsFor?: number;
}

/** Hands notifications to `project`, the next one when one is done. Throws InvalidOptionError. */
export function consume<T, R>(
  project: Project<T, R>,
  { name: policy, capacity, queue, stopsFor }: Policy<T>,
  options: DeliveryOptions,
): OperatorFunction<Notification<T>, R> {
  requireFunction('project', project);
  const { concurrency = 1, name = policy } = options;
  checkCount('concurrency', concurrency, 1, Infinity);
  const { highWater = capacity === undefined ? HIGH_WATER : Math.ceil(capacity * 0.75) } = options;
  checkCount('highWater', highWater, 1, capacity ?? Infinity);
  const { lowWater = Math.floor(highWater / 2) } = options;
  checkCount('lowWater', lowWater, 0, highWater - 1);
  const context = contextOf(options);
  const settings = { backlog: { name, capacity, highWater, lowWater }, concurrency, stopsFor };

  return (source) =>
    new Observable((subscriber) => {
      subscribeWithin(subscriber, source, new Consumption(subscriber, project, queue(), settings, context));
    });
}

const HIGH_WATER = 1024;
const CAPACITY = 1024;

/** Throws InvalidOptionError. */
export function capacityOf({ capacity = CAPACITY }: BufferOptions): number {
  checkCount('capacity', capacity, 1, Infinity);
  return capacity;
}

function checkCount(option: string, value: number, least: number, most: number): void {
  if (value >= least && value <= most && (Number.isInteger(value) || value === Infinity)) return;
  const bounds = most === Infinity ? `of at least ${least}, or Infinity` : `from ${least} to ${most}`;
  throw new InvalidOptionError(option, value, `give a whole number ${bounds}`);
}
