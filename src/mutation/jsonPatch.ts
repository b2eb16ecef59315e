import { isRecord } from '../checks.ts';

/** An operation of RFC 6902. */
export type JsonPatchOperation =
  | { readonly op: 'test' | 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** As the body of a request its type is `application/json-patch+json`. */
export type JsonPatch = readonly JsonPatchOperation[];

/**
 * What makes `after` of `before`, both plain data. Parts that are the same reference are not looked into. A member
 * that is `undefined` is one that is not there, as in JSON.
 */
export function jsonPatchBetween(before: unknown, after: unknown, path = ''): JsonPatchOperation[] {
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after)) return ofArrays(before, after, path);
  if (isRecord(before) && isRecord(after)) return ofRecords(before, after, path);
  return [{ op: 'replace', path, value: after }];
}

/** The path of a member or an element. */
export const pointerTo = (path: string, member: string | number): string =>
  `${path}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;

type Members = Readonly<Record<string, unknown>>;

function ofRecords(before: Members, after: Members, path: string): JsonPatchOperation[] {
  const gone = membersOf(before).filter((name) => !has(after, name));
  const removed = gone.map((name): JsonPatchOperation => ({ op: 'remove', path: pointerTo(path, name) }));
  return [
    ...removed,
    ...membersOf(after).flatMap((name): JsonPatchOperation[] => {
      const at = pointerTo(path, name);
      if (!has(before, name)) return [{ op: 'add', path: at, value: after[name] }];
      return jsonPatchBetween(before[name], after[name], at);
    }),
  ];
}

const has = (record: Members, name: string): boolean =>
  Object.hasOwn(record, name) && record[name] !== undefined;

const membersOf = (record: Members): string[] => Object.keys(record).filter((name) => has(record, name));

/** Elements at both ends that stayed are left alone, so that one taken out of the middle is one operation. */
function ofArrays(before: readonly unknown[], after: readonly unknown[], path: string): JsonPatchOperation[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSame(before[start], after[start])) start += 1;
  let rest = 0;
  while (rest < shorter - start && isSame(before.at(-1 - rest), after.at(-1 - rest))) rest += 1;

  const end = { before: before.length - rest, after: after.length - rest };
  const operations: JsonPatchOperation[] = [];
  for (let i = start; i < Math.min(end.before, end.after); i += 1) {
    operations.push(...jsonPatchBetween(before[i], after[i], pointerTo(path, i)));
  }
  // From the end, so that no place moves before its turn.
  for (let i = end.before - 1; i >= end.after; i -= 1) {
    operations.push({ op: 'remove', path: pointerTo(path, i) });
  }
  for (let i = end.before; i < end.after; i += 1) {
    operations.push({ op: 'add', path: pointerTo(path, i), value: after[i] });
  }
  return operations;
}

const isSame = (before: unknown, after: unknown): boolean => jsonPatchBetween(before, after).length === 0;
