import type { ServedKind } from './kinds.ts';
import type { ServedKinds } from './servedKinds.ts';
import { notFound, unknownResource } from './status.ts';

/** What the path of a request names. */
export interface Target {
  readonly kind: ServedKind;
  /** Empty: all namespaces, or a cluster-scoped kind. */
  readonly namespace: string;
  /** Empty: the collection. */
  readonly name: string;
  /** Empty: the object itself. */
  readonly subresource: '' | 'status' | 'finalize';
  /** Asked for as `/api/v1/watch/...`. */
  readonly watchPath: boolean;
}

/** Nothing is served there at all: answered with a line of text in place of a Status. */
export class PageNotFoundError extends Error {}

/** Errors: PageNotFoundError; StatusError 404 where the group is known. */
export function targetOf(path: string, kinds: ServedKinds): Target {
  const [root, ...parts] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  if (root !== 'api' && root !== 'apis') throw new PageNotFoundError();
  const group = root === 'api' ? '' : (parts.shift() ?? '');
  const version = parts.shift() ?? '';
  const watchPath = parts[0] === 'watch';
  if (watchPath) parts.shift();
  const { namespace, plural, name, subresource, more } = resourceOf(parts);
  const kind = kinds.byPlural(group, version, plural);
  if (kind === undefined || !isRightScope(kind, namespace, name)) {
    throw kinds.hasBuiltinGroup(group) ? unknownResource() : new PageNotFoundError();
  }
  if (more > 0 || !has(kind, subresource)) {
    throw kind.custom === true ? notFound(kind, name) : unknownResource();
  }
  return { kind, namespace, name, subresource, watchPath };
}

function resourceOf(parts: readonly string[]) {
  const [first = '', second = '', third = ''] = parts;
  const inNamespace = first === 'namespaces' && third !== '' && third !== 'status' && third !== 'finalize';
  const [plural = '', name = '', subresource = '', ...more] = inNamespace ? parts.slice(2) : parts;
  return { namespace: inNamespace ? second : '', plural, name, subresource, more: more.length };
}

function has(kind: ServedKind, subresource: string): subresource is Target['subresource'] {
  if (subresource === 'status') return kind.status === true;
  return subresource === '' || (subresource === 'finalize' && kind.group === '' && kind.kind === 'Namespace');
}

/** A namespaced object needs its namespace; only the collection can be that of all namespaces. */
const isRightScope = (kind: ServedKind, namespace: string, name: string): boolean =>
  kind.namespaced ? namespace !== '' || name === '' : namespace === '';

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new PageNotFoundError();
  }
}
