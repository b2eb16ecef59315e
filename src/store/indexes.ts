import type { Entry } from '../codec/codec.ts';
import { UserFunctionError } from '../errors.ts';
import { atOnce } from '../promises.ts';
import type { IndexFunction } from './store.ts';

/**
 * One index: from each value to the entries that have it.
 *
 * It remembers the values of each key, so that an entry is taken out again without asking the user's
 * function, which may answer differently by then.
 */
export class Index<T> {
  readonly #valuesOf: (entry: Entry<T>) => readonly string[];
  /** By key. */
  readonly #values = new Map<string, readonly string[]>();
  /** By value, then by key. */
  readonly #entries = new Map<string, Map<string, Entry<T>>>();

  constructor(valuesOf: (entry: Entry<T>) => readonly string[]) {
    this.#valuesOf = valuesOf;
  }

  /** The same index without content. */
  emptied(): Index<T> {
    return new Index(this.#valuesOf);
  }

  set(entry: Entry<T>): void {
    this.#place(entry, this.#valuesOf(entry));
  }

  /** As `set`, for an entry that `other` has already. */
  carry(entry: Entry<T>, other: Index<T>): void {
    this.#place(entry, other.#values.get(entry.key) ?? NONE);
  }

  delete(key: string): void {
    for (const value of this.#values.get(key) ?? NONE) this.#remove(value, key);
    this.#values.delete(key);
  }

  /** The values that an entry has. */
  values(): Iterable<string> {
    return this.#entries.keys();
  }

  /** Those that the entry of this key was placed under. */
  heldValues(key: string): readonly string[] {
    return this.#values.get(key) ?? NONE;
  }

  /** Asks the user's function. */
  valuesOf(entry: Entry<T>): readonly string[] {
    return this.#valuesOf(entry);
  }

  entries(value: string): Iterable<Entry<T>> {
    return this.#entries.get(value)?.values() ?? NONE;
  }

  #place(entry: Entry<T>, values: readonly string[]): void {
    for (const value of this.#values.get(entry.key) ?? NONE) {
      if (!values.includes(value)) this.#remove(value, entry.key);
    }
    for (const value of values) this.#add(value, entry);
    if (values.length > 0) this.#values.set(entry.key, values);
    else this.#values.delete(entry.key);
  }

  #add(value: string, entry: Entry<T>): void {
    const entries = this.#entries.get(value);
    if (entries === undefined) this.#entries.set(value, new Map([[entry.key, entry]]));
    else entries.set(entry.key, entry);
  }

  #remove(value: string, key: string): void {
    const entries = this.#entries.get(value);
    entries?.delete(key);
    if (entries?.size === 0) this.#entries.delete(value);
  }
}

/**
 * The values of an entry by a user's function. A function that throws, or returns anything but an array of
 * strings, is reported once for each entry, and that entry has no values.
 */
export function valuesBy<T>(
  name: string,
  indexOf: IndexFunction<T>,
  onError: (error: UserFunctionError) => void,
): (entry: Entry<T>) => readonly string[] {
  const reported = new WeakSet<Entry<T>>();
  return (entry) => {
    const { object, meta } = entry;
    // The body is damaged; the entry says why.
    if (object === undefined) return NONE;
    try {
      return distinct(atOnce(indexOf(object, meta)));
    } catch (cause) {
      if (!reported.has(entry)) {
        reported.add(entry);
        onError(new UserFunctionError(`index ${name}`, entry.key, cause));
      }
      return NONE;
    }
  };
}

const NONE: readonly never[] = Object.freeze([]);

/** A copy, since the user's array stays the user's. */
function distinct(values: unknown): readonly string[] {
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) {
    throw new TypeError('it returned something else than an array of strings');
  }
  return values.length > 1 ? [...new Set(values)] : [...values];
}
