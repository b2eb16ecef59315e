import type { Entry } from '../../src/codec/codec.ts';
import { Membership } from '../../src/store/membership.ts';
import type { Notification } from '../../src/store/notification.ts';
import type { Routes } from '../../src/store/routes.ts';
import { EntriesSnapshot } from '../../src/store/snapshot.ts';
import type { WritableStore } from '../../src/store/store.ts';
import type { Feed, Told } from './feed.ts';
import type { Listener } from './queryRun.ts';

/** The objects with one value in an index, as a store that has no others. */
export const partOf = <T>(store: WritableStore<T>, index: string, value: string): Told<T> => ({
  get revision() {
    return store.revision;
  },
  telling: store.telling,
  get: (key) => store.get(key),
  has(key) {
    const entry = store.get(key);
    return entry !== undefined && store.valuesOf(index, entry).includes(value);
  },
  keys: () => keysOf(store, index, value),
  snapshot: () => new EntriesSnapshot(store.revision, store.byIndex(index, value)),
});

const keysOf = <T>(store: WritableStore<T>, index: string, value: string): IterableIterator<string> =>
  store
    .byIndex(index, value)
    .map(({ key }) => key)
    .values();

/**
 * The objects with one value in an index, for all who want to be told of them. It hears of a change of one of its
 * members and of one that has the value now, and of nothing else.
 */
export class Topic<T> implements Listener<T> {
  readonly #routes: Routes<Listener<T>>;
  readonly #index: string;
  readonly #value: string;
  readonly #gone: () => void;
  readonly #membership: Membership<T>;
  readonly #feeds = new Set<Feed<T>>();

  constructor(
    store: WritableStore<T>,
    routes: Routes<Listener<T>>,
    { index, value }: { readonly index: string; readonly value: string },
    gone: () => void,
  ) {
    this.#routes = routes;
    this.#index = index;
    this.#value = value;
    this.#gone = gone;
    const matches = (entry: Entry<T>): boolean => store.valuesOf(index, entry).includes(value);
    // What the index function throws, the store reports.
    this.#membership = new Membership(matches, () => undefined, keysOf(store, index, value));
    routes.addValue(index, value, this);
    for (const key of this.#membership.keys) routes.addKey(key, this);
  }

  add(feed: Feed<T>): void {
    this.#feeds.add(feed);
  }

  delete(feed: Feed<T>): void {
    if (!this.#feeds.delete(feed) || this.#feeds.size > 0) return;
    this.#gone();
    this.#routes.deleteValue(this.#index, this.#value, this);
    for (const key of this.#membership.keys) this.#routes.deleteKey(key, this);
  }

  take(notification: Notification<T>): void {
    // The last one may have left when the same change was told to another.
    if (this.#feeds.size === 0) return;
    // What the store showed already when this began leads to the members that there are; who joined was told them.
    const told = this.#membership.told(notification);
    if (told === undefined) return;
    if (told.type === 'add') this.#routes.addKey(told.key, this);
    if (told.type === 'delete') this.#routes.deleteKey(told.key, this);
    for (const feed of [...this.#feeds]) feed.take(told);
  }
}
