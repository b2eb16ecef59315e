import { type Draft, Immer } from 'immer';
import { isRecord } from '../checks.ts';
import { freezeDeep } from '../codec/freeze.ts';
import { InvalidOptionError, RecipeError } from '../errors.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import { ignore, isPromise } from '../promises.ts';
import { type JsonPatch, jsonPatchBetween } from './jsonPatch.ts';
import { notPlainIn } from './plainData.ts';

/** Changes its draft, or returns another object. It must not be async. */
export type Recipe<T> = ((draft: Draft<T>) => T | Draft<T>) | ((draft: Draft<T>) => void);

export interface Mutation<T> {
  /** What the recipe made of it, frozen; the same object where that is no change. */
  readonly object: T;
  /** What makes the one of the other; empty where nothing changed. */
  readonly patch: JsonPatch;
}

// An instance of our own: what users set for theirs does not count here, and our own freeze is faster.
const immer = new Immer({ autoFreeze: false });

/**
 * Changes a copy of an object, such as a frozen one of the store, by an immer recipe, and says so as a JSON Patch
 * (RFC 6902) for the server.
 *
 * Guarantees: `object` is what it was. The patch begins with a test of `/metadata/resourceVersion`: the server
 * refuses it if its object is another one by now, also one that took the name, since no two states have the same
 * version. Applied to `object`, it gives the new one.
 *
 * Errors: InvalidOptionError for an object without resourceVersion, or that is no plain data; RecipeError for a
 * recipe that is async, makes what is no JSON, or another apiVersion, kind, name, namespace, uid or
 * resourceVersion. What the recipe throws passes through.
 */
export function mutate<T extends KubernetesObject>(object: T, recipe: Recipe<T>): Mutation<T> {
  if (typeof recipe !== 'function') throw new InvalidOptionError('recipe', recipe, 'give a function');
  const version = versionOf(object);
  const made = madeBy(object, recipe);
  if (made !== object) checkMade(object, made);
  const operations = jsonPatchBetween(object, made);
  if (operations.length === 0) return { object, patch: [] };
  const guard = { op: 'test', path: '/metadata/resourceVersion', value: version } as const;
  return { object: freezeDeep(made), patch: [guard, ...operations] };
}

function versionOf(object: KubernetesObject): string {
  const problem = notPlainIn(object);
  if (problem !== undefined) {
    const { path, what } = problem;
    const wayOut = 'give plain data, as the store has it; toWire makes it of what client-node reads';
    throw new InvalidOptionError(`object${path}`, what, wayOut);
  }
  const version = (object as KubernetesObject | null)?.metadata?.resourceVersion;
  if (typeof version === 'string' && version !== '') return version;
  const wayOut = 'a patch is for one version of an object, so give it as the server answered it';
  throw new InvalidOptionError('object/metadata/resourceVersion', version, wayOut);
}

function madeBy<T extends KubernetesObject>(object: T, recipe: Recipe<T>): T {
  const { name } = object.metadata ?? {};
  const run = { returned: false };
  try {
    return immer.produce(object, (draft) => {
      const result: unknown = recipe(draft);
      run.returned = true;
      if (isPromise(result)) {
        // It goes on with a draft that is no longer one; that is told here, once.
        ignore(result);
        throw new RecipeError(
          name,
          'it is async; await what it needs before, and change the draft in one go',
        );
      }
      return result as undefined;
    });
  } catch (error) {
    if (!run.returned || error instanceof RecipeError) throw error;
    throw new RecipeError(
      name,
      'it both changed its draft and returned another object; do one of them',
      error,
    );
  }
}

/** What an object is known by, as the members of a path. */
const IDENTITY = [
  ['apiVersion'],
  ['kind'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
  ['metadata', 'uid'],
  ['metadata', 'resourceVersion'],
] as const;

function checkMade(object: KubernetesObject, made: unknown): void {
  const { name } = object.metadata ?? {};
  const problem = notPlainIn(made);
  if (problem !== undefined) {
    const { path, what } = problem;
    throw new RecipeError(name, `${path === '' ? 'its result' : path} is ${what}, which JSON cannot say`);
  }
  for (const path of IDENTITY) {
    if (memberOf(made, path) === memberOf(object, path)) continue;
    throw new RecipeError(name, `it changes /${path.join('/')}, by which the object is known`);
  }
}

const memberOf = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((at, member) => (isRecord(at) ? at[member] : undefined), value);
