import type { Entry } from '../codec/codec.ts';
import type { Change } from './change.ts';
import { isSameObject } from './identity.ts';

/** What it means that `entry` takes the place of `held`, under one key. */
export function changesBetween<T>(held: Entry<T> | undefined, entry: Entry<T>): readonly Change<T>[] {
  if (held === undefined) return [{ type: 'add', entry }];
  if (isSameObject(held, entry)) return [{ type: 'update', entry, old: held }];
  return [
    { type: 'delete', entry: held, finalStateUnknown: true },
    { type: 'add', entry },
  ];
}

/** What a list did: which entries it has not, and which it has otherwise than they were held. */
export class Difference<T> implements Iterable<Change<T>> {
  readonly #held: ReadonlyMap<string, Entry<T>>;
  readonly #gone: readonly Entry<T>[];
  readonly #changed: readonly Entry<T>[];

  /** `held`: as before the list; it must not change any more. */
  constructor(held: ReadonlyMap<string, Entry<T>>, gone: readonly Entry<T>[], changed: readonly Entry<T>[]) {
    this.#held = held;
    this.#gone = gone;
    this.#changed = changed;
  }

  get empty(): boolean {
    return this.#gone.length === 0 && this.#changed.length === 0;
  }

  /** Each change is made when it is asked for. */
  *[Symbol.iterator](): IterableIterator<Change<T>> {
    for (const entry of this.#gone) yield { type: 'delete', entry, finalStateUnknown: true };
    for (const entry of this.#changed) yield* changesBetween(this.#held.get(entry.key), entry);
  }
}
