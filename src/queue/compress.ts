import { isSameObject } from '../store/identity.ts';
import type { KeyDelta } from './delta.ts';

/**
 * The deltas of one key with one more: never more than two, and with the same outcome in a store as all of
 * them one by one. Two are needed for a delete followed by a new object of that name, each its own identity.
 *
 * The order of arrival is trusted: what comes later is newer.
 */
export function compress<T>(waiting: readonly KeyDelta<T>[], next: KeyDelta<T>): readonly KeyDelta<T>[] {
  const [first, second] = waiting;
  if (first === undefined) return [next];
  if (next.type === 'Sync') return waiting;
  if (first.type !== 'Deleted') return [continued(first, next)];

  const same = isSameObject(first.entry, next.entry);
  // An object that came and went behind a delete was seen by nobody; the one deleted before it was.
  if (next.type === 'Deleted') return [same ? next : first];
  // Gone and back, for instance from a label selector's view.
  if (same && second === undefined) return [{ ...next, type: 'Updated' }];
  return [first, second === undefined ? next : continued(second, next)];
}

/** `next` in the place of `waiting`; an object that nobody saw added stays to be added. */
function continued<T>(waiting: KeyDelta<T>, next: Exclude<KeyDelta<T>, { type: 'Sync' }>): KeyDelta<T> {
  if (next.type === 'Deleted' || waiting.type === 'Sync' || !isSameObject(waiting.entry, next.entry))
    return next;
  return { ...next, type: waiting.type };
}
