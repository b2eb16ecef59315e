import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { ServedKind } from '../kinds.ts';
import {
  labelErrors,
  labelKeyErrors,
  labelValueErrors,
  pathSegmentErrors,
  subdomainErrors,
} from '../names.ts';
import { finalizersOf, isBeingDeleted, metadataOf, nameOf, objectAt, textAt } from '../objects.ts';
import { invalid, quote, type StatusCause } from '../status.ts';

/** Errors: StatusError 422. */
export function requireValidMetadata(kind: ServedKind, object: JsonObject, old?: JsonObject): void {
  const causes = [
    ...(old === undefined ? nameCauses(kind, object) : []),
    ...labelCauses(object),
    ...ownerCauses(object),
    ...finalizerCauses(kind, object),
    ...(old === undefined ? [] : changeCauses(kind, object, old)),
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
  const labels = objectAt(metadataOf(object), 'labels');
  return Object.keys(labels).flatMap((key) => {
    const value = textAt(labels, key);
    return [
      ...invalidValues('metadata.labels', key, labelKeyErrors(key)),
      ...invalidValues('metadata.labels', value, labelValueErrors(value)),
    ];
  });
}

const standardFinalizers = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

function ownerCauses(object: JsonObject): StatusCause[] {
  const { ownerReferences: owners } = metadataOf(object);
  if (!Array.isArray(owners)) return [];
  return owners.flatMap((owner, i) =>
    ['apiVersion', 'kind', 'name', 'uid']
      .filter((field) => !isJsonObject(owner) || textAt(owner, field) === '')
      .map((field) => ({
        reason: 'FieldValueRequired',
        message: 'Required value: must not be empty',
        field: `metadata.ownerReferences[${String(i)}].${field}`,
      })),
  );
}

function finalizerCauses(kind: ServedKind, object: JsonObject): StatusCause[] {
  const finalizers = finalizersOf(object);
  const unreadable = finalizers.flatMap((name) =>
    invalidValues('metadata.finalizers', name, labelKeyErrors(name)),
  );
  if (kind.custom === true) return unreadable;
  const unqualified = finalizers.flatMap((name, i) =>
    name.includes('/') || standardFinalizers.has(name)
      ? []
      : invalidValues(`metadata.finalizers[${String(i)}]`, name, [
          'name is neither a standard finalizer name nor is it fully qualified',
        ]),
  );
  return [...unreadable, ...unqualified];
}

/** Of custom objects kube-apiserver checks this twice, and says so. */
function changeCauses(kind: ServedKind, object: JsonObject, old: JsonObject): StatusCause[] {
  const causes = [...addedFinalizerCauses(finalizersOf(object), old), ...immutableCauses(object, old)];
  return kind.custom === true ? [...causes, ...causes] : causes;
}

function addedFinalizerCauses(finalizers: readonly string[], old: JsonObject): StatusCause[] {
  const held = finalizersOf(old);
  const added = finalizers.filter((name) => !held.includes(name));
  if (!isBeingDeleted(old) || added.length === 0) return [];
  const found = `[]string{${added.map(quote).join(', ')}}`;
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${found}`;
  return [{ reason: 'FieldValueForbidden', message, field: 'metadata.finalizers' }];
}

const immutableFields = ['uid', 'deletionTimestamp', 'deletionGracePeriodSeconds'];

const immutableCauses = (object: JsonObject, old: JsonObject): StatusCause[] =>
  immutableFields.flatMap((field) => {
    const value = metadataOf(object)[field];
    return value === undefined || value === metadataOf(old)[field]
      ? []
      : invalidValues(`metadata.${field}`, value, ['field is immutable']);
  });

const invalidValues = (field: string, value: JsonValue, errors: readonly string[]): StatusCause[] =>
  errors.map((error) => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(value)}: ${error}`,
    field,
  }));
