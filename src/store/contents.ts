import type { Entry } from '../codec/codec.ts';
import type { Index } from './indexes.ts';

/** Indexes by name. */
export type Indexes<T> = Map<string, Index<T>>;

/** Entries by key, and their indexes, always in step. */
export class Contents<T> {
  readonly #entries: Map<string, Entry<T>>;
  readonly #indexes: Indexes<T>;
  #writes = 0;

  constructor(entries: Map<string, Entry<T>>, indexes: Indexes<T>) {
    this.#entries = entries;
    this.#indexes = indexes;
  }

  get entries(): ReadonlyMap<string, Entry<T>> {
    return this.#entries;
  }

  get indexes(): ReadonlyMap<string, Index<T>> {
    return this.#indexes;
  }

  /** Grows with each write, so that who compared with these contents can tell whether it still holds. */
  get writes(): number {
    return this.#writes;
  }

  set(entry: Entry<T>): void {
    this.#writes += 1;
    this.#entries.set(entry.key, entry);
    for (const index of this.#indexes.values()) index.set(entry);
  }

  delete(key: string): void {
    this.#writes += 1;
    this.#entries.delete(key);
    for (const index of this.#indexes.values()) index.delete(key);
  }

  addIndex(name: string, index: Index<T>): void {
    this.#writes += 1;
    for (const entry of this.#entries.values()) index.set(entry);
    this.#indexes.set(name, index);
  }
}
