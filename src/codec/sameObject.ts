import { isDeepStrictEqual } from 'node:util';

interface HasObject {
  readonly object: unknown;
}

/** Whether both are readable and have the same content. The order of keys does not count. */
export function sameObject(a: HasObject, b: HasObject): boolean {
  return a.object !== undefined && isDeepStrictEqual(a.object, b.object);
}
