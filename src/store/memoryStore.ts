import { checkFunction, checkOptions } from '../checks.ts';
import type { Entry } from '../codec/codec.ts';
import type { UserFunctionError } from '../errors.ts';
import { InvalidOptionError } from '../errors.ts';
import { Flow } from '../flow.ts';
import type { LabelSelector } from '../kubernetes/labelSelector.ts';
import { labelPredicate } from '../kubernetes/labelSelector.ts';
import type { ObjectMeta } from '../kubernetes/objects.ts';
import type { KeyDelta, Replaced } from '../queue/delta.ts';
import type { Change } from './change.ts';
import { Contents } from './contents.ts';
import type { Difference } from './difference.ts';
import { changesBetween } from './difference.ts';
import { isOlderState, isSameObject, isUnchanged } from './identity.ts';
import { Index, valuesBy } from './indexes.ts';
import { ListReplacement } from './replacement.ts';
import { EntriesSnapshot } from './snapshot.ts';
import type { Indexers, Replacement, Snapshot, StoreOptions, WritableStore } from './store.ts';

export class MemoryStore<T> implements WritableStore<T> {
  readonly telling = new Flow();
  readonly #onError: (error: UserFunctionError) => void;
  readonly #listeners = new Set<() => void>();
  #contents = new Contents<T>(new Map(), new Map());
  #resourceVersion: string | undefined;
  #revision = 0;
  #stale = true;
  #snapshot: Snapshot<T> | undefined;

  constructor(options: StoreOptions<T>) {
    checkOptions('options', options);
    const { indexers = {}, onError = ignore } = options;
    checkFunction('onError', onError);
    this.#onError = (error) => {
      try {
        onError(error);
      } catch (thrown) {
        // Not here: it would leave the write half done.
        queueMicrotask(() => {
          throw thrown;
        });
      }
    };
    this.addIndexers(indexers);
  }

  get size(): number {
    return this.#contents.entries.size;
  }

  get resourceVersion(): string | undefined {
    return this.#resourceVersion;
  }

  get revision(): number {
    return this.#revision;
  }

  get stale(): boolean {
    return this.#stale;
  }

  get(key: string): Entry<T> | undefined {
    return this.#contents.entries.get(key);
  }

  has(key: string): boolean {
    return this.#contents.entries.has(key);
  }

  keys(): IterableIterator<string> {
    return this.#contents.entries.keys();
  }

  list(): Entry<T>[] {
    return [...this.#contents.entries.values()];
  }

  byIndex(index: string, value: string): Entry<T>[] {
    return [...this.#index(index).entries(value)];
  }

  indexValues(index: string): string[] {
    return [...this.#index(index).values()];
  }

  valuesOf(index: string, entry: Entry<T>): readonly string[] {
    const found = this.#index(index);
    return this.get(entry.key) === entry ? found.heldValues(entry.key) : found.valuesOf(entry);
  }

  listByLabels(selector: string | LabelSelector): Entry<T>[] {
    const matches = labelPredicate(selector);
    return this.list().filter((entry) => {
      const meta = readableMeta(entry);
      return meta !== undefined && matches(meta.labels);
    });
  }

  addIndexers(indexers: Indexers<T>): void {
    checkOptions('indexers', indexers);
    const added = Object.entries(indexers);
    for (const [name, indexOf] of added) {
      if (!isFunction(indexOf)) {
        throw new InvalidOptionError('indexers', name, 'the value of that name must be a function');
      }
      if (this.#contents.indexes.has(name)) {
        throw new InvalidOptionError('indexers', name, 'an index of that name exists already');
      }
    }
    for (const [name, indexOf] of added) {
      this.#contents.addIndex(name, new Index(valuesBy(name, indexOf, this.#onError)));
    }
  }

  snapshot(): Snapshot<T> {
    this.#snapshot ??= new EntriesSnapshot(this.#revision, this.#contents.entries.values());
    return this.#snapshot;
  }

  apply(delta: KeyDelta<T>): readonly Change<T>[] {
    switch (delta.type) {
      case 'Added':
      case 'Updated':
        return this.#put(delta.entry);
      case 'Deleted':
        return this.#delete(delta.entry);
      case 'Sync': {
        const entry = this.get(delta.key);
        return entry === undefined ? NOTHING : [{ type: 'sync', entry }];
      }
    }
  }

  replace(list: Replaced<T>): Replacement<T> {
    return new ListReplacement(
      list,
      () => this.#contents,
      (next, difference) => {
        this.#show(next, difference, list.version);
      },
    );
  }

  bookmark(version: string | undefined): void {
    this.#resourceVersion = version;
  }

  markStale(): void {
    this.#stale = true;
  }

  markCurrent(): void {
    this.#stale = false;
  }

  onReplaced(listener: () => void): () => void {
    const registered = () => {
      listener();
    };
    this.#listeners.add(registered);
    return () => {
      this.#listeners.delete(registered);
    };
  }

  #put(entry: Entry<T>): readonly Change<T>[] {
    const held = this.get(entry.key);
    if (held !== undefined && isSameObject(held, entry) && isOlderState(entry, held)) return NOTHING;
    this.#noteVersion(entry);
    if (held !== undefined && isUnchanged(held, entry)) return NOTHING;
    held?.verify();
    this.#contents.set(entry);
    this.#written();
    return changesBetween(held, entry);
  }

  #delete(entry: Entry<T>): readonly Change<T>[] {
    const held = this.get(entry.key);
    const same = held === undefined || isSameObject(held, entry);
    // The delete of an object that had the name before.
    if (!same && isOlderState(entry, held)) return NOTHING;
    this.#noteVersion(entry);
    if (held === undefined) return NOTHING;
    held.verify();
    this.#contents.delete(entry.key);
    this.#written();
    // A later object of that name came and went, so the end of the one held was missed.
    return [
      same
        ? { type: 'delete', entry, finalStateUnknown: false }
        : { type: 'delete', entry: held, finalStateUnknown: true },
    ];
  }

  #show(next: Contents<T>, difference: Difference<T>, version: string | undefined): void {
    this.#contents = next;
    this.#resourceVersion = version;
    this.#stale = false;
    if (!difference.empty) this.#written();
    for (const listener of [...this.#listeners]) listener();
  }

  #noteVersion({ resourceVersion }: Entry<T>): void {
    this.#resourceVersion = resourceVersion ?? this.#resourceVersion;
  }

  #written(): void {
    this.#revision += 1;
    this.#snapshot = undefined;
  }

  #index(name: string): Index<T> {
    const index = this.#contents.indexes.get(name);
    if (index !== undefined) return index;
    const names = [...this.#contents.indexes.keys()];
    throw new InvalidOptionError(
      'index',
      name,
      names.length === 0 ? 'there are no indexes' : `there are: ${names.join(', ')}`,
    );
  }
}

const NOTHING: readonly never[] = Object.freeze([]);

const readableMeta = ({ meta }: Entry<unknown>): ObjectMeta | undefined => meta;

const isFunction = (value: unknown): boolean => typeof value === 'function';

const ignore = (): void => undefined;
