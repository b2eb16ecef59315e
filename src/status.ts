import type { InformerError } from './errors.ts';
import type { BacklogFacts } from './queue/backlog.ts';

/** Why the whole set is read. */
export type ListReason =
  | 'first'
  /** The version held is older than what the server remembers. */
  | 'expired'
  /** The server is behind the version held, as after a restored backup. */
  | 'server went back'
  /** Watches failed or ended at once several times in a row. */
  | 'watch keeps failing'
  /** The server did not know the kind for a while. */
  | 'kind was gone'
  /** An event could not be read, so its object may be out of date. */
  | 'unreadable event'
  /** The kind cannot be watched and is listed periodically. */
  | 'poll';

/** Where the reading of one informer stands. */
export type Phase =
  | { readonly type: 'stopped' }
  /** The informer ended with this error, and does nothing until it is started again. */
  | { readonly type: 'failed'; readonly error: InformerError }
  /** A read of the whole set begins. */
  | { readonly type: 'list'; readonly reason: ListReason; readonly mode: 'streaming' | 'paged' }
  /** A part of it came. `items`: so far; `remaining`: as the server estimates, if it does. */
  | { readonly type: 'page'; readonly items: number; readonly remaining: number | undefined }
  /** It is complete. */
  | { readonly type: 'listed'; readonly items: number; readonly version: string | undefined }
  /** A watch was asked for. */
  | { readonly type: 'watch'; readonly version: string }
  /** The server answered it: from now on every change is told. */
  | { readonly type: 'live'; readonly version: string }
  /** A watch ended without a failure. `lasted` unit: milliseconds. */
  | {
      readonly type: 'end';
      readonly reason: 'server closed it' | 'the machine slept' | 'relist due';
      readonly lasted: number;
    }
  /** Unit of `delay`: milliseconds. */
  | { readonly type: 'wait'; readonly reason: 'backoff' | 'rate limit' | 'poll'; readonly delay: number }
  /**
   * A request failed. `attempt` counts the failures since the last health; `delay` is the wait until the
   * next try (milliseconds, 0: at once, undefined: there is none, or a notifier decides).
   */
  | {
      readonly type: 'error';
      readonly error: InformerError;
      readonly attempt: number;
      readonly delay: number | undefined;
    };

export type UnblockReason =
  /** What waits is down at the low-water mark. */
  | 'caught up'
  /** It may not stop the reading any longer; above its capacity, what waits is merged by key. */
  | 'time is over'
  /** It ended, or was told everything that there will be. */
  | 'gone';

export type InformerStatus =
  | Phase
  /** A complete list is in the store and its difference was notified. */
  | { readonly type: 'applied'; readonly items: number; readonly version: string | undefined }
  /** The first list of this run is in the store, and who was subscribed then has all of its adds. */
  | { readonly type: 'synced' }
  /** Somebody who handles notifications has come to another level of what waits. */
  | { readonly type: 'backlog'; readonly backlog: BacklogFacts }
  /** Somebody stops the reading from the server, for `limit` at the most. Unit: milliseconds. */
  | { readonly type: 'blocked'; readonly limit: number; readonly backlog: BacklogFacts }
  /** And lets it go on. `lasted` unit: milliseconds. */
  | {
      readonly type: 'unblocked';
      readonly reason: UnblockReason;
      readonly lasted: number;
      readonly backlog: BacklogFacts;
    }
  /** Something could not be processed; everything else goes on. `count`: how many so far. */
  | { readonly type: 'problem'; readonly error: InformerError; readonly count: number };

/** Takes what the stages of one pipeline have to say. */
export interface StatusSink {
  report(status: InformerStatus): void;
  problem(error: InformerError): void;
  /** A byte came from the server. */
  alive(): void;
  /** A connection is looked after until then at the least; later, nobody knows about it. Unit: milliseconds. */
  watchedUntil(time: number): void;
}

const ASIDE: ReadonlySet<string> = new Set<Exclude<InformerStatus, Phase>['type']>([
  'applied',
  'synced',
  'backlog',
  'blocked',
  'unblocked',
  'problem',
]);

export const isPhase = (status: InformerStatus): status is Phase => !ASIDE.has(status.type);
