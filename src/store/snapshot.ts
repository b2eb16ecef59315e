import type { Entry } from '../codec/codec.ts';
import type { Snapshot } from './store.ts';

export class EntriesSnapshot<T> implements Snapshot<T> {
  readonly revision: number;
  readonly entries: readonly Entry<T>[];
  #positions: ReadonlyMap<string, number> | undefined;

  constructor(revision: number, entries: Iterable<Entry<T>>) {
    this.revision = revision;
    this.entries = Object.freeze([...entries]);
  }

  position(key: string): number | undefined {
    this.#positions ??= new Map(this.entries.map((entry, at) => [entry.key, at]));
    return this.#positions.get(key);
  }
}
