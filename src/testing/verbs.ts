import { asksForWatch } from './listOptions.ts';
import type { Target } from './paths.ts';
import { methodNotAllowed } from './status.ts';

export type ApiVerb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection';

/** Errors: StatusError 405 for a method that the path does not take. */
export function verbOf(method: string, target: Target, query: URLSearchParams): ApiVerb {
  const verb = target.name === '' ? collectionVerb(method, target, query) : objectVerb(method, target);
  if (verb === undefined) throw methodNotAllowed();
  return verb;
}

function collectionVerb(method: string, target: Target, query: URLSearchParams): ApiVerb | undefined {
  const { kind, namespace, watchPath } = target;
  const isWhole = !kind.namespaced || namespace !== '';
  if (method === 'GET') return watchPath || asksForWatch(query) ? 'watch' : 'list';
  if (!isWhole || watchPath) return undefined;
  if (method === 'POST') return 'create';
  const isNamespaces = kind.group === '' && kind.kind === 'Namespace';
  return method === 'DELETE' && !isNamespaces ? 'deletecollection' : undefined;
}

/** A query cannot make a watch of the path of one object. */
function objectVerb(method: string, { subresource, watchPath }: Target): ApiVerb | undefined {
  if (watchPath) return method === 'GET' ? 'watch' : undefined;
  switch (method) {
    case 'GET':
      return 'get';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return subresource === '' ? 'delete' : undefined;
    default:
      return undefined;
  }
}
