import type { InformerStatus } from '../../status.ts';
import type { Notification } from '../../store/notification.ts';

/** What the view is made of. Unit of `at`: milliseconds. */
export type ViewEvent =
  | ({ readonly type: 'told'; readonly at: number } & Told)
  | { readonly type: 'status'; readonly at: number; readonly status: InformerStatus }
  /** Something else worth saying. */
  | { readonly type: 'note'; readonly at: number; readonly text: string }
  /** Time went on. */
  | { readonly type: 'second'; readonly at: number };

/** What of a notification is shown. */
export interface Told {
  readonly change: Change;
  readonly key: string;
  readonly version: string;
  /** A part of the first list. */
  readonly initial: boolean;
}

export type Change = Notification<unknown>['type'];

export const CHANGES = ['add', 'update', 'delete', 'sync'] as const satisfies readonly Change[];

export const toldOf = (notification: Notification<unknown>): Told => ({
  change: notification.type,
  key: notification.key,
  version: notification.entry.resourceVersion ?? '-',
  initial: notification.type === 'add' && notification.initial,
});
