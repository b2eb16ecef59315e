/** Who is to hear of a change: by the key of its object, and by the values that the object has in an index. */
export class Routes<L> {
  readonly #byKey = new SetMap<L>();
  readonly #byValue = new Map<string, SetMap<L>>();

  addKey(key: string, listener: L): void {
    this.#byKey.add(key, listener);
  }

  deleteKey(key: string, listener: L): void {
    this.#byKey.delete(key, listener);
  }

  addValue(index: string, value: string, listener: L): void {
    const listeners = this.#byValue.get(index) ?? new SetMap();
    this.#byValue.set(index, listeners);
    listeners.add(value, listener);
  }

  deleteValue(index: string, value: string, listener: L): void {
    const listeners = this.#byValue.get(index);
    listeners?.delete(value, listener);
    if (listeners?.size === 0) this.#byValue.delete(index);
  }

  /** Each listener once. `valuesOf` is asked for the indexes that somebody listens to. */
  of(key: string, valuesOf: (index: string) => readonly string[]): ReadonlySet<L> {
    const found = new Set(this.#byKey.get(key));
    for (const [index, listeners] of this.#byValue) {
      for (const value of valuesOf(index)) {
        for (const listener of listeners.get(value)) found.add(listener);
      }
    }
    return found;
  }
}

/** Sets by name. An empty one takes no room. */
class SetMap<V> {
  readonly #sets = new Map<string, Set<V>>();

  get size(): number {
    return this.#sets.size;
  }

  get(name: string): Iterable<V> {
    return this.#sets.get(name) ?? [];
  }

  add(name: string, value: V): void {
    const values = this.#sets.get(name);
    if (values === undefined) this.#sets.set(name, new Set([value]));
    else values.add(value);
  }

  delete(name: string, value: V): void {
    const values = this.#sets.get(name);
    values?.delete(value);
    if (values?.size === 0) this.#sets.delete(name);
  }
}
