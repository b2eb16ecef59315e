import { Immer } from 'immer';
import { UserFunctionError } from '../errors.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import type { CodecOptions } from './codec.ts';
import { freezeDeep } from './freeze.ts';
import { isNamed } from './named.ts';

// An instance of our own: what users set for theirs does not count here, and our own freeze is faster.
const immer = new Immer({ autoFreeze: false });

/** What the recipe makes of an object, frozen. Throws UserFunctionError. */
export function transformed<T>(
  object: KubernetesObject,
  recipe: NonNullable<CodecOptions<T>['transform']>,
  key: string,
): T {
  let result: unknown;
  try {
    result = freezeDeep(immer.produce(object as T, recipe as (draft: unknown) => void));
  } catch (cause) {
    throw new UserFunctionError('transform', key, cause);
  }
  if (isNamed(result)) return result as T;
  throw new UserFunctionError('transform', key, new TypeError('its result has no usable metadata.name'));
}
