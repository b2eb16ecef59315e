import { parseUint64 } from '../goNumbers.ts';
import type { ServedKind } from '../kinds.ts';
import { nameOf, type StoredObject, uidOf, versionOf } from '../objects.ts';
import * as status from '../status.ts';
import { modified, versionRequired } from '../versionErrors.ts';
import type { DeleteOptions } from './deletion.ts';
import { isKind, type Part } from './strategy.ts';

/** That an update means the object that is there. Errors: StatusError 409. */
export function requireSameUid(kind: ServedKind, wanted: StoredObject, old: StoredObject, key: string): void {
  const [uid, heldUid] = [uidOf(wanted), uidOf(old)];
  if (uid === '' || uid === heldUid) return;
  const path = `/registry/${kind.group === '' ? '' : `${kind.group}/`}${kind.plural}/${key}`;
  throw status.conflict(
    kind,
    nameOf(old),
    `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${heldUid}`,
  );
}

/** That an update is of the present version. Errors: StatusError 409, 422 for a missing version. */
export function requireSameVersion(
  kind: ServedKind,
  wanted: StoredObject,
  old: StoredObject,
  part: Part,
): void {
  const name = nameOf(old);
  const version = versionOf(wanted);
  if (version === '') {
    if (kind.custom === true && part !== 'whole') throw versionRequired(kind, name);
    return;
  }
  const parsed = parseUint64(version);
  if ('error' in parsed) throw status.unexplained(parsed.error);
  if (version !== versionOf(old)) throw modified(kind, name);
}

/** Errors: StatusError 409. */
export function requirePreconditions(kind: ServedKind, object: StoredObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const named = { ...kind, plural: kind.kind };
  if (uid !== undefined && uid !== uidOf(object)) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${uidOf(object)}). The object might have been deleted and then recreated`;
    throw status.conflict(named, nameOf(object), why);
  }
  if (resourceVersion !== undefined && resourceVersion !== versionOf(object)) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${versionOf(object)}). The object might have been modified`;
    throw status.conflict(named, nameOf(object), why);
  }
}

const immortal = new Set(['default', 'kube-system', 'kube-public']);

/** Errors: StatusError 403. */
export function requireDeletable(kind: ServedKind, object: StoredObject): void {
  if (!isKind(kind, '', 'Namespace') || !immortal.has(nameOf(object))) return;
  throw status.forbidden(kind, nameOf(object), 'this namespace may not be deleted');
}
