import type { Entry } from '../codec/codec.ts';
import { serverName } from '../codec/serverName.ts';
import { KeyCollisionError } from '../errors.ts';

export interface KeyedEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly entry: Entry<T>;
}

/**
 * Who has which key, where keys are given by a function, or by a transform that changes names, which may give one key
 * to two objects, or another key to an object that changed.
 *
 * Guarantees for what is passed on: a key is that of one object, which keeps it as long as it is there; then the next
 * one has it. What becomes of the others is known and not told. An object with a new key goes from its old one.
 */
export class KeyOwners<T> {
  readonly #report: (error: KeyCollisionError) => void;
  /** While a set is read: who had which key in the set before. */
  #before: KeyOwners<T> | undefined;
  readonly #owners = new Map<string, Entry<T>>();
  /** By key, then by name: those that are left out. */
  readonly #others = new Map<string, Map<string, Entry<T>>>();
  readonly #keys = new Map<string, string>();
  /** The pairs that were reported. */
  readonly #reported: Set<string>;

  /** @param before Of the set before, if there was one. Who had a key there has it again, wherever it comes. */
  constructor(report: (error: KeyCollisionError) => void, before?: KeyOwners<T>) {
    this.#report = report;
    this.#before = before;
    this.#reported = before === undefined ? new Set() : before.#reported;
  }

  /** Returns what is to be passed on. */
  take(type: KeyedEvent<T>['type'], entry: Entry<T>): readonly KeyedEvent<T>[] {
    const name = serverName(entry);
    const key = this.#keys.get(name);
    if (type === 'DELETED') return this.#delete(name, key, entry);
    if (key === undefined || key === entry.key) return this.#put(type, name, entry);
    return [...this.#remove(name, key), ...this.#put('ADDED', name, entry)];
  }

  /** The set is complete: what waited for somebody who does not come any more. */
  settle(): readonly KeyedEvent<T>[] {
    const waiting = [...this.#others.keys()].filter((key) => !this.#owners.has(key));
    const settled = waiting.flatMap((key) => this.#handOn(key));
    this.#before = undefined;
    this.#forgetPairs();
    return settled;
  }

  #put(type: KeyedEvent<T>['type'], name: string, entry: Entry<T>): readonly KeyedEvent<T>[] {
    const { key } = entry;
    this.#keys.set(name, key);
    const owner = this.#owners.get(key) ?? this.#ownerBefore(key);
    if (owner !== undefined && serverName(owner) !== name) {
      const others = this.#others.get(key) ?? new Map<string, Entry<T>>();
      this.#others.set(key, others.set(name, entry));
      if (this.#owners.has(key)) this.#reportPair(key, serverName(owner), name);
      return [];
    }
    this.#owners.set(key, entry);
    for (const other of this.#others.get(key)?.keys() ?? []) this.#reportPair(key, name, other);
    return [{ type, entry }];
  }

  #ownerBefore(key: string): Entry<T> | undefined {
    return this.#before === undefined ? undefined : this.#before.#owners.get(key);
  }

  #delete(name: string, key: string | undefined, entry: Entry<T>): readonly KeyedEvent<T>[] {
    if (key === undefined) return this.#owners.has(entry.key) ? [] : [{ type: 'DELETED', entry }];
    const removed = this.#remove(name, key);
    // Its last state, unless that has another key.
    return removed.map((event) =>
      event.type === 'DELETED' && key === entry.key ? { ...event, entry } : event,
    );
  }

  #remove(name: string, key: string): readonly KeyedEvent<T>[] {
    this.#keys.delete(name);
    const owner = this.#owners.get(key);
    if (owner === undefined || serverName(owner) !== name) {
      this.#leaveOut(key, name);
      return [];
    }
    this.#owners.delete(key);
    return [{ type: 'DELETED', entry: owner }, ...this.#handOn(key)];
  }

  /** To the one that has waited longest. */
  #handOn(key: string): readonly KeyedEvent<T>[] {
    const [next] = this.#others.get(key) ?? [];
    if (next === undefined) return [];
    const [name, entry] = next;
    this.#leaveOut(key, name);
    this.#owners.set(key, entry);
    for (const other of this.#others.get(key)?.keys() ?? []) this.#reportPair(key, name, other);
    return [{ type: 'ADDED', entry }];
  }

  #leaveOut(key: string, name: string): void {
    const others = this.#others.get(key);
    others?.delete(name);
    if (others?.size === 0) this.#others.delete(key);
  }

  #reportPair(key: string, kept: string, other: string): void {
    const pair = pairOf(key, kept, other);
    if (this.#reported.has(pair)) return;
    this.#reported.add(pair);
    this.#report(new KeyCollisionError(key, kept, other));
  }

  /** Those that are none any more, or the memory would grow with each. */
  #forgetPairs(): void {
    const present = new Set<string>();
    for (const [key, others] of this.#others) {
      const owner = this.#owners.get(key);
      if (owner === undefined) continue;
      for (const other of others.keys()) present.add(pairOf(key, serverName(owner), other));
    }
    for (const pair of this.#reported) if (!present.has(pair)) this.#reported.delete(pair);
  }
}

const pairOf = (key: string, ...names: readonly string[]): string =>
  JSON.stringify([key, ...names.toSorted()]);
