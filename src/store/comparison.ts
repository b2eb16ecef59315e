import type { Entry } from '../codec/codec.ts';
import type { Indexes } from './contents.ts';
import { Contents } from './contents.ts';
import { Difference } from './difference.ts';
import { isUnchanged } from './identity.ts';

/** Builds what a list brings aside, and collects how it differs from what is held. */
export class Comparison<T> {
  readonly #held: Contents<T>;
  readonly #writes: number;
  readonly #entries = new Map<string, Entry<T>>();
  /** How many of the keys held the list has, too. */
  #met = 0;
  readonly #gone: Entry<T>[] = [];
  #changed: Entry<T>[] = [];
  /** Built aside, if there is much to change in them. */
  #indexes: Indexes<T> | undefined;
  readonly #work: Iterator<void>;

  /** `list`: what takes the place of what is held. */
  constructor(held: Contents<T>, list: readonly Entry<T>[]) {
    this.#held = held;
    this.#writes = held.writes;
    this.#work = this.#compare(list);
  }

  isWith(contents: Contents<T>): boolean {
    return contents === this.#held && contents.writes === this.#writes;
  }

  step(items: number): boolean {
    for (let left = items; left > 0; left -= 1) {
      if (this.#work.next().done === true) return false;
    }
    return true;
  }

  /** What was held must not be used after this. */
  finish(): { next: Contents<T>; difference: Difference<T> } {
    this.step(Infinity);
    const next = new Contents(this.#entries, this.#indexes ?? this.#changeIndexes());
    return { next, difference: new Difference(this.#held.entries, this.#gone, this.#changed) };
  }

  /** Pauses after each item. */
  *#compare(list: readonly Entry<T>[]): Generator<void> {
    for (const entry of list) {
      this.#compareEntry(entry);
      yield;
    }
    // A key function may give one key twice: the last entry counts.
    if (this.#entries.size < list.length) this.#changed = [...new Set(this.#changed)].filter(this.#isNext);

    if (this.#met < this.#held.entries.size) {
      for (const [key, entry] of this.#held.entries) {
        if (!this.#entries.has(key)) {
          entry.verify();
          this.#gone.push(entry);
        }
        yield;
      }
    }

    if (this.#gone.length + this.#changed.length <= FEW) return;
    const indexes = [...this.#held.indexes].map(([name, held]) => ({ name, held, next: held.emptied() }));
    for (const entry of this.#entries.values()) {
      const kept = this.#held.entries.get(entry.key) === entry;
      for (const { held, next } of indexes) {
        if (kept) next.carry(entry, held);
        else next.set(entry);
      }
      yield;
    }
    this.#indexes = new Map(indexes.map(({ name, next }) => [name, next]));
  }

  #compareEntry(entry: Entry<T>): void {
    const held = this.#held.entries.get(entry.key);
    held?.verify();
    const unchanged = held !== undefined && isUnchanged(held, entry);
    const { size } = this.#entries;
    this.#entries.set(entry.key, unchanged ? held : entry);
    if (!unchanged) this.#changed.push(entry);
    if (held !== undefined && this.#entries.size > size) this.#met += 1;
  }

  readonly #isNext = (entry: Entry<T>): boolean => this.#entries.get(entry.key) === entry;

  #changeIndexes(): Indexes<T> {
    const indexes = new Map(this.#held.indexes);
    for (const index of indexes.values()) {
      for (const { key } of this.#gone) index.delete(key);
      for (const entry of this.#changed) index.set(entry);
    }
    return indexes;
  }
}

/** So many changes are made within one commit, index functions included, without anybody noticing. */
const FEW = 100;
