import { checkOptions, isRecord } from '../../src/checks.ts';
import { isContext } from '../../src/context.ts';
import { InvalidOptionError } from '../../src/errors.ts';
import { BoundedQueue } from '../../src/queue/boundedQueue.ts';
import { CoalescingQueue } from '../../src/queue/coalescingQueue.ts';
import type { Stage } from '../../src/queue/deliveryQueue.ts';
import { DropNewestQueue, DropOldestQueue } from '../../src/queue/dropQueues.ts';
import type { BlockOptions } from '../block.ts';
import type { HandleOptions } from '../handle.ts';
import type { BufferOptions } from './consume.ts';
import { checkCount } from './count.ts';
import { checkDuration } from './duration.ts';

/** How a subscriber may fall behind. */
export interface Policy<T> {
  readonly name: string;
  readonly capacity: number | undefined;
  readonly queue: () => Stage<T>;
  /** For how long it may stop the reading from the server at a time; not given: it never does. Unit: milliseconds. */
  readonly stopsFor?: number;
}

export const coalescing = <T>(): Policy<T> => ({
  name: 'coalesce',
  capacity: undefined,
  queue: () => new CoalescingQueue<T>(),
});

/** Throws InvalidOptionError. */
export const droppingOldest = <T>(options: BufferOptions): Policy<T> =>
  buffering('dropOldest', options, (capacity) => new DropOldestQueue<T>(capacity));

/** Throws InvalidOptionError. */
export const droppingNewest = <T>(options: BufferOptions): Policy<T> =>
  buffering('dropNewest', options, (capacity) => new DropNewestQueue<T>(capacity));

/** Throws InvalidOptionError. */
export const throwingIfFull = <T>(options: BufferOptions): Policy<T> =>
  buffering('throwIfFull', options, (capacity) => new BoundedQueue<T>(capacity));

/** Throws InvalidOptionError. */
export function blocking<T>(options: BlockOptions): Policy<T> {
  if (!isRecord(options)) throw new InvalidOptionError('options', options, 'give an object with a context');
  const { maxPause: stopsFor = MAX_PAUSE, context } = options;
  checkDuration('maxPause', stopsFor, 1);
  // Without one, the reading of nobody would be stopped.
  if (!isContext(context)) {
    throw new InvalidOptionError('context', context, 'give that of the informer');
  }
  return { ...buffering('block', options, (capacity) => new DropNewestQueue<T>(capacity)), stopsFor };
}

/** Throws InvalidOptionError. */
export function policyOf<T>(options: HandleOptions): Policy<T> {
  switch (options.policy) {
    case undefined:
    case 'coalesce':
      return coalescing();
    case 'dropOldest':
      return droppingOldest(options);
    case 'dropNewest':
      return droppingNewest(options);
    case 'throwIfFull':
      return throwingIfFull(options);
    case 'block':
      return blocking(options);
    default:
      throw unknownPolicy(options);
  }
}

const CAPACITY = 1024;
const MAX_PAUSE = 30_000;

function buffering<T>(
  name: string,
  options: BufferOptions,
  queueOf: (capacity: number) => Stage<T>,
): Policy<T> {
  checkOptions('options', options);
  const { capacity = CAPACITY } = options;
  checkCount('capacity', capacity, 1);
  return { name, capacity, queue: () => queueOf(capacity) };
}

const unknownPolicy = ({ policy }: { readonly policy: unknown }): InvalidOptionError =>
  new InvalidOptionError('policy', policy, 'give coalesce, dropOldest, dropNewest, throwIfFull or block');
