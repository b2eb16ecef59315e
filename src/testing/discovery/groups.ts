import type { JsonObject } from '../json.ts';
import type { ServedKind } from '../kinds.ts';
import { byPriority } from './versionPriority.ts';

/** What `/api` answers. */
export const coreVersions = (kinds: readonly ServedKind[]): JsonObject => ({
  kind: 'APIVersions',
  versions: versionsOf(kinds),
  serverAddressByClientCIDRs: [],
});

/** What `/apis` answers. */
export const groupList = (kinds: readonly ServedKind[]): JsonObject => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: byGroup(kinds).map(groupOf),
});

/** What `/apis/GROUP` answers, for the kinds of one group. */
export const groupDocument = (kinds: readonly ServedKind[]): JsonObject => ({
  kind: 'APIGroup',
  apiVersion: 'v1',
  ...groupOf(kinds),
});

function groupOf(kinds: readonly ServedKind[]): JsonObject {
  const name = kinds[0]?.group ?? '';
  const versions = versionsOf(kinds).map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] ?? {} };
}

/** What `/apis/GROUP/VERSION` answers, for the kinds of one version of a group. */
export const resourceList = (kinds: readonly ServedKind[]): JsonObject => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: groupVersionOf(kinds),
  resources: kinds.flatMap((kind) => [
    {
      name: kind.plural,
      singularName: kind.singular,
      namespaced: kind.namespaced,
      kind: kind.kind,
      verbs: verbsOf(kind),
      ...namesOf(kind),
    },
    ...subresources(kind).map((subresource) => ({
      name: `${kind.plural}/${subresource}`,
      singularName: '',
      namespaced: kind.namespaced,
      kind: kind.kind,
      verbs: subresourceVerbs,
    })),
  ]),
});

/** What `/api` and `/apis` answer to who wants all at once. */
export const aggregatedGroups = (kinds: readonly ServedKind[]): JsonObject => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: byGroup(kinds).map((ofGroup) => ({
    metadata: ofGroup[0]?.group ? { name: ofGroup[0].group } : {},
    versions: versionsOf(ofGroup).map((version) => ({
      version,
      resources: ofGroup.filter((kind) => kind.version === version).map(discovered),
      freshness: 'Current',
    })),
  })),
});

const discovered = (kind: ServedKind): JsonObject => ({
  resource: kind.plural,
  responseKind: responseKind(kind),
  scope: kind.namespaced ? 'Namespaced' : 'Cluster',
  singularResource: kind.singular,
  verbs: verbsOf(kind),
  ...namesOf(kind),
  subresources: subresources(kind).map((subresource) => ({
    subresource,
    responseKind: responseKind(kind),
    verbs: subresourceVerbs,
  })),
});

const responseKind = ({ group, version, kind }: ServedKind): JsonObject => ({ group, version, kind });

const namesOf = ({ shortNames = [], categories = [] }: ServedKind): JsonObject => ({
  ...(shortNames.length > 0 && { shortNames: [...shortNames] }),
  ...(categories.length > 0 && { categories: [...categories] }),
});

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

const verbsOf = ({ group, kind }: ServedKind): string[] =>
  group === '' && kind === 'Namespace' ? verbs.filter((verb) => verb !== 'deletecollection') : verbs;

const subresources = ({ status = false }: ServedKind): string[] => (status ? ['status'] : []);

const groupVersionOf = ([kind]: readonly ServedKind[]): string =>
  kind ? [kind.group, kind.version].filter(Boolean).join('/') : '';

function byGroup(kinds: readonly ServedKind[]): ServedKind[][] {
  const groups = new Map<string, ServedKind[]>();
  for (const kind of kinds) groups.set(kind.group, [...(groups.get(kind.group) ?? []), kind]);
  return [...groups.values()];
}

/** The preferred one first. */
const versionsOf = (kinds: readonly ServedKind[]): string[] =>
  [...new Set(kinds.map(({ version }) => version))].sort(byPriority);
