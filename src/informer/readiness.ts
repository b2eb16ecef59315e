import type { Phase } from '../status.ts';
import type { Source } from '../transport/source.ts';

/** Which informer it is. */
export interface InformerId {
  readonly apiVersion: string;
  readonly kind: string;
  /** `undefined`: all namespaces. */
  readonly namespace: string | undefined;
  /** Empty: everything. */
  readonly labelSelector: string;
  /** Empty: everything. */
  readonly fieldSelector: string;
  /** Its own in a factory, or empty. */
  readonly name: string;
}

export type InformerState =
  /** Nobody has subscribed to it or started it, or the last subscriber left. */
  | 'unused'
  /** `stop()` was called. */
  | 'stopped'
  /** It begins when those before it are in sync. */
  | 'queued'
  /** The first list of this run is read. */
  | 'starting'
  /** That list is in the store, and those who were subscribed are being told it. */
  | 'telling'
  /** In sync, and no watch is open: between two of them, while a list is read, or between polls. */
  | 'synced'
  /** In sync, and every change is told. */
  | 'live'
  /** It waits until it may ask the server again, because a request failed or of the rate limit. */
  | 'waiting'
  /** A subscriber stops the reading. */
  | 'blocked'
  /** It ended with an error, and does nothing until it is started again. */
  | 'failed';

/** How one informer does, and why: plain data, frozen, as JSON can show it. */
export interface Readiness extends InformerId {
  readonly state: InformerState;
  /** A sentence about it. */
  readonly reason: string;
  /** Since when it is in this state, by the clock of its scheduler. Unit: milliseconds. */
  readonly since: number;
  /** Whether the first list of this run is in the store and was told. */
  readonly synced: boolean;
  readonly phase: Phase['type'];
  /** How many objects of the list came so far, or of the last one. */
  readonly items: number;
  /** How many there are in all, where the server estimates it. */
  readonly expected: number | undefined;
  /** How many requests failed in a row. */
  readonly attempt: number;
  /** What failed last; `undefined` as soon as the server is followed again, or listed. */
  readonly lastError: { readonly code: string; readonly message: string } | undefined;
  /** How long the present wait is in all. Unit: milliseconds. */
  readonly delay: number | undefined;
  /** Since when the store may be out of date, while it runs. Unit: milliseconds. */
  readonly staleSince: number | undefined;
  /** Who stops the reading: the names of handlers with much waiting. */
  readonly blockedBy: readonly string[];
}

export const idOf = <T>({ codecOptions, namespace, selection }: Source<T>, name: string): InformerId => ({
  apiVersion: codecOptions.apiVersion,
  kind: codecOptions.kind,
  namespace: namespace === '' ? undefined : namespace,
  labelSelector: selection['labelSelector'] ?? '',
  fieldSelector: selection['fieldSelector'] ?? '',
  name,
});

/** `v1 Pod in default, app=web (mine)` */
export function titleOf({
  apiVersion,
  kind,
  namespace,
  labelSelector,
  fieldSelector,
  name,
}: InformerId): string {
  const where = namespace === undefined ? '' : ` in ${namespace}`;
  const labels = labelSelector && `, ${labelSelector}`;
  const fields = fieldSelector && `, where ${fieldSelector}`;
  return `${apiVersion} ${kind}${where}${labels}${fields}${name && ` (${name})`}`;
}

export function reasonOf(facts: Omit<Readiness, 'reason'>): string {
  const { state, items, expected, attempt, lastError, delay, blockedBy } = facts;
  switch (state) {
    case 'unused':
      return 'nobody has subscribed to it or started it';
    case 'stopped':
      return 'it was stopped';
    case 'queued':
      return 'it begins when those before it are in sync';
    case 'starting': {
      const of = expected === undefined ? '' : ` of about ${expected}`;
      const failed = lastError === undefined ? '' : `; failure ${attempt} was: ${lastError.message}`;
      return `its first list is read: ${items} objects so far${of}${failed}`;
    }
    case 'telling':
      return `its first list (${items} objects) is in the store and is being told`;
    case 'synced':
      return 'it is in sync, and no watch is open';
    case 'live':
      return 'it is live';
    case 'waiting': {
      const wait = delay === undefined ? 'it waits' : `it waits ${Number((delay / 1000).toFixed(1))} s`;
      return lastError === undefined ? wait : `${wait} after failure ${attempt}: ${lastError.message}`;
    }
    case 'blocked':
      return `its reading is stopped${blockedBy.length === 0 ? '' : ` by ${blockedBy.join(', ')}`}`;
    case 'failed':
      return `it ended: ${lastError?.message ?? 'with no error'}`;
  }
}
