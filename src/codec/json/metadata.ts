import type { ManagedFieldsEntry, ObjectMeta } from '../../kubernetes/objects.ts';
import { freezeDeep, type Objects } from '../freeze.ts';
import { COMMA, NOWHERE, textOf } from './bytes.ts';
import type { Held } from './held.ts';
import type { Span } from './lazyPart.ts';
import { LazyPart } from './lazyPart.ts';
import { Members } from './members.ts';
import { parseJson } from './parse.ts';
import { skipBlanks } from './skip.ts';

export type ManagedFields = LazyPart<ManagedFieldsEntry[]>;

export interface DecodedMetadata {
  readonly meta: ObjectMeta;
  /** Most of the bytes and hardly ever read, so they are decoded when they are. */
  readonly managedFields: ManagedFields | undefined;
  /** Where in the bytes the metadata ended. */
  readonly end: number;
}

/**
 * Decodes an object's metadata. Throws SyntaxError.
 *
 * @param at Where the metadata begins.
 * @param onError Told where `managedFields` turn out to be damaged when they are read.
 */
export function decodeMetadata(
  held: Held,
  at: number,
  onError: (cause: unknown) => void,
  objects: Objects = 'frozen',
): DecodedMetadata {
  let member: Span | undefined;
  let managedFields: ManagedFields | undefined;
  const members = new Members(held, at, held.length);
  while (members.next()) {
    if (!members.is('managedFields')) continue;
    member = [members.start, members.skipValue()];
    managedFields = new LazyPart(held, [members.value, members.skipValue()], onError, objects);
  }
  const { end } = members;
  if (end === NOWHERE) throw new SyntaxError('the metadata is damaged');

  const text = member === undefined ? textOf(held, at, end) : textWithout(held, member, [at, end]);
  const meta = parseJson(text) as ObjectMeta;
  if (objects === 'frozen') for (const value of Object.values(meta)) freezeDeep<unknown>(value);
  if (managedFields !== undefined) addManagedFields(meta, managedFields);
  if (objects === 'frozen') Object.freeze(meta);
  return { meta, managedFields, end };
}

/** The text of an object without one of its members. */
function textWithout(bytes: Uint8Array, [memberStart, memberEnd]: Span, [start, end]: Span): string {
  const next = skipBlanks(bytes, memberEnd, end);
  // One of the commas around it goes, too.
  if (bytes[next] === COMMA) return textOf(bytes, start, memberStart) + textOf(bytes, next + 1, end);
  return textOf(bytes, start, bytes.lastIndexOf(COMMA, memberStart)) + textOf(bytes, memberEnd, end);
}

const MANAGED_FIELDS = Symbol('managedFields');

/** One getter for all: with one each, no two metadata would have the same hidden class. */
const GETTER: PropertyDescriptor & ThisType<{ readonly [MANAGED_FIELDS]: ManagedFields }> = {
  enumerable: true,
  get() {
    return this[MANAGED_FIELDS].value;
  },
};

function addManagedFields(meta: ObjectMeta, managedFields: ManagedFields): void {
  Object.defineProperty(meta, MANAGED_FIELDS, { value: managedFields });
  Object.defineProperty(meta, 'managedFields', GETTER);
}
