import type { Replaced } from '../queue/delta.ts';
import type { Change } from './change.ts';
import { Comparison } from './comparison.ts';
import type { Contents } from './contents.ts';
import type { Difference } from './difference.ts';
import type { Replacement } from './store.ts';

export class ListReplacement<T> implements Replacement<T> {
  readonly #list: Replaced<T>;
  readonly #held: () => Contents<T>;
  readonly #show: (next: Contents<T>, difference: Difference<T>) => void;
  #comparison: Comparison<T>;
  #difference: Difference<T> | undefined;

  /** `held`: what the store has now; `show`: puts the new contents in its place. */
  constructor(
    list: Replaced<T>,
    held: () => Contents<T>,
    show: (next: Contents<T>, difference: Difference<T>) => void,
  ) {
    this.#list = list;
    this.#held = held;
    this.#show = show;
    this.#comparison = this.#begin();
  }

  step(items: number): boolean {
    return this.#difference === undefined && this.#valid().step(items);
  }

  commit(): Iterable<Change<T>> {
    if (this.#difference === undefined) {
      const { next, difference } = this.#valid().finish();
      this.#difference = difference;
      this.#show(next, difference);
    }
    return this.#difference;
  }

  #begin(): Comparison<T> {
    return new Comparison(this.#held(), this.#list.entries);
  }

  /** A comparison with contents that were written since is void. */
  #valid(): Comparison<T> {
    if (!this.#comparison.isWith(this.#held())) this.#comparison = this.#begin();
    return this.#comparison;
  }
}
