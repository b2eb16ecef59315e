import type { JsonObject } from '../json.ts';
import type { ServedKind } from '../kinds.ts';

/**
 * OpenAPI v3, as far as kubectl reads it before it sends an object: that the server checks the fields itself (the
 * query parameter `fieldValidation`). Nothing is said of the fields, so kubectl computes patches from its own types.
 */
export function openApi(path: readonly string[], kinds: readonly ServedKind[]): JsonObject | undefined {
  const [version, ...groupVersion] = path;
  if (version !== 'v3') return undefined;
  if (groupVersion.length === 0) return index(kinds);
  const described = kinds.filter((kind) => rootOf(kind) === groupVersion.join('/'));
  return described.length === 0 ? undefined : document(described);
}

const index = (kinds: readonly ServedKind[]): JsonObject => {
  const roots = [...new Set(kinds.map(rootOf))];
  return {
    paths: Object.fromEntries(roots.map((root) => [root, { serverRelativeURL: `/openapi/v3/${root}` }])),
  };
};

const document = (kinds: readonly ServedKind[]): JsonObject => ({
  openapi: '3.0.0',
  info: { title: 'Kubernetes', version: '1.37' },
  paths: Object.fromEntries(kinds.map((kind) => [`/${pathOf(kind)}`, { patch: patchOf(kind) }])),
  components: { schemas: Object.fromEntries(kinds.map((kind) => [schemaNameOf(kind), schemaOf(kind)])) },
});

const patchOf = (kind: ServedKind): JsonObject => ({
  parameters: ['dryRun', 'fieldManager', 'fieldValidation'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string' },
  })),
  responses: { '200': { description: 'OK' } },
  'x-kubernetes-action': 'patch',
  'x-kubernetes-group-version-kind': identityOf(kind),
});

const schemaOf = (kind: ServedKind): JsonObject => ({
  type: 'object',
  'x-kubernetes-group-version-kind': [identityOf(kind)],
  'x-kubernetes-preserve-unknown-fields': true,
});

const identityOf = ({ group, version, kind }: ServedKind): JsonObject => ({ group, version, kind });

const schemaNameOf = ({ group, version, kind }: ServedKind): string =>
  [...group.split('.').reverse(), version, kind].filter(Boolean).join('.');

const rootOf = ({ group, version }: ServedKind): string =>
  group === '' ? `api/${version}` : `apis/${group}/${version}`;

const pathOf = (kind: ServedKind): string =>
  `${rootOf(kind)}/${kind.namespaced ? 'namespaces/{namespace}/' : ''}${kind.plural}/{name}`;
