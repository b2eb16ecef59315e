import { isJsonObject, type JsonObject, type JsonValue, setField } from '../json.ts';

/** RFC 7386: fields of the patch take the place of the old ones, objects are merged, `null` deletes. */
export function mergePatch(current: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const merged: JsonObject = isJsonObject(current) ? { ...current } : {};
  for (const [field, value] of Object.entries(patch)) {
    setField(merged, field, value === null ? undefined : mergePatch(merged[field], value));
  }
  return merged;
}
