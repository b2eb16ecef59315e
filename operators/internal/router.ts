import { Observable, type Subscriber, type Subscription } from 'rxjs';
import type { Entry } from '../../src/codec/codec.ts';
import type { Notification } from '../../src/store/notification.ts';
import type { WritableStore } from '../../src/store/store.ts';
import { Feed } from './feed.ts';
import type { NotificationsOptions } from './notificationsOptions.ts';
import { type Ending, type Listener, type Queried, type Query, QueryRun } from './queryRun.ts';
import { partOf, type Topic } from './topic.ts';

/** Tells each subscriber of the objects it asked for, at a cost that does not depend on how many others there are. */
export class Router<T> {
  readonly #queried: Queried<T>;
  /** The one that newcomers join. */
  #run: QueryRun<T> | undefined;

  constructor(queried: Queried<T>) {
    this.#queried = queried;
  }

  /** The state of one key, then each that comes; `undefined`: it is not there. */
  byKey(key: string): Observable<Entry<T> | undefined> {
    return new Observable((subscriber) => {
      this.#join(subscriber, new KeyQuery(subscriber, this.#queried.store, key));
    });
  }

  /** The objects with this value in an index, as of a store that has no others. */
  byValue(index: string, value: string, options: NotificationsOptions): Observable<Notification<T>> {
    const { store, context } = this.#queried;
    return new Observable((subscriber) => {
      const feed = new Feed(subscriber, partOf(store, index, value), context, options);
      this.#join(subscriber, new ValueQuery(feed, index, value));
      feed.resync();
    });
  }

  #join(subscriber: Subscription, query: Query<T>): void {
    const run = this.#run ?? this.#newRun();
    this.#run = run;
    run.join(subscriber, query);
  }

  #newRun(): QueryRun<T> {
    const run = new QueryRun(this.#queried, () => {
      if (this.#run === run) this.#run = undefined;
    });
    return run;
  }
}

class KeyQuery<T> implements Query<T>, Listener<T> {
  readonly #subscriber: Subscriber<Entry<T> | undefined>;
  readonly #store: WritableStore<T>;
  readonly #key: string;
  /** The revision that it was told first. */
  #joined = Infinity;

  constructor(subscriber: Subscriber<Entry<T> | undefined>, store: WritableStore<T>, key: string) {
    this.#subscriber = subscriber;
    this.#store = store;
    this.#key = key;
  }

  join({ routes }: QueryRun<T>): void {
    routes.addKey(this.#key, this);
    this.#joined = this.#store.revision;
    this.#subscriber.next(this.#store.get(this.#key));
  }

  take({ type, revision, entry }: Notification<T>): void {
    if (type === 'sync' || revision <= this.#joined) return;
    this.#subscriber.next(type === 'delete' ? undefined : entry);
  }

  end(end: Ending): void {
    end(this.#subscriber);
  }

  leave({ routes }: QueryRun<T>): void {
    routes.deleteKey(this.#key, this);
  }
}

class ValueQuery<T> implements Query<T> {
  readonly #feed: Feed<T>;
  readonly #index: string;
  readonly #value: string;
  #topic: Topic<T> | undefined;

  constructor(feed: Feed<T>, index: string, value: string) {
    this.#feed = feed;
    this.#index = index;
    this.#value = value;
  }

  join(run: QueryRun<T>): void {
    this.#topic = run.topic(this.#index, this.#value);
    this.#topic.add(this.#feed);
    this.#feed.join();
  }

  end(end: Ending): void {
    this.#feed.end(end);
  }

  leave(): void {
    this.#topic?.delete(this.#feed);
    this.#feed.close();
  }
}
