/** What can go wrong with one request and its answer: what a server, a proxy or a network does now and then. */
export type Fault =
  /** Everything of the answer comes so much later. Unit: milliseconds. */
  | { readonly kind: 'delay'; readonly by: number }
  /** The body comes in pieces, cut wherever that falls: in lines, in characters. */
  | ({ readonly kind: 'pieces' } & Pieces)
  /** The body comes compressed, though nobody asked for it, and in pieces. */
  | ({ readonly kind: 'gzip' } & Pieces)
  /** The connection is closed. */
  | ({ readonly kind: 'cut' } & Position)
  /** The body ends, as if it were complete. */
  | ({ readonly kind: 'truncate' } & Position)
  /** The connection is closed in the middle of the first character of the body that has more than one byte. */
  | { readonly kind: 'cutCharacter' }
  /** The connection is reset. */
  | ({ readonly kind: 'reset' } & Position)
  /** Nothing comes any more, and the connection stays open. */
  | ({ readonly kind: 'silence' } & Position)
  /** The server refuses, with a Status. */
  | {
      readonly kind: 'status';
      readonly code: number;
      /** Default: none. */
      readonly reason?: string;
      /** The `Retry-After`. Default: none. Unit: seconds. */
      readonly retryAfter?: number;
    }
  /** A proxy answers with a page. Default of the code: 502. */
  | { readonly kind: 'html'; readonly code?: number }
  /** The answer says that it is something else than JSON. Default: `text/plain`. */
  | { readonly kind: 'contentType'; readonly type?: string }
  /**
   * The version is expired, as the server says it: by HTTP 410, by an ERROR event, or by a bare Status where an event
   * should be. To anything but a watch it is HTTP 410. Default: `http`.
   */
  | { readonly kind: 'expired'; readonly as?: 'http' | 'event' | 'line' }
  /** Each event of a watch comes twice. */
  | { readonly kind: 'duplicate' }
  /** Events of a watch that belong to different objects change places, where they come together. */
  | { readonly kind: 'reorder' }
  /** Each bookmark comes so many times. Default: 3. */
  | { readonly kind: 'bookmarks'; readonly times?: number }
  /**
   * A list is answered from a cache that is so many versions behind, where the request allows that: at
   * `resourceVersion=0`, or, down to the version that is asked for, by `NotOlderThan`.
   */
  | { readonly kind: 'stale'; readonly by: number }
  /** The wall clock leaps, forward or back, as when the machine sleeps. Only a stepped clock does. Unit: milliseconds. */
  | { readonly kind: 'clockJump'; readonly by: number };

export type FaultKind = Fault['kind'];

/** Default: before anything is answered at all, even the head. */
interface Position {
  /** After so many bytes of the body. */
  readonly afterBytes?: number;
}

interface Pieces {
  /** Unit: bytes. Default: 7. */
  readonly size?: number;
  /** What is between two of them. Unit: milliseconds. Default: 1. */
  readonly every?: number;
}

/** All there are. */
export const FAULT_KINDS: readonly FaultKind[] = Object.keys({
  delay: true,
  pieces: true,
  gzip: true,
  cut: true,
  truncate: true,
  cutCharacter: true,
  reset: true,
  silence: true,
  status: true,
  html: true,
  contentType: true,
  expired: true,
  duplicate: true,
  reorder: true,
  bookmarks: true,
  stale: true,
  clockJump: true,
} satisfies Record<FaultKind, true>) as FaultKind[];
