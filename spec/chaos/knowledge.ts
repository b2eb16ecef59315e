import { isDeepStrictEqual } from 'node:util';
import type { Entry } from '../../src/codec/codec.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { keyOf, versionOf } from '../scenario/world.ts';

/** What somebody knows of the objects of a server. */
export interface Knowledge {
  readonly name: string;
  readonly state: States;
  /** Default: it is to know all of them. */
  readonly view?: { has(object: ConfigMap): boolean; readonly keysOnly: boolean } | undefined;
}

interface States {
  readonly size: number;
  keys(): Iterable<string>;
  get(key: string): Entry<ConfigMap> | undefined;
}

export interface Differences {
  readonly lost: string[];
  readonly invented: string[];
  /** How many states of an object were looked at. */
  readonly compared: number;
}

/** Whether it has the versions of these objects, as far as it is to, and nothing else. */
export function isCurrent({ state, view }: Knowledge, objects: readonly ConfigMap[]): boolean {
  const expected = view === undefined ? objects : objects.filter((object) => view.has(object));
  return (
    state.size === expected.length &&
    expected.every((object) => {
      const held = state.get(keyOf(object));
      return held !== undefined && (view?.keysOnly || held.resourceVersion === versionOf(object));
    })
  );
}

/** What of these objects it does not have as it is, and what it has beside it, in words. */
export function differencesOf({ name, state, view }: Knowledge, objects: readonly ConfigMap[]): Differences {
  const expected = new Map<string, ConfigMap>();
  for (const object of objects) if (view?.has(object) ?? true) expected.set(keyOf(object), object);
  const isSame = (held: Entry<ConfigMap> | undefined, object: ConfigMap): boolean =>
    view?.keysOnly ? held?.uid === object.metadata?.uid : isDeepStrictEqual(held?.object, object);
  const lost = [...expected]
    .filter(([key, object]) => !isSame(state.get(key), object))
    .map(
      ([key, object]) =>
        `${name}: ${key}@${versionOf(object)} is ${state.get(key)?.resourceVersion ?? 'not there'}`,
    );
  const beside = [...state.keys()].filter((key) => !expected.has(key));
  return { lost, invented: beside.map((key) => `${name}: ${key} is still there`), compared: expected.size };
}
