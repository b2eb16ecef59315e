import { isKeyPart } from '../named.ts';
import { NOWHERE } from './bytes.ts';
import { Members, stringAt } from './members.ts';

/** What tells an object from others, and where in its bytes its metadata begins. */
export interface ScannedIdentity {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly metadataAt: number;
}

/**
 * Finds the identity in an object's bytes, which may hold only its beginning. Stops where all is known, so
 * what comes behind is not looked at.
 *
 * `undefined`: there is no usable name, or the bytes end or are damaged before all is certain.
 */
export function scanIdentity(bytes: Uint8Array, at: number, end: number): ScannedIdentity | undefined {
  const members = new Members(bytes, at, end);
  while (members.next()) {
    if (members.is('metadata')) return scanMetadata(bytes, members.value, end);
  }
  return undefined;
}

/** The same, where it is known already where the metadata begins. */
export function scanMetadata(bytes: Uint8Array, at: number, end: number): ScannedIdentity | undefined {
  let name: string | undefined;
  let namespace: string | undefined;
  let uid: string | undefined;
  let resourceVersion: string | undefined;

  const members = new Members(bytes, at, end);
  while (members.next()) {
    if (members.is('name')) name = stringAt(bytes, members.value, end);
    else if (members.is('namespace')) namespace = stringAt(bytes, members.value, end);
    else if (members.is('uid')) uid = stringAt(bytes, members.value, end);
    else if (members.is('resourceVersion')) resourceVersion = stringAt(bytes, members.value, end);
    else continue;
    if (name && namespace && uid && resourceVersion) break;
  }
  const isCertain = members.end !== NOWHERE || (namespace && uid && resourceVersion);
  if (!isCertain || !isKeyPart(name) || (namespace && !isKeyPart(namespace))) return undefined;
  // The server writes what it does not have as an empty string, too.
  return {
    name,
    namespace: namespace || undefined,
    uid: uid || undefined,
    resourceVersion: resourceVersion || undefined,
    metadataAt: at,
  };
}
