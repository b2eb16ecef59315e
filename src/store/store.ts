import { requireMethods } from '../checks.ts';
import type { Entry } from '../codec/codec.ts';
import type { UserFunctionError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import type { LabelSelector } from '../kubernetes/labelSelector.ts';
import type { ObjectMeta } from '../kubernetes/objects.ts';
import type { KeyDelta, Replaced } from '../queue/delta.ts';
import type { Change } from './change.ts';
import { MemoryStore } from './memoryStore.ts';

/** The values under which an object is found in one index; none is an empty array. */
export type IndexFunction<T> = (object: T, meta: ObjectMeta) => readonly string[];

/** Index functions by the name of their index. */
export type Indexers<T> = Readonly<Record<string, IndexFunction<T>>>;

export interface StoreOptions<T> {
  readonly indexers?: Indexers<T> | undefined;
  /**
   * Told of each index function that threw or returned something else than an array of strings, once for
   * each object and index. That object has no values there; the other indexes are as they should be.
   * What it throws itself becomes an uncaught exception. Default: ignored.
   */
  readonly onError?: ((error: UserFunctionError) => void) | undefined;
}

/**
 * The reading side: the objects as they were last heard of. Everything handed out is the stored entry
 * itself, whose decoded object is frozen.
 */
export interface Store<T> {
  /** How many objects are held. */
  readonly size: number;
  /** Version of the last write, list or bookmark: the last, not the largest. Opaque. */
  readonly resourceVersion: string | undefined;
  /** Counts the writes that changed something, a list being one write. */
  readonly revision: number;
  /** Whether what is held may be out of date: before the first list, after a stop and while requests fail. */
  readonly stale: boolean;
  get(key: string): Entry<T> | undefined;
  has(key: string): boolean;
  keys(): IterableIterator<string>;
  /** All entries, in a new array. */
  list(): Entry<T>[];
  /** The entries with this value, each once; none for an unknown value. Throws InvalidOptionError for an unknown index. */
  byIndex(index: string, value: string): Entry<T>[];
  /** The values that at least one object has. Throws InvalidOptionError for an unknown index. */
  indexValues(index: string): string[];
  /**
   * The values of this entry in an index: remembered for the one that is stored, else the index function is asked.
   * Throws InvalidOptionError for an unknown index.
   */
  valuesOf(index: string, entry: Entry<T>): readonly string[];
  /**
   * The entries whose labels match, found by looking at all. An entry whose metadata cannot be read matches
   * nothing. Throws InvalidOptionError for a selector that is not well-formed.
   */
  listByLabels(selector: string | LabelSelector): Entry<T>[];
  /**
   * Adds indexes; they are complete on return. Throws InvalidOptionError for a name that is taken or a value
   * that is not a function; nothing is added then.
   */
  addIndexers(indexers: Indexers<T>): void;
  /** All entries at this revision; the same snapshot as long as nothing is written. */
  snapshot(): Snapshot<T>;
}

export interface Snapshot<T> {
  readonly revision: number;
  /** Frozen. */
  readonly entries: readonly Entry<T>[];
  /** The place of a key in `entries`. */
  position(key: string): number | undefined;
}

/** The writing side; `applyToStore` is what calls it. */
export interface WritableStore<T> extends Store<T> {
  /**
   * Writes one event and returns what it changed, already stored and indexed: nothing, one change, or a
   * delete and an add where another object took the name.
   *
   * Guarantees: no object goes back to an older state of itself. A delete of an earlier object of that name
   * does not remove the present one.
   */
  apply(delta: KeyDelta<T>): readonly Change<T>[];
  /** Begins to put a complete list in the place of everything; nothing of it shows before `commit`. */
  replace(list: Replaced<T>): Replacement<T>;
  /** Nothing is new up to this version. */
  bookmark(version: string): void;
  /** Says that what is held may be out of date by now; the next list, or `markCurrent`, takes it back. */
  markStale(): void;
  /** Says that the server is followed again from where it was left. */
  markCurrent(): void;
  /** Held by who writes, while a change that shows already is still to be told. */
  readonly telling: Flow;
  /** The listener is called inside each commit, when the list shows already. It must not throw. Returns its removal. */
  onReplaced(listener: () => void): () => void;
}

/** A list on its way into the store. */
export interface Replacement<T> {
  /** Does the work of about so many items; returns whether some is left. A write in between makes it begin again. */
  step(items: number): boolean;
  /**
   * Shows the whole list at once, after the work that is left, and ends staleness. Returns the difference to
   * what was held, made as it is iterated: first the deletes, then the changes in the order of the list. An
   * unchanged object is no change, and keeps the entry it had. Calling it again does nothing more.
   */
  commit(): Iterable<Change<T>>;
}

/** Throws InvalidOptionError for what is no store. */
export function requireStore(store: unknown): void {
  requireMethods('store', store, ['apply', 'replace', 'snapshot'], 'give one made by createStore');
}

/** An empty store. Throws InvalidOptionError for an index that is not a function. */
export function createStore<T>(options: StoreOptions<T> = {}): WritableStore<T> {
  return new MemoryStore(options);
}
