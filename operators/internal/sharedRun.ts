import { type Observable, type Observer, type Subscriber, Subscription } from 'rxjs';
import type { Context } from '../../src/context.ts';
import type { Notification } from '../../src/store/notification.ts';
import type { WritableStore } from '../../src/store/store.ts';
import { type End, Feed } from './feed.ts';
import type { NotificationsOptions } from './notificationsOptions.ts';
import { subscribeWithin } from './subscribeWithin.ts';

export interface Sharing<T> {
  readonly source: Observable<Notification<T>>;
  readonly store: WritableStore<T>;
  readonly context: Context;
  /** Unit: milliseconds. */
  readonly linger: number;
}

/** One subscription to the source, and all who share it, until it ends or the last of them has left. */
export class SharedRun<T> implements Observer<Notification<T>> {
  readonly #sharing: Sharing<T>;
  /** Nobody may join any more. */
  readonly #over: () => void;
  readonly #feeds = new Set<Feed<T>>();
  #connection: Subscription | undefined;
  #linger = Subscription.EMPTY;
  #listed = false;

  constructor(sharing: Sharing<T>, over: () => void) {
    this.#sharing = sharing;
    this.#over = over;
  }

  join(subscriber: Subscriber<Notification<T>>, options: NotificationsOptions): void {
    const { store, context } = this.#sharing;
    this.#linger.unsubscribe();
    const feed = new Feed(subscriber, store, context, options);
    this.#feeds.add(feed);
    subscriber.add(() => {
      this.#feeds.delete(feed);
      // First: a run that is over is in sync no more.
      if (this.#feeds.size === 0) this.#left();
      feed.close();
    });
    feed.resync();
    if (this.#listed) feed.join();
    if (this.#connection === undefined && this.#feeds.size > 0) this.#connect();
  }

  next(notification: Notification<T>): void {
    // Who joins meanwhile finds it in the store.
    for (const feed of [...this.#feeds]) feed.take(notification);
  }

  error(error: unknown): void {
    this.#end((subscriber) => {
      subscriber.error(error);
    });
  }

  complete(): void {
    this.#end((subscriber) => {
      subscriber.complete();
    });
  }

  /** It begins, with a list. */
  #connect(): void {
    const { source, store } = this.#sharing;
    const connection = new Subscription();
    this.#connection = connection;
    const forget = store.onReplaced(() => {
      forget();
      this.#firstList();
    });
    connection.add(forget);
    subscribeWithin(connection, source, this);
  }

  #left(): void {
    const { linger, context } = this.#sharing;
    if (this.#connection?.closed === true) return;
    if (linger === 0) this.#disconnect();
    else {
      this.#linger = context.scheduler.schedule(() => {
        this.#disconnect();
      }, linger);
    }
  }

  #disconnect(): void {
    this.#over();
    this.#connection?.unsubscribe();
  }

  /** Who waits joins at this revision, before its difference is told: it gets the list, not the difference. */
  #firstList(): void {
    this.#listed = true;
    const feeds = [...this.#feeds];
    let left = feeds.length;
    const synced = (): void => {
      const { status } = this.#sharing.context;
      if (left === 0 && this.#connection?.closed === false) status.report({ type: 'synced' });
    };
    for (const feed of feeds) {
      feed.join(() => {
        left -= 1;
        synced();
      });
    }
    if (feeds.length === 0) synced();
  }

  #end(end: End<T>): void {
    // First, so that whoever hears of the end and comes back begins another run, beside nothing of this one.
    this.#linger.unsubscribe();
    this.#disconnect();
    for (const feed of [...this.#feeds]) feed.end(end);
  }
}
