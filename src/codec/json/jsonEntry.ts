import { CacheDamagedError, DecodeError, type UserFunctionError } from '../../errors.ts';
import type { ObjectMeta } from '../../kubernetes/objects.ts';
import type { CodecOptions, Entry, EntryError } from '../codec.ts';
import { keyFor } from '../keyFor.ts';
import { sameObject } from '../sameObject.ts';
import type { Sample } from '../sample.ts';
import { transformed } from '../transform.ts';
import { bufferOf } from './bytes.ts';
import type { Held } from './held.ts';
import type { ScannedIdentity } from './identity.ts';
import type { Span } from './lazyPart.ts';
import type { ManagedFields } from './metadata.ts';
import { decodeMetadata } from './metadata.ts';
import type { ObjectBytes } from './object.ts';
import { decodeAroundMetadata, decodeObject } from './object.ts';

/** An object that stays bytes until it is read. */
export class JsonEntry<T> implements Entry<T> {
  readonly key: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;

  readonly #options: CodecOptions<T>;
  readonly #position: number;
  readonly #inEvent: boolean;
  readonly #metadataAt: number;
  readonly #sample: Sample | undefined;
  /** Released once there is nothing more to decode. */
  #held: Held | undefined;
  #meta: ObjectMeta | undefined;
  #metadataEnd = 0;
  #managedFields: ManagedFields | undefined;
  #object: T | undefined;
  #error: EntryError | undefined;

  /**
   * Keeps the bytes. Throws UserFunctionError where the key function fails, or what makes the object unreadable
   * where it fails because of that.
   *
   * @param sample Takes what is decoded, if it is to be checked.
   */
  constructor(
    identity: ScannedIdentity,
    source: ObjectBytes,
    position: number,
    options: CodecOptions<T>,
    sample?: Sample,
  ) {
    this.name = identity.name;
    this.namespace = identity.namespace;
    this.uid = identity.uid;
    this.resourceVersion = identity.resourceVersion;
    this.#options = options;
    this.#position = position;
    this.#inEvent = source.inEvent;
    this.#metadataAt = identity.metadataAt;
    this.#sample = sample;
    this.#held = source.bytes;
    this.key = keyFor(identity, this, options.key);
    Object.freeze(this);
  }

  get meta(): ObjectMeta {
    if (this.#meta === undefined && this.#held !== undefined) {
      if (this.#options.transform === undefined) this.#decodeMeta(this.#held);
      else this.#transform(this.#held, this.#options.transform);
    }
    return this.#meta as ObjectMeta;
  }

  get object(): T {
    if (this.#object === undefined && this.#held !== undefined) this.#decodeObject();
    return this.#object as T;
  }

  get error(): EntryError | undefined {
    return this.#error;
  }

  sameContent(other: Entry<T>): boolean {
    return this.#sameBytes(other) || sameObject(this, other);
  }

  verify(): void {
    if (this.#sample?.differs(this.#object ?? this.#meta) === true) this.#damaged();
  }

  #decodeMeta(held: Held): void {
    try {
      const { objects = 'frozen' } = this.#options;
      const onError = (cause: unknown): void => this.#fail(cause);
      const { meta, managedFields, end } = decodeMetadata(held, this.#metadataAt, onError, objects);
      this.#meta = meta;
      this.#managedFields = managedFields;
      this.#metadataEnd = end;
      this.#sample?.take(meta);
    } catch (cause) {
      this.#fail(cause);
      this.#held = undefined;
    }
  }

  #decodeObject(): void {
    const { meta } = this;
    const held = this.#held;
    // A transform decodes all at once; and without metadata there is no object.
    if (held === undefined) return;
    try {
      const { objects = 'frozen' } = this.#options;
      const source = { bytes: held, inEvent: this.#inEvent };
      const metadata: Span = [this.#metadataAt, this.#metadataEnd];
      this.verify();
      this.#object = decodeAroundMetadata(source, metadata, meta, this.#options, objects) as T;
      this.#sample?.take(this.#object);
    } catch (cause) {
      this.#fail(cause);
    }
    this.#held = undefined;
    this.#managedFields?.detach();
  }

  /** Lazily: one that is not lazy was run before there was an entry. */
  #transform(held: Held, recipe: NonNullable<CodecOptions<T>['transform']>): void {
    this.#held = undefined;
    try {
      const object = decodeObject({ bytes: held, inEvent: this.#inEvent }, this.#options);
      const result = transformed(object, recipe, this.key, this.#options.objects);
      this.#object = result;
      this.#meta = result.metadata;
      this.#sample?.take(result);
    } catch (cause) {
      this.#fail(cause);
    }
  }

  #fail(cause: unknown): void {
    if (this.#error !== undefined) return;
    const isTold = (cause as Partial<UserFunctionError>).code === 'USER_FUNCTION';
    this.#error = isTold
      ? (cause as UserFunctionError)
      : new DecodeError('its body is damaged', this.#position, this.key, cause);
    this.#options.onDamage?.(this.#error);
  }

  #damaged(): void {
    this.#options.onDamage?.(new CacheDamagedError(this.key));
  }

  #sameBytes(other: Entry<T>): boolean {
    if (!(#held in other) || this.#held === undefined || other.#held === undefined) return false;
    return this.#inEvent === other.#inEvent && bufferOf(this.#held).equals(other.#held);
  }
}
