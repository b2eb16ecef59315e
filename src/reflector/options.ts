import { InvalidOptionError } from '../errors.ts';

export interface ReflectorOptions {
  /** Objects a page. Default: 500. */
  readonly pageSize?: number | undefined;
  /** Ask for a streaming list first. Default: true. */
  readonly streamingList?: boolean | undefined;
  /** List at this period what cannot be watched. Unit: milliseconds. Default: never, such a kind is an error. */
  readonly poll?: number | undefined;
  /** A watch ends by itself after a random time in [this, 2 × this). Unit: seconds. Default: 300. */
  readonly watchTimeout?: number | undefined;
}

const DAY = 86_400;

/** Throws InvalidOptionError for what would ask for nothing, or without end. */
export function checkReflectorOptions({
  pageSize = 500,
  streamingList = true,
  poll = 1,
  watchTimeout = 300,
}: ReflectorOptions): void {
  if (!Number.isSafeInteger(pageSize) || pageSize < 1) {
    throw new InvalidOptionError('pageSize', pageSize, 'give a whole number of 1 or more');
  }
  if (typeof streamingList !== 'boolean') {
    throw new InvalidOptionError('streamingList', streamingList, 'give true or false');
  }
  if (!(Number.isFinite(poll) && poll >= 1 && poll <= DAY * 1_000)) {
    throw new InvalidOptionError('poll', poll, `give milliseconds from 1 to ${DAY * 1_000}`);
  }
  if (!(Number.isFinite(watchTimeout) && watchTimeout >= 1 && watchTimeout <= DAY)) {
    throw new InvalidOptionError('watchTimeout', watchTimeout, `give seconds from 1 to ${DAY}`);
  }
}
