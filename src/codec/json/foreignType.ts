import { QUOTE } from './bytes.ts';
import { Members, stringAt } from './members.ts';
import type { TypeMeta } from './object.ts';

/**
 * What an object says to be, in words, where that is something else than was asked for. Looks in front of its
 * metadata only, where servers write it: to look behind would cost as much as to decode it.
 */
export function foreignType(bytes: Uint8Array, at: number, end: number, type: TypeMeta): string | undefined {
  const members = new Members(bytes, at, end);
  let isForeign = false;
  let kind = type.kind;
  let apiVersion = type.apiVersion;
  while (members.next() && !members.is('metadata')) {
    if (members.is('kind')) {
      if (isText(bytes, members.value, kind)) continue;
      kind = stringAt(bytes, members.value, end) || kind;
    } else if (members.is('apiVersion')) {
      if (isText(bytes, members.value, apiVersion)) continue;
      apiVersion = stringAt(bytes, members.value, end) || apiVersion;
    } else continue;
    isForeign = kind !== type.kind || apiVersion !== type.apiVersion;
  }
  return isForeign ? `${apiVersion} ${kind}` : undefined;
}

/** Whether this string begins here, written without escapes. */
function isText(bytes: Uint8Array, at: number, text: string): boolean {
  if (bytes[at] !== QUOTE || bytes[at + text.length + 1] !== QUOTE) return false;
  for (let i = 0; i < text.length; i++) if (bytes[at + 1 + i] !== text.charCodeAt(i)) return false;
  return true;
}
