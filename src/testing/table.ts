import type { StoredObject } from './objects.ts';
import { Change, Revision } from './revision.ts';

/** Thrown for a version whose history is gone. */
export class CompactedError extends Error {
  /** The oldest version that can still be read. */
  readonly oldest: bigint;

  constructor(oldest: bigint) {
    super(`the history before ${String(oldest)} is gone`);
    this.oldest = oldest;
  }
}

/** All objects of one kind with their history, sorted by key as etcd does. */
export class Table {
  readonly #revisions = new Map<string, Revision>();
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #capacity: number;
  #history: Change[] = [];
  #oldest: bigint;
  #sorted: readonly Revision[] | undefined;
  #snapshot: { readonly version: bigint; readonly revisions: readonly Revision[] } | undefined;

  /** Of the history at least `capacity` changes are kept. The table knows nothing from before `oldest`. */
  constructor(capacity: number, oldest: bigint) {
    this.#capacity = capacity;
    this.#oldest = oldest;
  }

  /** The oldest version that can still be read. */
  get oldest(): bigint {
    return this.#oldest;
  }

  get(key: string): Revision | undefined {
    return this.#revisions.get(key);
  }

  /** Sorted by key. */
  get revisions(): readonly Revision[] {
    this.#sorted ??= [...this.#revisions.values()].sort(byKey);
    return this.#sorted;
  }

  /** As `revisions` was at that version. Errors: CompactedError. */
  revisionsAt(version: bigint): readonly Revision[] {
    const later = this.changesAfter(version);
    if (later.length === 0) return this.revisions;
    if (this.#snapshot?.version !== version) this.#snapshot = { version, revisions: this.#before(later) };
    return this.#snapshot.revisions;
  }

  /** Oldest first. Errors: CompactedError. */
  changesAfter(version: bigint): readonly Change[] {
    if (version < this.#oldest) throw new CompactedError(this.#oldest);
    const next = this.#history.findLastIndex((change) => change.version <= version) + 1;
    return this.#history.slice(next);
  }

  put(key: string, version: bigint, object: StoredObject): Revision {
    const revision = new Revision(key, version, object);
    this.#record(new Change(version, this.#revisions.get(key), revision), key);
    return revision;
  }

  delete(key: string, version: bigint): void {
    this.#record(new Change(version, this.#revisions.get(key), undefined), key);
  }

  /** Forgets the history up to and with that version. */
  compact(version: bigint): void {
    this.#history = this.#history.filter((change) => change.version > version);
    this.#snapshot = undefined;
    if (version > this.#oldest) this.#oldest = version;
  }

  /** These and no others, at that version and with no history. Who listens is told nothing. */
  restore(revisions: readonly Revision[], version: bigint): void {
    this.#revisions.clear();
    for (const revision of revisions) this.#revisions.set(revision.key, revision);
    this.#history = [];
    this.#sorted = undefined;
    this.#snapshot = undefined;
    this.#oldest = version;
  }

  /** Is told of each change once it can be read; returns the way to stop that. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #record(change: Change, key: string): void {
    if (change.current === undefined) this.#revisions.delete(key);
    else this.#revisions.set(key, change.current);
    this.#sorted = undefined;
    this.#history.push(change);
    this.#forgetSurplus();
    for (const listener of this.#listeners) listener(change);
  }

  /** In steps of the whole capacity, so that the cost for a change stays constant. */
  #forgetSurplus(): void {
    if (this.#history.length < 2 * this.#capacity) return;
    this.#history = this.#history.slice(-this.#capacity);
    const [first] = this.#history;
    if (first !== undefined) this.#oldest = first.version - 1n;
  }

  #before(later: readonly Change[]): readonly Revision[] {
    const revisions = new Map(this.#revisions);
    for (const { previous, current } of later.toReversed()) {
      if (previous !== undefined) revisions.set(previous.key, previous);
      else if (current !== undefined) revisions.delete(current.key);
    }
    return [...revisions.values()].sort(byKey);
  }
}

const byKey = (a: Revision, b: Revision): number => (a.key < b.key ? -1 : 1);
