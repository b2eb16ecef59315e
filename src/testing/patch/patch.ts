import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { badRequest, failure, invalid, unsupportedMediaType } from '../status.ts';
import { jsonPatch } from './jsonPatch.ts';
import { fieldRulesOf } from './mergeKeys.ts';
import { mergePatch } from './mergePatch.ts';
import { strategicMergePatch } from './strategicMergePatch.ts';

const jsonPatchType = 'application/json-patch+json';
const mergePatchType = 'application/merge-patch+json';
const strategicMergePatchType = 'application/strategic-merge-patch+json';

export interface PatchedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Defined by a CustomResourceDefinition: there are no Go types that could say how to merge lists. */
  readonly custom?: boolean;
}

/**
 * What a patch makes of an object. `current` stays as it is.
 *
 * Errors: a `StatusError`, as kube-apiserver answers: 415 for a kind of patch it does not know (or this server: there
 * is no server-side apply), 400 for a body that is no such patch, 422 for one that cannot be applied.
 */
export function applyPatch(
  contentType: string,
  current: JsonObject,
  body: unknown,
  kind: PatchedKind,
): JsonObject {
  const type = contentType.replace(/;.*/s, '').trim();
  const accepted = acceptedTypes(kind);
  if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
  // It was parsed from JSON.
  const patch = body as JsonValue;
  switch (type) {
    case jsonPatchType:
      return object(applyJsonPatch(current, patch));
    case mergePatchType:
      if (typeof patch !== 'object' || patch === null) throw badRequest('Invalid JSON Patch');
      return object(mergePatch(current, patch));
    default:
      if (!isJsonObject(patch)) throw badRequest('the patch must be an object');
      return strategicMergePatch(current, patch, fieldRulesOf(kind));
  }
}

export const acceptedTypes = ({ custom = false }: PatchedKind): string[] =>
  custom ? [jsonPatchType, mergePatchType] : [jsonPatchType, mergePatchType, strategicMergePatchType];

function applyJsonPatch(current: JsonObject, patch: JsonValue): JsonValue {
  if (!Array.isArray(patch)) throw badRequest('a JSON patch must be an array of operations');
  try {
    return jsonPatch(current, patch);
  } catch {
    // Which operation failed, and why, the server keeps to itself.
    throw failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
  }
}

function object(patched: JsonValue): JsonObject {
  if (isJsonObject(patched)) return patched;
  const message = `Invalid value: ${JSON.stringify(JSON.stringify(patched))}: the patched document must be an object`;
  throw invalid({ group: '', kind: '' }, '', [{ reason: 'FieldValueInvalid', message, field: 'patch' }]);
}
