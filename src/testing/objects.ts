import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import type { ServedKind } from './kinds.ts';

/** Stored objects have no `kind` and `apiVersion`: the same object is served in each version of its kind. */
export type StoredObject = JsonObject;

export const metadataOf = (object: JsonObject): JsonObject => objectAt(object, 'metadata');
export const nameOf = (object: JsonObject): string => textAt(metadataOf(object), 'name');
export const namespaceOf = (object: JsonObject): string => textAt(metadataOf(object), 'namespace');
export const uidOf = (object: JsonObject): string => textAt(metadataOf(object), 'uid');
export const versionOf = (object: JsonObject): string => textAt(metadataOf(object), 'resourceVersion');

export const finalizersOf = (object: JsonObject): string[] => textsAt(metadataOf(object), 'finalizers');
export const isBeingDeleted = (object: JsonObject): boolean =>
  textAt(metadataOf(object), 'deletionTimestamp') !== '';

/** What a store knows an object by: `namespace/name`, or `name`. */
export const keyOf = (namespace: string, name: string): string =>
  namespace === '' ? name : `${namespace}/${name}`;

export const apiVersionOf = ({ group, version }: Pick<ServedKind, 'group' | 'version'>): string =>
  group === '' ? version : `${group}/${version}`;

/** The same object with other metadata; `undefined` takes a field away. */
export function withMetadata(
  object: JsonObject,
  changes: Readonly<Record<string, JsonValue | undefined>>,
): JsonObject {
  const metadata: JsonObject = {};
  for (const [field, value] of Object.entries({ ...metadataOf(object), ...changes })) {
    if (value !== undefined) metadata[field] = value;
  }
  return { ...object, metadata };
}

export const without = (object: JsonObject, ...fields: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));

export const withoutType = (object: JsonObject): StoredObject => without(object, 'kind', 'apiVersion');

/** As it comes over the wire, its fields in the order in which kube-apiserver writes them. */
export function withType(kind: ServedKind, stored: StoredObject): JsonObject {
  const type = { kind: kind.kind, apiVersion: apiVersionOf(kind) };
  return { ...type, ...stored };
}

/**
 * The fields in the order in which kube-apiserver writes them: those of a custom object are sorted, a built-in one
 * begins with its metadata.
 */
export function inWireOrder(kind: ServedKind, object: StoredObject): StoredObject {
  if (kind.custom === true) return sorted(object);
  return { metadata: metadataInWireOrder(metadataOf(object)), ...without(object, 'metadata') };
}

/** What metadata there is, and nothing else: unknown fields are dropped, and empty ones. */
export function metadataInWireOrder(metadata: JsonObject): JsonObject {
  const ordered: JsonObject = {};
  for (const field of metadataOrder) {
    const value = metadata[field];
    if (value !== undefined && !isEmpty(value)) ordered[field] = value;
  }
  return ordered;
}

const isEmpty = (value: JsonValue): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

const metadataOrder = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

function sorted<T extends JsonValue>(value: T): T;
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => sorted(item));
  if (!isJsonObject(value)) return value;
  const byName = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(byName.map(([field, item]) => [field, sorted(item)]));
}

export function objectAt(object: JsonObject, field: string): JsonObject {
  const value = object[field];
  return isJsonObject(value) ? value : {};
}

export function textAt(object: JsonObject, field: string): string {
  const value = object[field];
  return typeof value === 'string' ? value : '';
}

export function textsAt(object: JsonObject, field: string): string[] {
  const value = object[field];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
