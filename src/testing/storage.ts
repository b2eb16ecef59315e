import type { ServedKind } from './kinds.ts';
import { inWireOrder, type StoredObject, withMetadata } from './objects.ts';
import type { Revision } from './revision.ts';
import { Table } from './table.ts';

export interface StorageOptions {
  /** How many changes of a kind are kept at least. */
  readonly history: number;
  readonly firstVersion: bigint;
}

/** The objects of all kinds under one sequence of versions, as etcd keeps them. Knows no rules of the API. */
export class Storage {
  readonly #tables = new Map<string, Table>();
  readonly #history: number;
  #version: bigint;
  #compacted = 0n;

  constructor({ history, firstVersion }: StorageOptions) {
    this.#history = history;
    this.#version = firstVersion;
  }

  /** Of the last change, whichever kind it was of. */
  get version(): bigint {
    return this.#version;
  }

  /** The versions of a kind share it. */
  table(kind: ServedKind): Table {
    const name = `${kind.plural}.${kind.group}`;
    let table = this.#tables.get(name);
    if (table === undefined) {
      table = new Table(this.#history, this.#compacted);
      this.#tables.set(name, table);
    }
    return table;
  }

  put(kind: ServedKind, key: string, object: StoredObject): Revision {
    this.#version += 1n;
    const stamped = withMetadata(object, { resourceVersion: String(this.#version) });
    return this.table(kind).put(key, this.#version, inWireOrder(kind, stamped));
  }

  delete(kind: ServedKind, key: string): void {
    this.#version += 1n;
    this.table(kind).delete(key, this.#version);
  }

  /** Returns the way back to what there is now, at the version of now and with no history. */
  backup(): () => void {
    const version = this.#version;
    const kept = new Map([...this.#tables].map(([name, table]) => [name, table.revisions]));
    return () => {
      this.#version = version;
      this.#compacted = version;
      for (const [name, table] of this.#tables) table.restore(kept.get(name) ?? [], version);
    };
  }

  /** Forgets all history: what is older than the present version can no longer be read. */
  compact(): void {
    this.#compacted = this.#version;
    for (const table of this.#tables.values()) table.compact(this.#compacted);
  }
}
