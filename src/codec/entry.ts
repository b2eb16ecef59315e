import { checkFunction, checkOptions } from '../checks.ts';
import { CacheDamagedError, InvalidOptionError } from '../errors.ts';
import type { KubernetesObject, ObjectMeta } from '../kubernetes/objects.ts';
import type { CodecOptions, Entry, KeyFunction } from './codec.ts';
import { freezeDeep } from './freeze.ts';
import { keyFor } from './keyFor.ts';
import type { Named } from './named.ts';
import { isNamed } from './named.ts';
import { sameObject } from './sameObject.ts';
import type { Sample } from './sample.ts';

export interface EntryOptions<T> {
  /** Default: `namespace/name`. */
  readonly key?: KeyFunction<T> | undefined;
  /** What a transform may have taken out of the object. Default: what its metadata says. */
  readonly identity?: Pick<Entry<T>, 'uid' | 'resourceVersion'> | undefined;
}

/**
 * An entry of an object that is there already: for tests, and for pipelines put together by hand. Freezes
 * the object itself, not a copy.
 *
 * Throws InvalidOptionError for an object without a usable `metadata.name`, and UserFunctionError where the
 * key function fails.
 */
export function entryOf<T>(object: T, options: EntryOptions<T> = {}): Entry<T> {
  checkOptions('options', options);
  checkFunction('key', options.key);
  if (!isNamed(object)) {
    const name = (object as KubernetesObject | null | undefined)?.metadata?.name;
    throw new InvalidOptionError(
      'metadata.name',
      name,
      'an object has a name; no name or namespace has a slash',
    );
  }
  return new ObjectEntry(freezeDeep(object), options);
}

interface ObjectEntryOptions<T> extends EntryOptions<T>, Pick<CodecOptions<T>, 'onDamage'> {
  /** Takes the object, if it is to be checked. */
  readonly sample?: Sample | undefined;
}

/** An entry of an object that is decoded and, if it is to be, frozen. Throws as `entryOf` for the key function. */
export class ObjectEntry<T> implements Entry<T> {
  readonly key: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly meta: ObjectMeta;
  readonly object: T;
  readonly error = undefined;

  readonly #sample: Sample | undefined;
  readonly #onDamage: CodecOptions<T>['onDamage'];

  constructor(object: T & Named, options: ObjectEntryOptions<T>) {
    const { metadata } = object;
    const { uid, resourceVersion } = options.identity ?? metadata;
    this.object = object;
    this.meta = metadata;
    this.name = metadata.name;
    this.namespace = metadata.namespace || undefined;
    this.uid = uid || undefined;
    this.resourceVersion = resourceVersion || undefined;
    this.key = keyFor(this, this, options.key);
    this.#sample = options.sample;
    this.#sample?.take(object);
    this.#onDamage = options.onDamage;
    Object.freeze(this);
  }

  sameContent(other: Entry<T>): boolean {
    return sameObject(this, other);
  }

  verify(): void {
    if (this.#sample?.differs(this.object) === true) this.#onDamage?.(new CacheDamagedError(this.key));
  }
}
