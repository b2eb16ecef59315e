import { DecodeError } from '../../errors.ts';
import type { KubernetesObject } from '../../kubernetes/objects.ts';
import type { CodecOptions, Entry } from '../codec.ts';
import { ObjectEntry } from '../entry.ts';
import { usualKey } from '../keyFor.ts';
import { type Omission, parseOmit } from '../omit.ts';
import { Sample } from '../sample.ts';
import { withServerName } from '../serverName.ts';
import { transformed } from '../transform.ts';
import { Beginnings } from './beginnings.ts';
import { NOWHERE } from './bytes.ts';
import { foreignType } from './foreignType.ts';
import { hold } from './held.ts';
import { type ScannedIdentity, scanIdentity, scanMetadata } from './identity.ts';
import { JsonEntry } from './jsonEntry.ts';
import type { ObjectBytes } from './object.ts';
import { decodeObject, isTable, parseObject } from './object.ts';
import { type Cuts, copyWithout, cutBefore, cutsIn } from './trim.ts';

/** Of so many objects that are only checked, one is. */
const SAMPLED = 64;

/** Makes entries of the bytes of single objects. */
export class ObjectReader<T> {
  readonly #options: CodecOptions<T>;
  readonly #omission: Omission | undefined;
  readonly #beginnings: Beginnings;
  #count = 0;

  /** Throws InvalidOptionError for paths of `omit` that are none. */
  constructor(options: CodecOptions<T>) {
    this.#options = options;
    this.#omission = parseOmit(options.omit);
    this.#beginnings = new Beginnings(options);
  }

  /**
   * Copies what it needs of the bytes.
   * Throws DecodeError for an object without identity, and UserFunctionError.
   *
   * @param at Where in the bytes the object begins.
   * @param position Where in the body the bytes begin.
   */
  read({ bytes, inEvent }: ObjectBytes, at: number, position: number): Entry<T> {
    const metadataAt = this.#beginnings.metadataAt(bytes, at);
    const identity =
      metadataAt === NOWHERE
        ? scanIdentity(bytes, at, bytes.length)
        : scanMetadata(bytes, metadataAt, bytes.length);
    if (identity === undefined) throw unidentified({ bytes, inEvent }, position);
    if (metadataAt === NOWHERE) this.#checkType(bytes, at, position, usualKey(identity));
    const known = this.#known(identity);
    if (known !== undefined) return known;
    const cuts = this.#omission === undefined ? NO_CUTS : cutsIn(bytes, at, this.#omission);
    const { transform, lazyTransform = false } = this.#options;
    if (transform === undefined || lazyTransform) {
      const held = { bytes: cuts.length === 0 ? hold(bytes) : copyWithout(bytes, cuts), inEvent };
      return new JsonEntry(moved(identity, cuts), held, position, this.#options, this.#sample());
    }
    const source = { bytes: cuts.length === 0 ? bytes : copyWithout(bytes, cuts), inEvent };
    const { key, objects, onDamage } = this.#options;
    const usual = usualKey(identity);
    const object = transformed(this.#decode(source, position, usual), transform, usual, objects);
    const entry = new ObjectEntry(object, { key, identity, sample: this.#sample(), onDamage });
    return withServerName(entry, usual);
  }

  /** The usual key of an object that cannot be read, if its bytes, or the beginning of them, tell it. */
  keyIn(bytes: Uint8Array, at: number): string | undefined {
    const identity = scanIdentity(bytes, at, bytes.length);
    return identity && usualKey(identity);
  }

  #checkType(bytes: Uint8Array, at: number, position: number, key: string): void {
    const foreign = foreignType(bytes, at, bytes.length, this.#options);
    if (foreign === undefined) return;
    const { apiVersion, kind } = this.#options;
    throw new DecodeError(`it is a ${foreign}, where ${apiVersion} ${kind} was asked for`, position, key);
  }

  /** The entry that is held, if this is the same state of the same object. */
  #known(identity: ScannedIdentity): Entry<T> | undefined {
    const { key, known } = this.#options;
    const { uid, resourceVersion } = identity;
    if (key !== undefined || known === undefined || uid === undefined || resourceVersion === undefined) {
      return undefined;
    }
    const entry = known(usualKey(identity));
    return entry?.uid === uid && entry.resourceVersion === resourceVersion ? entry : undefined;
  }

  #sample(): Sample | undefined {
    if (this.#options.objects !== 'checked') return undefined;
    return this.#count++ % SAMPLED === 0 ? new Sample() : undefined;
  }

  #decode(source: ObjectBytes, position: number, key: string): KubernetesObject {
    try {
      return decodeObject(source, this.#options);
    } catch (cause) {
      throw new DecodeError('its body is damaged', position, key, cause);
    }
  }
}

const NO_CUTS: Cuts = [];

function moved(identity: ScannedIdentity, cuts: Cuts): ScannedIdentity {
  if (cuts.length === 0) return identity;
  return { ...identity, metadataAt: identity.metadataAt - cutBefore(identity.metadataAt, cuts) };
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
