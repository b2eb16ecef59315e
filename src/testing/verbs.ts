import { asksForWatch } from './listOptions.ts';
import { PageNotFoundError, type Target } from './paths.ts';
import { badRequest, methodNotAllowed, verbNotSupported } from './status.ts';

export type ApiVerb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection';

/** Errors: StatusError 405 for a method that the path does not take; custom kinds have no such path at all. */
export function verbOf(method: string, target: Target, query: URLSearchParams): ApiVerb {
  const { kind, name } = target;
  const verb = name === '' ? collectionVerb(method, target, query) : objectVerb(method, target);
  if (verb !== undefined) return verb;
  if (kind.custom !== true) throw methodNotAllowed();
  if (name === '' && !isWhole(target)) throw new PageNotFoundError();
  throw verbNotSupported(kind, verbs[method] ?? '');
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

function collectionVerb(method: string, target: Target, query: URLSearchParams): ApiVerb | undefined {
  const { kind, watchPath } = target;
  if (method === 'GET') return watchPath || asksForWatch(query) ? 'watch' : 'list';
  if (!isWhole(target) || watchPath) return undefined;
  if (method === 'POST') return 'create';
  if (kind.custom === true && (method === 'PUT' || method === 'PATCH'))
    throw badRequest('name must be provided');
  const isNamespaces = kind.group === '' && kind.kind === 'Namespace';
  return method === 'DELETE' && !isNamespaces ? 'deletecollection' : undefined;
}

/** Not only a view of all namespaces: what can be written to. */
const isWhole = ({ kind, namespace }: Target): boolean => !kind.namespaced || namespace !== '';

/** A query cannot make a watch of the path of one object. */
function objectVerb(method: string, { kind, subresource, watchPath }: Target): ApiVerb | undefined {
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
    case 'POST':
      // The name in the path means nothing then.
      return kind.custom === true && subresource === '' ? 'create' : undefined;
    default:
      return undefined;
  }
}
