/** Anything JSON can say. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [field: string]: JsonValue;
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sets a field, or deletes it where the value is `undefined`. */
export function setField(object: JsonObject, field: string, value: JsonValue | undefined): void {
  if (value === undefined) Reflect.deleteProperty(object, field);
  else object[field] = value;
}

/** Whether both say the same; the order of fields says nothing. */
export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  }
  if (isJsonObject(a)) {
    if (!isJsonObject(b)) return false;
    const fields = Object.keys(a);
    return (
      fields.length === Object.keys(b).length &&
      fields.every((field) => Object.hasOwn(b, field) && sameJson(a[field], b[field]))
    );
  }
  return a === b;
}
