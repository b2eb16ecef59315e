import type { Entry } from '../codec/codec.ts';
import { isOlder } from '../kubernetes/version.ts';

type Identity = Pick<Entry<unknown>, 'uid'>;
type Versioned = Pick<Entry<unknown>, 'resourceVersion'>;

/** Whether two entries of one key are states of one object. Where a uid is missing, the key has to do. */
export function isSameObject(a: Identity, b: Identity): boolean {
  return a.uid === b.uid || a.uid === undefined || b.uid === undefined;
}

/** Whether two entries of one key are the same state. Content is compared only where there are no versions. */
export function isUnchanged<T>(held: Entry<T>, next: Entry<T>): boolean {
  if (held.uid !== next.uid) return false;
  if (held.resourceVersion === undefined || next.resourceVersion === undefined) return held.sameContent(next);
  return held.resourceVersion === next.resourceVersion;
}

/** Whether `a` is known to be an older state than `b`. */
export function isOlderState(a: Versioned, b: Versioned): boolean {
  if (a.resourceVersion === undefined || b.resourceVersion === undefined) return false;
  return isOlder(a.resourceVersion, b.resourceVersion);
}
