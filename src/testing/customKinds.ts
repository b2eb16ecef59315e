import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import type { ServedKind } from './kinds.ts';

/** The kinds that a CustomResourceDefinition (apiextensions.k8s.io/v1) makes the server serve, one a served version. */
export function servedKindsOf(crd: JsonObject): ServedKind[] {
  const spec = objectAt(crd, 'spec');
  const names = objectAt(spec, 'names');
  const kind = textAt(names, 'kind');
  const common = {
    group: textAt(spec, 'group'),
    kind,
    plural: textAt(names, 'plural'),
    singular: textAt(names, 'singular') || kind.toLowerCase(),
    namespaced: spec.scope === 'Namespaced',
    shortNames: textsAt(names, 'shortNames'),
    categories: textsAt(names, 'categories'),
    custom: true,
    generation: true,
  };
  return listAt(spec, 'versions')
    .filter(isJsonObject)
    .filter((version) => version.served === true)
    .map((version) => ({
      ...common,
      version: textAt(version, 'name'),
      status: isJsonObject(objectAt(version, 'subresources').status),
    }));
}

const objectAt = (object: JsonObject, field: string): JsonObject => {
  const value = object[field];
  return isJsonObject(value) ? value : {};
};

const listAt = (object: JsonObject, field: string): JsonValue[] => {
  const value = object[field];
  return Array.isArray(value) ? value : [];
};

const textAt = (object: JsonObject, field: string): string => {
  const value = object[field];
  return typeof value === 'string' ? value : '';
};

const textsAt = (object: JsonObject, field: string): string[] =>
  listAt(object, field).filter((text) => typeof text === 'string');
