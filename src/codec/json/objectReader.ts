import { DecodeError } from '../../errors.ts';
import type { KubernetesObject } from '../../kubernetes/objects.ts';
import type { CodecOptions, Entry } from '../codec.ts';
import { entryOf } from '../entry.ts';
import { usualKey } from '../keyFor.ts';
import { transformed } from '../transform.ts';
import { scanIdentity } from './identity.ts';
import { JsonEntry } from './jsonEntry.ts';
import type { ObjectBytes } from './object.ts';
import { decodeObject, isTable, parseObject } from './object.ts';

/** Makes entries of the bytes of single objects. */
export class ObjectReader<T> {
  readonly #options: CodecOptions<T>;

  constructor(options: CodecOptions<T>) {
    this.#options = options;
  }

  /**
   * Copies what it needs of the bytes.
   * Throws DecodeError for an object without identity, and UserFunctionError.
   *
   * @param at Where in the bytes the object begins.
   * @param position Where in the body the bytes begin.
   */
  read(source: ObjectBytes, at: number, position: number): Entry<T> {
    const identity = scanIdentity(source.bytes, at, source.bytes.length);
    if (identity === undefined) throw unidentified(source, position);
    const { key, transform } = this.#options;
    if (transform === undefined) return new JsonEntry(identity, source, position, this.#options);
    const usual = usualKey(identity);
    return entryOf(transformed(this.#decode(source, position, usual), transform, usual), { key, identity });
  }

  /** The usual key of an object that cannot be read, if its bytes, or the beginning of them, tell it. */
  keyIn(bytes: Uint8Array, at: number): string | undefined {
    const identity = scanIdentity(bytes, at, bytes.length);
    return identity && usualKey(identity);
  }

  #decode(source: ObjectBytes, position: number, key: string): KubernetesObject {
    try {
      return decodeObject(source, this.#options);
    } catch (cause) {
      throw new DecodeError('its body is damaged', position, key, cause);
    }
  }
}

function unidentified(source: ObjectBytes, position: number): DecodeError {
  let object: unknown;
  try {
    object = parseObject(source);
  } catch (cause) {
    return new DecodeError('it is not JSON', position, undefined, cause);
  }
  return new DecodeError(
    isTable(object) ? 'it is a Table, not an object of its kind' : 'it has no usable metadata.name',
    position,
  );
}
