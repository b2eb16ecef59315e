import { type Observable, type Observer, Subscription } from 'rxjs';
import type { Context } from '../../src/context.ts';
import type { Notification } from '../../src/store/notification.ts';
import { Routes } from '../../src/store/routes.ts';
import type { WritableStore } from '../../src/store/store.ts';
import { inSlices } from './inSlices.ts';
import type { NotificationsOptions } from './notificationsOptions.ts';
import { subscribeWithin } from './subscribeWithin.ts';
import { Topic } from './topic.ts';

/** What queries are put to. */
export interface Queried<T> {
  readonly source: (options: NotificationsOptions) => Observable<Notification<T>>;
  readonly store: WritableStore<T>;
  readonly context: Context;
}

export type Ending = (subscriber: Pick<Observer<never>, 'error' | 'complete'>) => void;

/** One subscriber that hears of some objects only. */
export interface Query<T> {
  /** The first list of this run is in the store. */
  join(run: QueryRun<T>): void;
  end(end: Ending): void;
  leave(run: QueryRun<T>): void;
}

export interface Listener<T> {
  take(notification: Notification<T>): void;
}

/** One subscription to the notifications, for all who hear of some objects only, until the last of them has left. */
export class QueryRun<T> implements Observer<Notification<T>> {
  readonly routes = new Routes<Listener<T>>();
  readonly #queried: Queried<T>;
  /** Nobody may join any more. */
  readonly #over: () => void;
  readonly #queries = new Set<Query<T>>();
  /** For the first list. */
  readonly #waiting = new Set<Query<T>>();
  /** By index and value. */
  readonly #topics = new Map<string, Topic<T>>();
  readonly #connection = new Subscription();
  #connected = false;
  #listed = false;

  constructor(queried: Queried<T>, over: () => void) {
    this.#queried = queried;
    this.#over = over;
  }

  join(subscriber: Subscription, query: Query<T>): void {
    this.#queries.add(query);
    subscriber.add(() => {
      this.#leave(query);
    });
    if (this.#listed) query.join(this);
    else this.#waiting.add(query);
    if (!this.#connected) this.#connect();
  }

  /** The one for this value, made when it is first asked for. */
  topic(index: string, value: string): Topic<T> {
    const name = JSON.stringify([index, value]);
    const { store } = this.#queried;
    const topic =
      this.#topics.get(name) ??
      new Topic(store, this.routes, { index, value }, () => {
        this.#topics.delete(name);
      });
    this.#topics.set(name, topic);
    return topic;
  }

  next(notification: Notification<T>): void {
    const { type, key, entry } = notification;
    const { store } = this.#queried;
    const valuesOf = (index: string): readonly string[] =>
      type === 'delete' ? [] : store.valuesOf(index, entry);
    for (const listener of this.routes.of(key, valuesOf)) listener.take(notification);
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

  #connect(): void {
    this.#connected = true;
    const source = this.#queried.source({
      initial: false,
      onSynced: () => {
        this.#firstList();
      },
    });
    subscribeWithin(this.#connection, source, this);
  }

  /** Each joins at the revision that the store has by its turn. */
  #firstList(): void {
    this.#listed = true;
    const step = (): boolean => {
      const [query] = this.#waiting;
      if (query === undefined) return false;
      this.#waiting.delete(query);
      query.join(this);
      return true;
    };
    inSlices(this.#queried.context.scheduler, this.#connection, step, () => undefined);
  }

  #leave(query: Query<T>): void {
    this.#waiting.delete(query);
    if (!this.#queries.delete(query)) return;
    query.leave(this);
    if (this.#queries.size === 0) this.#disconnect();
  }

  #disconnect(): void {
    this.#over();
    this.#connection.unsubscribe();
  }

  #end(end: Ending): void {
    // First, so that whoever hears of the end and comes back begins another run.
    this.#disconnect();
    for (const query of [...this.#queries]) query.end(end);
  }
}
