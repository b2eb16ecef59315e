/**
 * The bytes of one object, kept until they are decoded. How they are kept is decided here alone.
 *
 * Each object has its own memory outside of the heap: it comes back as soon as its entry is gone or decoded.
 * Slices of shared slabs are as fast, but one long-lived object keeps a whole slab; strings are moved about by
 * the garbage collector, which costs several times more than it saves.
 */
export type Held = Uint8Array;

export function hold(bytes: Uint8Array): Held {
  return new Uint8Array(bytes);
}
