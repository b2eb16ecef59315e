import { goText, goTypeOf } from '../goText.ts';
import { isJsonObject, type JsonObject, type JsonValue, setField } from '../json.ts';
import { badRequest, unexplained } from '../status.ts';
import { type Identity, orderElements } from './elementOrder.ts';
import type { FieldRule, FieldRules } from './mergeKeys.ts';

const directive = '$patch';
const retainKeys = '$retainKeys';
const elementOrder = '$setElementOrder/';
const deletion = '$deleteFromPrimitiveList/';

/**
 * A merge patch that merges some lists too, element by element, and knows directives: `$patch` (`replace`, `delete`),
 * `$retainKeys`, `$setElementOrder/list` and `$deleteFromPrimitiveList/list`.
 */
export function strategicMergePatch(current: JsonObject, patch: JsonObject, rules: FieldRules): JsonObject {
  const { [directive]: whole, ...changes } = patch;
  if (whole === 'replace') return cleanObject(changes);
  if (whole === 'delete') return {};
  if (whole !== undefined) throw unknownDirective(patch, whole);

  const merged = retained(current, changes);
  for (const [field, value] of Object.entries(changes)) {
    if (field === retainKeys || field.startsWith(elementOrder)) continue;
    if (field.startsWith(deletion)) deleteScalars(merged, field.slice(deletion.length), value);
    else setField(merged, field, mergedValue(current[field], value, rules[field]));
  }
  for (const [field, order] of Object.entries(changes)) {
    if (field.startsWith(elementOrder))
      reorder(merged, current, field.slice(elementOrder.length), order, rules);
  }
  return merged;
}

/** `undefined`: no such field any more. */
function mergedValue(
  current: JsonValue | undefined,
  patch: JsonValue,
  rule: FieldRule = {},
): JsonValue | undefined {
  if (patch === null) return undefined;
  if (isJsonObject(patch) && isJsonObject(current)) {
    return rule.strategy === 'replace'
      ? cleanObject(patch)
      : strategicMergePatch(current, patch, rule.fields ?? {});
  }
  if (Array.isArray(patch) && Array.isArray(current)) {
    return rule.strategy === 'merge' ? mergeLists(current, patch, rule) : cleanList(patch);
  }
  return clean(patch);
}

function mergeLists(current: JsonValue[], patch: JsonValue[], rule: FieldRule): JsonValue[] {
  const identityOf = identity(rule);
  const named = patch.filter((element) => directiveOf(element) === undefined);
  const directives = patch.filter((element) => directiveOf(element) !== undefined);
  if (directives.some((element) => directiveOf(element) === 'replace')) return cleanList(named);

  const elements = new Map(current.map((element) => [identityOf(element), element]));
  for (const element of directives) {
    const directed = directiveOf(element);
    if (directed !== 'delete') throw unknownDirective(element, directed);
    elements.delete(identityOf(element));
  }
  for (const element of named) {
    const id = identityOf(element);
    const old = elements.get(id);
    const isKnown = isJsonObject(old) && isJsonObject(element);
    elements.set(
      id,
      isKnown ? strategicMergePatch(old, element, rule.fields ?? {}) : (clean(element) ?? null),
    );
  }
  return orderElements([...elements.values()], current, named, identityOf);
}

const unknownDirective = (patch: JsonValue, found: JsonValue = null) =>
  unexplained(`unknown patch type: ${goText(found)} in map: ${goText(patch)}`);

const directiveOf = (element: JsonValue): JsonValue | undefined =>
  isJsonObject(element) ? element[directive] : undefined;

const identity =
  ({ mergeKey }: FieldRule): Identity =>
  (element) => {
    if (!isJsonObject(element)) return element;
    const id = mergeKey === undefined ? undefined : element[mergeKey];
    if (id !== undefined) return id;
    throw unexplained(`map: ${goText(element)} does not contain declared merge key: ${mergeKey ?? ''}`);
  };

/** The fields that `$retainKeys` does not name are gone, and the patch may set no other ones. */
function retained(current: JsonObject, patch: JsonObject): JsonObject {
  const { [retainKeys]: keys } = patch;
  if (keys === undefined) return { ...current };
  const isSet = ([field, value]: [string, JsonValue]) => value !== null && !isDirective(field);
  if (
    !Array.isArray(keys) ||
    !Object.entries(patch)
      .filter(isSet)
      .every(([field]) => keys.includes(field))
  ) {
    throw badRequest('invalid patch format of retainKeys');
  }
  return Object.fromEntries(Object.entries(current).filter(([field]) => keys.includes(field)));
}

function deleteScalars(merged: JsonObject, field: string, gone: JsonValue): void {
  const { [field]: list } = merged;
  if (Array.isArray(list) && Array.isArray(gone))
    merged[field] = list.filter((element) => !gone.includes(element));
}

function reorder(
  merged: JsonObject,
  current: JsonObject,
  field: string,
  order: JsonValue,
  rules: FieldRules,
): void {
  if (!Array.isArray(order))
    throw unexplained(`expected a []interface {}, but received a ${goTypeOf(order)}`);
  const { [field]: list } = merged;
  if (!Array.isArray(list)) return;
  const { [field]: before } = current;
  merged[field] = orderElements(
    list,
    Array.isArray(before) ? before : [],
    order,
    identity(rules[field] ?? {}),
  );
}

/** What a patch says where there is nothing yet: nulls delete nothing, and there is nothing to direct. */
function clean(patch: JsonValue): JsonValue | undefined {
  if (directiveOf(patch) !== undefined) return undefined;
  if (Array.isArray(patch)) return cleanList(patch);
  return isJsonObject(patch) ? cleanObject(patch) : patch;
}

const cleanList = (list: JsonValue[]): JsonValue[] => list.flatMap((element) => clean(element) ?? []);

function cleanObject(patch: JsonObject): JsonObject {
  const kept: JsonObject = {};
  for (const [field, value] of Object.entries(patch)) {
    if (value !== null && !isDirective(field)) setField(kept, field, clean(value));
  }
  return kept;
}

const isDirective = (field: string): boolean =>
  field === retainKeys || field.startsWith(elementOrder) || field.startsWith(deletion);
