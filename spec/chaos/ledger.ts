import { isDeepStrictEqual } from 'node:util';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { keyOf, versionOf } from '../scenario/world.ts';

export type WriteType = 'create' | 'update' | 'label' | 'delete' | 'recreate' | 'touch';

/** The model: what there is according to the answers to all writes, and every state there ever was. */
export class Ledger {
  readonly objects = new Map<string, ConfigMap>();
  readonly writes: Record<WriteType, number> = {
    create: 0,
    update: 0,
    label: 0,
    delete: 0,
    recreate: 0,
    touch: 0,
  };
  readonly #states = new Set<string>();
  readonly #uids = new Set<string>();

  wrote(object: ConfigMap): void {
    this.objects.set(keyOf(object), object);
    this.#uids.add(uidOf(object));
    this.#states.add(`${uidOf(object)}@${versionOf(object)}`);
  }

  deleted(key: string): void {
    this.objects.delete(key);
  }

  /** Returns the way back to what there is now. */
  backup(): () => void {
    const kept = [...this.objects];
    return () => {
      this.objects.clear();
      for (const [key, object] of kept) this.objects.set(key, object);
    };
  }

  /** Whether that object ever had that version. */
  knows(uid: string, version: string): boolean {
    return this.#states.has(`${uid}@${version}`);
  }

  /** Whether there ever was that object. */
  knew(uid: string): boolean {
    return this.#uids.has(uid);
  }

  /** What the server has otherwise, in words. */
  differences(served: readonly ConfigMap[]): string[] {
    const byKey = new Map(served.map((object) => [keyOf(object), object]));
    const keys = new Set([...byKey.keys(), ...this.objects.keys()]);
    return [...keys]
      .filter((key) => !isDeepStrictEqual(byKey.get(key), this.objects.get(key)))
      .map((key) => `the server does not have ${key} as it was written`);
  }
}

const uidOf = ({ metadata }: ConfigMap): string => metadata?.uid ?? '';
