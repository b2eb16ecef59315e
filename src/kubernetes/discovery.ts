import { builtinApiVersion } from './builtinResources.ts';
import { nearestName } from './nearestName.ts';
import { parseApiVersion, type Resource } from './resource.ts';

/** What of an APIResource is read here. */
interface ApiResource {
  /** Its plural; with a slash if it is a subresource. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** The resource of a kind in the APIResourceList that the server gives for `apiVersion`, if it is there. */
export function findResource(list: unknown, apiVersion: string, kind: string): Resource | undefined {
  const found = resourcesOf(list).find((resource) => resource.kind === kind);
  if (found === undefined) return undefined;
  const { name: plural, namespaced } = found;
  return { ...parseApiVersion(apiVersion), kind, plural, namespaced };
}

/**
 * What may have been meant by a kind that is not there, as `apps/v1 Deployment`: a kind of the list by its
 * wrongly written name or its plural, or else one that comes with Kubernetes in another group.
 */
export function nearestKind(list: unknown, apiVersion: string, kind: string): string | undefined {
  const resources = resourcesOf(list);
  const nearest = nearestName(
    kind,
    resources.flatMap((resource) => [resource.kind, resource.name]),
  );
  const served = resources.find((resource) => resource.kind === nearest || resource.name === nearest);
  if (served !== undefined) return `${apiVersion} ${served.kind}`;
  const elsewhere = builtinApiVersion(kind);
  return elsewhere === undefined ? undefined : `${elsewhere} ${kind}`;
}

/** Without subresources; anything that is none of them is left out, since it comes from the network. */
function resourcesOf(list: unknown): ApiResource[] {
  const resources: unknown = isRecord(list) ? list.resources : undefined;
  return Array.isArray(resources) ? resources.filter(isApiResource) : [];
}

function isApiResource(value: unknown): value is ApiResource {
  if (!isRecord(value)) return false;
  const { name, kind, namespaced } = value;
  return (
    typeof name === 'string' &&
    !name.includes('/') &&
    typeof kind === 'string' &&
    typeof namespaced === 'boolean'
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
