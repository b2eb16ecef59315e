import { DecodeError } from '../../errors.ts';
import type { ObjectMeta } from '../../kubernetes/objects.ts';
import type { CodecOptions, Entry } from '../codec.ts';
import { keyFor } from '../keyFor.ts';
import { sameObject } from '../sameObject.ts';
import { bufferOf } from './bytes.ts';
import type { Held } from './held.ts';
import { hold } from './held.ts';
import type { ScannedIdentity } from './identity.ts';
import type { Span } from './lazyPart.ts';
import type { ManagedFields } from './metadata.ts';
import { decodeMetadata } from './metadata.ts';
import type { ObjectBytes } from './object.ts';
import { decodeAroundMetadata } from './object.ts';

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
  /** Released once there is nothing more to decode. */
  #held: Held | undefined;
  #meta: ObjectMeta | undefined;
  #metadataEnd = 0;
  #managedFields: ManagedFields | undefined;
  #object: T | undefined;
  #error: DecodeError | undefined;

  /**
   * Copies the bytes. Throws UserFunctionError where the key function fails, or DecodeError where that is
   * because the object is damaged.
   */
  constructor(identity: ScannedIdentity, source: ObjectBytes, position: number, options: CodecOptions<T>) {
    this.name = identity.name;
    this.namespace = identity.namespace;
    this.uid = identity.uid;
    this.resourceVersion = identity.resourceVersion;
    this.#options = options;
    this.#position = position;
    this.#inEvent = source.inEvent;
    this.#metadataAt = identity.metadataAt;
    this.#held = hold(source.bytes);
    this.key = keyFor(identity, this, options.key);
    Object.freeze(this);
  }

  get meta(): ObjectMeta {
    if (this.#meta === undefined && this.#held !== undefined) this.#decodeMeta(this.#held);
    return this.#meta as ObjectMeta;
  }

  get object(): T {
    if (this.#object === undefined && this.#held !== undefined) this.#decodeObject(this.#held);
    return this.#object as T;
  }

  get error(): DecodeError | undefined {
    return this.#error;
  }

  sameContent(other: Entry<T>): boolean {
    return this.#sameBytes(other) || sameObject(this, other);
  }

  #decodeMeta(held: Held): void {
    try {
      const { meta, managedFields, end } = decodeMetadata(held, this.#metadataAt, (cause) => {
        this.#fail(cause);
      });
      this.#meta = meta;
      this.#managedFields = managedFields;
      this.#metadataEnd = end;
    } catch (cause) {
      this.#fail(cause);
      this.#held = undefined;
    }
  }

  #decodeObject(held: Held): void {
    const { meta } = this;
    // Without metadata there is no object.
    if (this.#held === undefined) return;
    try {
      const source = { bytes: held, inEvent: this.#inEvent };
      const metadata: Span = [this.#metadataAt, this.#metadataEnd];
      this.#object = decodeAroundMetadata(source, metadata, meta, this.#options) as T;
    } catch (cause) {
      this.#fail(cause);
    }
    this.#held = undefined;
    this.#managedFields?.detach();
  }

  #fail(cause: unknown): void {
    if (this.#error !== undefined) return;
    this.#error = new DecodeError('its body is damaged', this.#position, this.key, cause);
    this.#options.onDamage?.(this.#error);
  }

  #sameBytes(other: Entry<T>): boolean {
    if (!(#held in other) || this.#held === undefined || other.#held === undefined) return false;
    return this.#inEvent === other.#inEvent && bufferOf(this.#held).equals(other.#held);
  }
}
