import { Observable, type Subscriber } from 'rxjs';
import { checkOptions } from '../src/checks.ts';
import { type Context, contextOf } from '../src/context.ts';
import type { Notification } from '../src/store/notification.ts';
import { requireStore, type WritableStore } from '../src/store/store.ts';
import { checkDuration } from './internal/duration.ts';
import { checkNotificationsOptions, type NotificationsOptions } from './internal/notificationsOptions.ts';
import { SharedRun, type Sharing } from './internal/sharedRun.ts';

export interface ShareNotificationsOptions {
  /** How long the source is kept after the last subscriber left. Unit: milliseconds. Default: 0. */
  readonly linger?: number | undefined;
  readonly context?: Context | undefined;
}

/** The same for all who subscribe, or `with` options of one's own. */
export class SharedNotifications<T> extends Observable<Notification<T>> {
  readonly #sharing: Sharing<T>;
  /** The one that newcomers join. */
  #run: SharedRun<T> | undefined;

  constructor(sharing: Sharing<T>) {
    super((subscriber) => {
      this.#join(subscriber, {});
    });
    this.#sharing = sharing;
  }

  /** The same source, told as this subscriber wants it. Throws InvalidOptionError. */
  with(options: NotificationsOptions): Observable<Notification<T>> {
    checkNotificationsOptions(options);
    return new Observable((subscriber) => {
      this.#join(subscriber, options);
    });
  }

  #join(subscriber: Subscriber<Notification<T>>, options: NotificationsOptions): void {
    const run = this.#run ?? this.#newRun();
    this.#run = run;
    run.join(subscriber, options);
  }

  #newRun(): SharedRun<T> {
    const run = new SharedRun(this.#sharing, () => {
      if (this.#run === run) this.#run = undefined;
    });
    return run;
  }
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
 * A subscriber that wants it otherwise subscribes to `with(options)` of what is returned; call the operator for that,
 * as `pipe` knows it as an Observable only: `shareNotifications(store)(source).with({ initial: false })`.
 *
 * Throws InvalidOptionError.
 */
export function shareNotifications<T>(
  store: WritableStore<T>,
  options: ShareNotificationsOptions = {},
): (source: Observable<Notification<T>>) => SharedNotifications<T> {
  checkOptions('options', options);
  requireStore(store);
  const { linger = 0 } = options;
  checkDuration('linger', linger, 0);
  const context = contextOf(options);
  return (source) => new SharedNotifications({ source, store, context, linger });
}
