import type { Entry } from '../codec/codec.ts';

/** What is to happen to one key of the cache. The names are those of client-go. */
export type KeyDelta<T> =
  | { readonly type: 'Added' | 'Updated'; readonly key: string; readonly entry: Entry<T> }
  /** `entry` is the object as it was when deleted. */
  | { readonly type: 'Deleted'; readonly key: string; readonly entry: Entry<T> }
  /** A resync: tell again what is stored. */
  | { readonly type: 'Sync'; readonly key: string };

/** A complete list: takes the place of everything held. */
export interface Replaced<T> {
  readonly type: 'Replaced';
  /** `undefined` where the server gives none. */
  readonly version: string | undefined;
  /** In the order of the list. */
  readonly entries: readonly Entry<T>[];
}

/** The server has nothing new up to this version. */
export interface Bookmark {
  readonly type: 'Bookmark';
  readonly version: string;
}

export type Delta<T> = KeyDelta<T> | Replaced<T> | Bookmark;

/** The deltas of one key, oldest first. */
export interface KeyBatch<T> {
  readonly type: 'Key';
  readonly key: string;
  readonly deltas: readonly KeyDelta<T>[];
  /**
   * Everything up to this version has left the queue with this batch. The entries may be newer: they kept a
   * place in front of what still waits. `undefined` where no version was pushed yet.
   */
  readonly version: string | undefined;
}

/** What leaves the queue in one piece. */
export type Batch<T> = Replaced<T> | Bookmark | KeyBatch<T>;

/** While anybody holds what was emitted, nothing more is emitted: how a consumer says that it is busy. */
export interface Holdable {
  /** Call it during `next`. Returns the release. */
  hold(): () => void;
}
