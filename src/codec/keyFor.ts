import { UserFunctionError } from '../errors.ts';
import { keyOf } from '../kubernetes/key.ts';
import type { ObjectMeta } from '../kubernetes/objects.ts';
import { atOnce } from '../promises.ts';
import type { EntryError, KeyFunction } from './codec.ts';

interface Keyed<T> {
  readonly meta: ObjectMeta;
  readonly object: T;
  /** Set where `meta` or `object` turned out not to be readable. */
  readonly error: EntryError | undefined;
}

interface NameInNamespace {
  readonly name: string;
  readonly namespace: string | undefined;
}

/** `namespace/name`, or `name`. */
export function usualKey({ name, namespace = '' }: NameInNamespace): string {
  return keyOf({ name, namespace });
}

/**
 * The key of an object: by the user's function, else `namespace/name`. Throws UserFunctionError, or
 * DecodeError where the function fails on a damaged object.
 */
export function keyFor<T>(
  identity: NameInNamespace,
  object: Keyed<T>,
  key: KeyFunction<T> | undefined,
): string {
  const usual = usualKey(identity);
  if (key === undefined) return usual;

  let result: unknown;
  try {
    result = atOnce(key(object));
  } catch (cause) {
    throw object.error ?? new UserFunctionError('key', usual, cause);
  }
  if (typeof result === 'string' && result !== '') return result;
  throw new UserFunctionError('key', usual, new TypeError('a key is a string that is not empty'));
}
