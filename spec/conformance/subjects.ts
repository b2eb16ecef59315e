import type { JsonObject, JsonValue } from '../../src/testing/json.ts';

/** A kind that scenarios are run with. */
export interface Subject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly root: string;
  /** What an object of this kind says, other than its metadata. */
  content(value: JsonValue): JsonObject;
}

export const configMaps: Subject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  root: '/api/v1',
  content: (value) => ({ data: { value } }),
};

/** Of these the real server keeps no cache in memory, so a compaction of etcd can be seen. */
export const secrets: Subject = {
  apiVersion: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  root: '/api/v1',
  content: (value) => ({ type: 'Opaque', data: { value } }),
};

const group = 'conformance.example.com';

const custom = (kind: string, plural: string): Subject => ({
  apiVersion: `${group}/v1`,
  kind,
  plural,
  root: `/apis/${group}/v1`,
  content: (value) => ({ spec: { value } }),
});

export const widgets = custom('Widget', 'widgets');

/** Widgets with a status subresource. */
export const gadgets = custom('Gadget', 'gadgets');

export const definitions: readonly JsonObject[] = [define(widgets, {}), define(gadgets, { status: {} })];

function define({ kind, plural }: Subject, subresources: JsonObject): JsonObject {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources }],
    },
  };
}
