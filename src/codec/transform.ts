import { Immer } from 'immer';
import { UserFunctionError } from '../errors.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import { atOnce } from '../promises.ts';
import type { CodecOptions } from './codec.ts';
import { freezeDeep, type Objects } from './freeze.ts';
import { isNamed, type Named } from './named.ts';

// An instance of our own: what users set for theirs does not count here, and our own freeze is faster.
const immer = new Immer({ autoFreeze: false });

/** What the recipe makes of an object. Throws UserFunctionError. */
export function transformed<T>(
  object: KubernetesObject,
  recipe: NonNullable<CodecOptions<T>['transform']>,
  key: string,
  objects: Objects = 'frozen',
): T & Named {
  let result: unknown;
  try {
    const change = recipe as (draft: unknown) => unknown;
    result = immer.produce(object as T, (draft) => atOnce(change(draft)) as undefined);
    if (objects === 'frozen') freezeDeep(result);
  } catch (cause) {
    throw new UserFunctionError('transform', key, cause);
  }
  if (isNamed(result)) return result as T & Named;
  throw new UserFunctionError('transform', key, new TypeError('its result has no usable metadata.name'));
}
