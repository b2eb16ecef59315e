import { isDeepStrictEqual } from 'node:util';

interface HasObject {
  readonly object: unknown;
}

/** Whether both are readable and have the same content. The order of keys does not count. Throws nothing. */
export function sameObject(a: HasObject, b: HasObject): boolean {
  try {
    return a.object !== undefined && isDeepStrictEqual(a.object, b.object);
  } catch {
    // Too deep for the stack: better told again than not at all.
    return false;
  }
}
