import { isJsonObject, type JsonObject } from '../json.ts';
import { nameOf, namespaceOf, type StoredObject, withMetadata, withoutType } from '../objects.ts';
import type { Target } from '../paths.ts';
import type { Part } from '../registry/strategy.ts';
import { badRequest, invalid } from '../status.ts';

/** Which part of the object a write to this path changes. */
export const partOf = ({ subresource }: Target): Part => (subresource === '' ? 'object' : subresource);

/** Errors: StatusError 422 for anything but `All`. */
export function isDryRun(query: URLSearchParams, optionsKind: string): boolean {
  const values = query.getAll('dryRun');
  if (values.length === 0) return false;
  if (values.every((value) => value === 'All')) return true;
  const message = `Unsupported value: ${JSON.stringify(values)}: supported values: "All"`;
  throw invalid({ group: 'meta.k8s.io', kind: optionsKind }, '', [
    { reason: 'FieldValueNotSupported', message, field: 'dryRun' },
  ]);
}

/** The object as it is stored, in the namespace of the path. Errors: StatusError 400 where it names another. */
export function inTarget(object: JsonObject, { kind, namespace }: Target): StoredObject {
  const own = namespaceOf(object);
  if (own !== '' && own !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const cleaned = isJsonObject(object.metadata) ? object : { ...object, metadata: {} };
  return withMetadata(withoutType(cleaned), { namespace: kind.namespaced ? namespace : undefined });
}

/** Errors: StatusError 400 where the object has another name than the path. */
export function requireName(object: JsonObject, { name }: Target): void {
  const own = nameOf(object);
  if (own === name) return;
  throw badRequest(
    own === ''
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${own}) does not match the name on the URL (${name})`,
  );
}
