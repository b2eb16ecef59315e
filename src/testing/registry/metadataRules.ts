import type { JsonObject } from '../json.ts';
import type { ServedKind } from '../kinds.ts';
import {
  labelErrors,
  labelKeyErrors,
  labelValueErrors,
  pathSegmentErrors,
  subdomainErrors,
} from '../names.ts';
import { finalizersOf, isBeingDeleted, metadataOf, nameOf, objectAt, uidOf } from '../objects.ts';
import { invalid, quote, type StatusCause } from '../status.ts';

/** Errors: StatusError 422. */
export function requireValidMetadata(kind: ServedKind, object: JsonObject, old?: JsonObject): void {
  const causes = [
    ...(old === undefined ? nameCauses(kind, object) : []),
    ...labelCauses(object),
    ...finalizerCauses(object, old),
    ...(old === undefined ? [] : identityCauses(object, old)),
  ];
  if (causes.length > 0) throw invalid(kind, nameOf(object), causes);
}

function nameCauses(kind: ServedKind, object: JsonObject): StatusCause[] {
  const name = nameOf(object);
  if (name === '') {
    const message = 'Required value: name or generateName is required';
    return [{ reason: 'FieldValueRequired', message, field: 'metadata.name' }];
  }
  return invalidValues('metadata.name', name, nameErrorsOf(kind)(name));
}

const nameErrorsOf = ({ group, kind }: ServedKind): ((name: string) => string[]) => {
  if (group === 'rbac.authorization.k8s.io') return pathSegmentErrors;
  return group === '' && kind === 'Namespace' ? labelErrors : subdomainErrors;
};

function labelCauses(object: JsonObject): StatusCause[] {
  const labels = Object.entries(objectAt(metadataOf(object), 'labels'));
  return labels.flatMap(([key, value]) => [
    ...invalidValues('metadata.labels', key, labelKeyErrors(key)),
    ...invalidValues('metadata.labels', String(value), labelValueErrors(String(value))),
  ]);
}

const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

function finalizerCauses(object: JsonObject, old: JsonObject | undefined): StatusCause[] {
  const finalizers = finalizersOf(object);
  const unqualified = finalizers.flatMap((name, i) => {
    const field = `metadata.finalizers[${String(i)}]`;
    const errors = labelKeyErrors(name);
    if (errors.length > 0 || name.includes('/') || standardFinalizers.has(name)) {
      return invalidValues(field, name, errors);
    }
    return invalidValues(field, name, [
      'name is neither a standard finalizer name nor is it fully qualified',
    ]);
  });
  return [...unqualified, ...(old === undefined ? [] : addedFinalizerCauses(finalizers, old))];
}

function addedFinalizerCauses(finalizers: readonly string[], old: JsonObject): StatusCause[] {
  const held = finalizersOf(old);
  const added = finalizers.filter((name) => !held.includes(name));
  if (!isBeingDeleted(old) || added.length === 0) return [];
  const found = `[]string{${added.map(quote).join(', ')}}`;
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${found}`;
  return [{ reason: 'FieldValueForbidden', message, field: 'metadata.finalizers' }];
}

const identityCauses = (object: JsonObject, old: JsonObject): StatusCause[] =>
  nameOf(object) === nameOf(old) && uidOf(object) === uidOf(old)
    ? []
    : invalidValues('metadata.uid', uidOf(object), ['field is immutable']);

const invalidValues = (field: string, value: string, errors: readonly string[]): StatusCause[] =>
  errors.map((error) => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${quote(value)}: ${error}`,
    field,
  }));
