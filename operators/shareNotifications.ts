import { EMPTY, type MonoTypeOperatorFunction, Subscription, share, timer, using } from 'rxjs';
import { type Context, contextOf } from '../src/context.ts';
import type { Notification } from '../src/store/notification.ts';
import type { WritableStore } from '../src/store/store.ts';
import { checkDuration } from './internal/duration.ts';
import { NotificationSubject } from './internal/notificationSubject.ts';

export interface ShareNotificationsOptions {
  /** How long the source is kept after the last subscriber left. Unit: milliseconds. Default: 0. */
  readonly linger?: number | undefined;
  readonly context?: Context | undefined;
}

/**
 * Shares one source among all subscribers: `share` with the store as its memory.
 *
 * Guarantees: one subscription to the source, ended when the last subscriber has left (and `linger` is over).
 * A subscriber that joins late gets every stored object as an add marked `initial`, in its newest state, then
 * what changes: nothing is missed, nothing comes twice. While it holds such an add it is told no more of the
 * store, only what changes. Nobody gets what the store holds from an earlier run: the first list comes first. The
 * end of the source comes after what is still to be told of the store. The status `synced` is reported once in a
 * run, when each of those who were there at the first list has it all, holds a part of it or has left.
 *
 * Throws InvalidOptionError.
 */
export function shareNotifications<T>(
  store: WritableStore<T>,
  options: ShareNotificationsOptions = {},
): MonoTypeOperatorFunction<Notification<T>> {
  const { linger = 0 } = options;
  checkDuration('linger', linger, 0);
  const context = contextOf(options);
  return (source) => {
    /** Of the newest run. */
    let subject: NotificationSubject<T> | undefined;
    const connected = using(
      () => new Subscription(subject?.connect()),
      () => source,
    );
    return connected.pipe(
      share({
        connector: () => {
          subject = new NotificationSubject(store, context);
          return subject;
        },
        resetOnError: true,
        resetOnComplete: true,
        // Where the source ended by itself, nothing is kept.
        resetOnRefCountZero:
          linger > 0 ? () => (subject?.ended === true ? EMPTY : timer(linger, context.scheduler)) : true,
      }),
    );
  };
}
