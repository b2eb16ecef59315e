/** A map that gives its entries back in the order in which their keys came. */
export class Fifo<K, V> {
  readonly #map = new Map<K, V>();
  /** Kept from one `shift` to the next: a new iterator would have to walk over every place emptied before. */
  #oldest = this.#map.entries();

  get size(): number {
    return this.#map.size;
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  has(key: K): boolean {
    return this.#map.has(key);
  }

  /** A key that is there keeps its place. */
  set(key: K, value: V): void {
    this.#map.set(key, value);
  }

  delete(key: K): void {
    this.#map.delete(key);
  }

  /** Oldest first. */
  values(): IterableIterator<V> {
    return this.#map.values();
  }

  /** Takes the oldest value out. */
  shift(): V | undefined {
    let next = this.#oldest.next();
    if (next.done === true) {
      // An iterator that once came to the end stays there.
      this.#oldest = this.#map.entries();
      next = this.#oldest.next();
    }
    if (next.done === true) return undefined;
    const [key, value] = next.value;
    this.#map.delete(key);
    return value;
  }
}
