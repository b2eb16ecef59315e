import { noObject } from '../decode.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { badRequest, failure, quote, unsupportedMediaType } from '../status.ts';
import { jsonPatch } from './jsonPatch.ts';
import { fieldRulesOf } from './mergeKeys.ts';
import { mergePatch } from './mergePatch.ts';
import { strategicMergePatch } from './strategicMergePatch.ts';

const jsonPatchType = 'application/json-patch+json';
const mergePatchType = 'application/merge-patch+json';
const strategicMergePatchType = 'application/strategic-merge-patch+json';
const applyPatchType = 'application/apply-patch+yaml';
const builtinTypes = [jsonPatchType, mergePatchType, strategicMergePatchType];

export interface PatchedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Defined by a CustomResourceDefinition: there are no Go types that could say how to merge lists. */
  readonly custom?: boolean;
}

/**
 * The type of a patch, without its parameters.
 *
 * Errors: StatusError 415 for one that this kind is not patched with.
 */
export function patchTypeOf(contentType: string, { custom = false }: PatchedKind): string {
  const type = contentType.replace(/;.*/s, '').trim();
  const accepted = custom ? [jsonPatchType, mergePatchType] : builtinTypes;
  if (accepted.includes(type)) return type;
  if (type === applyPatchType) {
    throw failure(415, 'UnsupportedMediaType', 'this server has no server-side apply: send another patch');
  }
  if (custom) throw unsupportedMediaType([...accepted, applyPatchType]);
  throw failure(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

/**
 * What a patch makes of an object. `current` stays as it is; `body` was parsed from JSON.
 *
 * Errors: StatusError, as kube-apiserver answers: 415 as `patchTypeOf`, 400 for a body that is no such patch, 422 for
 * one that cannot be applied.
 */
export function applyPatch(
  contentType: string,
  current: JsonObject,
  body: unknown,
  kind: PatchedKind,
): JsonObject {
  const patch = body as JsonValue;
  switch (patchTypeOf(contentType, kind)) {
    case jsonPatchType:
      return object(applyJsonPatch(current, patch));
    case mergePatchType:
      if (patch === null) throw badRequest('Invalid JSON Patch');
      if (!isJsonObject(patch)) throw badRequest(`error decoding patch: ${mismatch(patch, goMap)}`);
      return object(mergePatch(current, patch));
    default:
      if (patch !== null && !isJsonObject(patch)) throw badRequest(mismatch(patch, goMap));
      return strategicMergePatch(current, patch ?? {}, fieldRulesOf(kind));
  }
}

const goMap = 'map[string]interface {}';

function mismatch(patch: JsonValue, goType: string): string {
  const found = Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : typeof patch;
  return `json: cannot unmarshal ${found} into Go value of type ${goType}`;
}

function applyJsonPatch(current: JsonObject, patch: JsonValue): JsonValue {
  if (patch === null) return current;
  if (!Array.isArray(patch)) {
    throw badRequest(`error decoding patch: ${mismatch(patch, '[]handlers.jsonPatchOp')}`);
  }
  try {
    return jsonPatch(current, patch);
  } catch {
    // Which operation failed, and why, the server keeps to itself.
    throw failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
  }
}

function object(patched: JsonValue): JsonObject {
  if (isJsonObject(patched)) return patched;
  const message = `Invalid value: ${quote(JSON.stringify(patched))}: ${noObject(patched)}`;
  const cause = { reason: 'FieldValueInvalid', message, field: 'patch' };
  throw failure(422, 'Invalid', ` "" is invalid: patch: ${message}`, { causes: [cause] });
}
