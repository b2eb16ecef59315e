import { type StoredObject, withMetadata } from './objects.ts';

/** One version of one object. Its JSON is written once, whoever asks for it. */
export class Revision {
  readonly key: string;
  readonly version: bigint;
  /** Shared by all who read it: never changed. */
  readonly object: StoredObject;
  #json: string | undefined;

  constructor(key: string, version: bigint, object: StoredObject) {
    this.key = key;
    this.version = version;
    this.object = object;
  }

  /** Without `kind` and `apiVersion`. */
  get json(): string {
    this.#json ??= JSON.stringify(this.object);
    return this.#json;
  }

  /** The same content under a later version, as the event of a deletion shows it. */
  at(version: bigint): Revision {
    return new Revision(this.key, version, withMetadata(this.object, { resourceVersion: String(version) }));
  }
}

/** One step of the history of a kind. */
export class Change {
  readonly version: bigint;
  /** `undefined` where it created the object. */
  readonly previous: Revision | undefined;
  /** `undefined` where it deleted the object. */
  readonly current: Revision | undefined;
  #last: Revision | undefined;

  constructor(version: bigint, previous: Revision | undefined, current: Revision | undefined) {
    this.version = version;
    this.previous = previous;
    this.current = current;
  }

  /** The previous object under the version of this change: what those see for whom it is gone. */
  get last(): Revision | undefined {
    this.#last ??= this.previous?.at(this.version);
    return this.#last;
  }
}
