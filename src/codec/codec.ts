import type { CacheDamagedError, DecodeError, ItemTooLargeError, UserFunctionError } from '../errors.ts';
import type { ObjectMeta } from '../kubernetes/objects.ts';
import type { StatusBody } from '../kubernetes/status.ts';
import type { Objects } from './freeze.ts';

/**
 * One object as it came over the wire. Identity is known at once; `meta` and `object` are decoded when
 * first read, frozen then (unless `objects` says otherwise), and the same reference each time.
 *
 * Guarantees: reading never throws. A body that turns out to be damaged gives `undefined` for what could
 * not be read, and `error` says why.
 */
export interface Entry<T> {
  /** What the store, the queue and delivery know it by. Default: `namespace/name`, or `name`. */
  readonly key: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
  /** Opaque. */
  readonly resourceVersion: string | undefined;
  readonly meta: ObjectMeta;
  readonly object: T;
  /** Why `meta` or `object` cannot be read; known only once that was tried. */
  readonly error: EntryError | undefined;
  /** Whether both have the same content. Asked only where a kind has neither uid nor resourceVersion. */
  sameContent(other: Entry<T>): boolean;
  /**
   * For the store, before it lets go of an entry: where objects are only checked and this is one of the sample, a
   * change that somebody made to what was handed out is reported. Throws nothing.
   */
  verify(): void;
}

/** Why an object cannot be read: its bytes are damaged, or a lazy transform failed. */
export type EntryError = DecodeError | UserFunctionError;

/** A key from an object; `meta` is cheap to read, `object` costs the decoding of the whole. */
export type KeyFunction<T> = (object: { readonly meta: ObjectMeta; readonly object: T }) => string;

export interface CodecOptions<T> {
  /** Completes list items, which come without them. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Default: `namespace/name`. */
  readonly key?: KeyFunction<T> | undefined;
  /**
   * An immer recipe; runs before anything is stored, labelled or indexed. The uid and resourceVersion that an
   * object is known by stay those of the server.
   */
  readonly transform?: ((draft: T) => T) | ((draft: T) => void) | undefined;
  /**
   * Run `transform` when `meta` or `object` is first read, not before. Name, namespace and the usual key are those
   * of the server then, and a transform that fails is reported only then. Default: false.
   */
  readonly lazyTransform?: boolean | undefined;
  /**
   * Paths of what is cut out of the bytes before anything is stored, such as `metadata.managedFields`,
   * `metadata.annotations["example.com/note"]` or `spec.containers[*].env`: nothing is decoded for it, nothing sees
   * it, not even `transform`, and it takes up no memory. Default: nothing.
   */
  readonly omit?: readonly string[] | undefined;
  /**
   * `frozen`: who changes an object of the cache gets a TypeError. `checked`: objects are as fast as JSON.parse, and
   * of a sample (the first and every 64th of each list and watch) it is looked at, when it is replaced, deleted or
   * listed again, whether somebody changed it, which is told as a CacheDamagedError. Default: `frozen`.
   */
  readonly objects?: Objects | undefined;
  /**
   * What is held already, by its key: an object with the same uid and resourceVersion is that entry itself, so that
   * a list of what is held costs no copies. Not asked where there is a `key`. Default: nothing.
   */
  readonly known?: ((key: string) => Entry<T> | undefined) | undefined;
  /**
   * Is told of a body that turned out to be damaged, or a lazy transform that failed, when it was first read, once,
   * and of an object of the sample that somebody changed. It must not throw.
   */
  readonly onDamage?: ((error: EntryError | CacheDamagedError) => void) | undefined;
  /** Bound of one object. Unit: bytes. Default: 67108864 (64 MiB). */
  readonly maxItemBytes?: number | undefined;
}

/** What is wrong with one event; the others go on. */
export type Unreadable = DecodeError | ItemTooLargeError | UserFunctionError;

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly entry: Entry<T> }
  | { readonly type: 'BOOKMARK'; readonly version: string; readonly initialEventsEnd: boolean }
  /** An ERROR event, or a bare Status in place of an event. */
  | { readonly type: 'ERROR'; readonly status: StatusBody }
  | { readonly type: 'UNREADABLE'; readonly error: Unreadable };

/** Takes a watch's body in pieces cut anywhere. */
export interface WatchDecoder<T> {
  /** The events completed by this piece. Bytes are valid during the call only. Throws nothing. */
  push(bytes: Uint8Array): readonly WatchEvent<T>[];
  /** Call at the end of the body: the last event, if all it lacked was the end of its line. Throws nothing. */
  end(): readonly WatchEvent<T>[];
  /** Ask at the end of the body: whether it was cut in the middle of an event. */
  readonly cut: boolean;
}

/** Takes a list's body in pieces cut anywhere. */
export interface ListDecoder<T> {
  /**
   * The items completed by this piece. Bytes are valid during the call only.
   * Throws DecodeError, ItemTooLargeError or UserFunctionError: the list is then void as a whole.
   */
  push(bytes: Uint8Array): readonly Entry<T>[];
  /** Call at the end of the body. Throws DecodeError unless it was one complete, well-formed list or Status. */
  end(): ListEnd;
}

export type ListEnd =
  | {
      readonly type: 'LIST';
      /** `undefined` where the server gives none: such a kind cannot be watched. */
      readonly version: string | undefined;
      /** Token of the next page. */
      readonly next: string | undefined;
      readonly remaining: number | undefined;
    }
  | { readonly type: 'STATUS'; readonly status: StatusBody };

/** A wire format. Nothing outside this folder knows which one lies behind an entry. */
export interface Codec {
  /** The Accept header of a request. */
  readonly accept: string;
  list<T>(options: CodecOptions<T>): ListDecoder<T>;
  watch<T>(options: CodecOptions<T>): WatchDecoder<T>;
}
