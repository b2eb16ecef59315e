import type { BacklogFacts } from '../../queue/backlog.ts';
import type { InformerStatus, ListReason, UnblockReason } from '../../status.ts';
import { count, counted, duration, plain } from './text.ts';

const WHY: Readonly<Record<ListReason, string>> = {
  first: 'for the first time',
  expired: 'since the server forgot the version held',
  'server went back': 'since the server is behind the version held',
  'watch keeps failing': 'since the watch keeps failing',
  'kind was gone': 'since the kind was gone for a while',
  'unreadable event': 'since an event could not be read',
  poll: 'as it does periodically',
};

/** What an informer reports, as a sentence without its full stop. */
export function statusText(status: InformerStatus): string {
  switch (status.type) {
    case 'stopped':
      return 'stopped';
    case 'failed':
      return `ended: ${plain(status.error.message)}`;
    case 'list':
      return `listing (${status.mode}) ${WHY[status.reason]}`;
    case 'page':
      return progressText(status.items, status.remaining);
    case 'listed':
      return `the list is complete: ${counted(status.items, 'object')} at version ${versionText(status.version)}`;
    case 'watch':
      return `asking for a watch from version ${plain(status.version)}`;
    case 'live':
      return `live from version ${plain(status.version)}`;
    case 'end':
      return `the watch ended after ${duration(status.lasted)}: ${status.reason}`;
    case 'wait':
      return `waiting ${duration(status.delay)}: ${status.reason}`;
    case 'error':
      return `${plain(status.error.message)}; ${nextTry(status.delay)}`;
    case 'applied':
      return `the store holds ${counted(status.items, 'object')} at version ${versionText(status.version)}`;
    case 'synced':
      return 'in sync';
    case 'backlog':
      return `${backlogText(status.backlog)}: ${status.backlog.level}`;
    case 'blocked':
      return `${backlogText(status.backlog)}, so nothing is read for up to ${duration(status.limit)}`;
    case 'unblocked':
      return `reading again after ${duration(status.lasted)}: ${plain(status.backlog.name)} ${UNBLOCKED[status.reason]}`;
    case 'problem':
      return `problem ${count(status.count)}: ${plain(status.error.message)}`;
  }
}

/** Whether it is worth a line to somebody who did not ask for every step. */
export function isNews(status: InformerStatus): boolean {
  switch (status.type) {
    case 'error':
      // What is tried again at once is a step on the way.
      return status.delay !== 0;
    case 'list':
    case 'page':
    case 'synced':
    case 'live':
    case 'blocked':
    case 'problem':
      return true;
    default:
      return false;
  }
}

function progressText(items: number, remaining: number | undefined): string {
  const soFar = `${counted(items, 'object')} so far`;
  return remaining === undefined || remaining === 0 ? soFar : `${soFar}, ${count(remaining)} to come`;
}

function nextTry(delay: number | undefined): string {
  if (delay === undefined) return 'this is the end';
  return delay === 0 ? 'trying again at once' : `trying again in ${duration(delay)}`;
}

const UNBLOCKED: Readonly<Record<UnblockReason, string>> = {
  'caught up': 'has caught up',
  'time is over': 'may stop it no longer',
  gone: 'is done',
};

const backlogText = ({ name, length, lag, lost }: BacklogFacts): string =>
  `${plain(name)} is ${counted(length, 'notification')} and ${duration(lag)} behind, ${count(lost)} lost`;

const versionText = (version: string | undefined): string => plain(version ?? 'unknown');
