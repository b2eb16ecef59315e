import { InvalidOptionError } from '../errors.ts';

/** `namespace/name`, or `name` in a cluster-scoped kind. Throws InvalidOptionError where it could not be split again. */
export function keyOf(meta: { name?: string; namespace?: string } | undefined): string {
  const { name = '', namespace = '' } = meta ?? {};
  if (name === '') throw new InvalidOptionError('metadata', meta, 'a key needs a name');
  if (name.includes('/') || namespace.includes('/')) {
    throw new InvalidOptionError('metadata', { namespace, name }, 'names and namespaces contain no slash');
  }
  return namespace === '' ? name : `${namespace}/${name}`;
}

export interface KeyParts {
  /** `undefined` in a cluster-scoped kind. */
  readonly namespace: string | undefined;
  readonly name: string;
}

/** The inverse of `keyOf`. Throws InvalidOptionError. */
export function splitKey(key: string): KeyParts {
  const parts = typeof key === 'string' ? key.split('/') : [];
  const [first, second] = parts;
  if (first === undefined || parts.length > 2 || parts.includes('')) {
    throw new InvalidOptionError('key', key, 'it is namespace/name, or name alone in a cluster-scoped kind');
  }
  return second === undefined ? { namespace: undefined, name: first } : { namespace: first, name: second };
}
