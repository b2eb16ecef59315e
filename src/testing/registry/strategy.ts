import { isJsonObject, type JsonObject, sameJson } from '../json.ts';
import type { ServedKind } from '../kinds.ts';
import {
  metadataOf,
  nameOf,
  objectAt,
  type StoredObject,
  textsAt,
  withMetadata,
  without,
} from '../objects.ts';

/**
 * Which part of an object a write may change. `object` is a request to the object itself, which leaves its status
 * alone where that has a path of its own; `whole` is a write from within, by the test.
 */
export type Part = 'object' | 'status' | 'finalize' | 'whole';

export const isKind = ({ group, kind }: ServedKind, wantedGroup: string, wantedKind: string): boolean =>
  group === wantedGroup && kind === wantedKind;

/** What the kind adds to a new object, or takes from it. */
export function preparedForCreate(kind: ServedKind, object: StoredObject, part: Part): StoredObject {
  const given = kind.status === true && part !== 'whole' ? without(object, 'status') : object;
  const first = counts(kind) ? withMetadata(given, { generation: 1 }) : given;
  if (isKind(kind, '', 'Namespace')) return newNamespace(first);
  if (isKind(kind, '', 'Pod')) return newPod(first);
  if (isKind(kind, 'apiextensions.k8s.io', 'CustomResourceDefinition')) return established(first);
  return isKind(kind, '', 'Secret') ? { ...first, type: first.type ?? 'Opaque' } : first;
}

/** What a write of that part makes of the old object. */
export function preparedForUpdate(
  kind: ServedKind,
  object: StoredObject,
  old: StoredObject,
  part: Part,
): StoredObject {
  const next = merged(kind, object, old, part);
  const { generation } = metadataOf(old);
  if (!counts(kind) || typeof generation !== 'number') return withMetadata(next, { generation });
  return withMetadata(next, { generation: asksForMore(kind, next, old) ? generation + 1 : generation });
}

function merged(kind: ServedKind, object: StoredObject, old: StoredObject, part: Part): StoredObject {
  switch (part) {
    case 'whole':
      return object;
    case 'finalize':
      return { ...old, spec: withoutEmpty(objectAt(object, 'spec')) };
    case 'status':
      return withField(
        kind.custom === true ? old : { ...old, metadata: metadataOf(object) },
        'status',
        object,
      );
    case 'object':
      return kind.status === true ? withField(object, 'status', old) : object;
  }
}

function withField(object: StoredObject, field: string, from: StoredObject): StoredObject {
  const value = from[field];
  return value === undefined ? without(object, field) : { ...object, [field]: value };
}

const withoutEmpty = (spec: JsonObject): JsonObject => (textsAt(spec, 'finalizers').length === 0 ? {} : spec);

const counts = (kind: ServedKind): boolean => kind.generation === true || kind.custom === true;

function asksForMore(kind: ServedKind, next: StoredObject, old: StoredObject): boolean {
  if (!sameJson(desired(kind, next), desired(kind, old))) return true;
  if (!isKind(kind, 'apps', 'Deployment')) return false;
  return !sameJson(objectAt(metadataOf(next), 'annotations'), objectAt(metadataOf(old), 'annotations'));
}

const desired = (kind: ServedKind, object: StoredObject): JsonObject =>
  without(object, 'metadata', kind.status === true ? 'status' : '');

function newNamespace(object: StoredObject): StoredObject {
  const labels = {
    ...objectAt(metadataOf(object), 'labels'),
    'kubernetes.io/metadata.name': nameOf(object),
  };
  const spec = { ...objectAt(object, 'spec'), finalizers: ['kubernetes'] };
  return { ...withMetadata(object, { labels }), spec, status: { phase: 'Active' } };
}

const newPod = (object: StoredObject): StoredObject => ({
  ...object,
  status: { phase: 'Pending', qosClass: 'BestEffort', ...objectAt(object, 'status') },
});

function established(crd: StoredObject): StoredObject {
  const spec = objectAt(crd, 'spec');
  const { creationTimestamp } = metadataOf(crd);
  const versions = Array.isArray(spec.versions) ? spec.versions.filter(isJsonObject) : [];
  const condition = (type: string, reason: string, message: string): JsonObject => ({
    type,
    status: 'True',
    lastTransitionTime: creationTimestamp ?? null,
    reason,
    message,
  });
  const status = {
    conditions: [
      condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ],
    acceptedNames: objectAt(spec, 'names'),
    storedVersions: versions.filter(({ storage }) => storage === true).map(({ name }) => name ?? ''),
  };
  return { ...crd, status };
}
