import type { ManagedFieldsEntry, ObjectMeta } from '../../kubernetes/objects.ts';
import { freezeDeep, type Objects } from '../freeze.ts';
import { CLOSE_BRACE, COMMA, indexOf, NOWHERE, textOf } from './bytes.ts';
import type { Held } from './held.ts';
import type { Span } from './lazyPart.ts';
import { LazyPart } from './lazyPart.ts';
import { MANAGED_FIELDS, passManagedFields } from './managedFields.ts';
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
  const { meta, fields, end } = partsBeforeLast(held, at) ?? partsAround(held, at);
  const managedFields = fields && new LazyPart<ManagedFieldsEntry[]>(held, fields, onError, objects);
  if (objects === 'frozen') for (const value of Object.values(meta)) freezeDeep<unknown>(value);
  if (managedFields !== undefined) addManagedFields(meta, managedFields);
  if (objects === 'frozen') Object.freeze(meta);
  return { meta, managedFields, end };
}

interface Parts {
  /** Without `managedFields`. */
  readonly meta: ObjectMeta;
  readonly fields: Span | undefined;
  readonly end: number;
}

/**
 * Where `managedFields` are the last member, as built-in types are written, nothing is walked through: they are what
 * was looked for if everything in front of them, closed by a brace, is an object.
 */
function partsBeforeLast(held: Held, at: number): Parts | undefined {
  const start = indexOf(held, MANAGED_FIELDS, at);
  const isNowhereOrFirst = start <= at + 2;
  if (isNowhereOrFirst || held[start - 1] !== COMMA) return undefined;
  const value = start + MANAGED_FIELDS.length;
  const behind = passManagedFields(held, value, held.length);
  if (behind === NOWHERE || held[behind] !== CLOSE_BRACE) return undefined;
  try {
    const meta = parseJson(`${textOf(held, at, start - 1)}}`) as ObjectMeta;
    return { meta, fields: [value, behind], end: behind + 1 };
  } catch {
    return undefined;
  }
}

function partsAround(held: Held, at: number): Parts {
  let member: Span | undefined;
  let fields: Span | undefined;
  const members = new Members(held, at, held.length);
  while (members.next()) {
    if (!members.is('managedFields')) continue;
    member = [members.start, members.skipValue()];
    fields = [members.value, members.skipValue()];
  }
  const { end } = members;
  if (end === NOWHERE) throw new SyntaxError('the metadata is damaged');
  const text = member === undefined ? textOf(held, at, end) : textWithout(held, member, [at, end]);
  return { meta: parseJson(text) as ObjectMeta, fields, end };
}

/** The text of an object without one of its members. */
function textWithout(bytes: Uint8Array, [memberStart, memberEnd]: Span, [start, end]: Span): string {
  const next = skipBlanks(bytes, memberEnd, end);
  // One of the commas around it goes, too.
  if (bytes[next] === COMMA) return textOf(bytes, start, memberStart) + textOf(bytes, next + 1, end);
  return textOf(bytes, start, bytes.lastIndexOf(COMMA, memberStart)) + textOf(bytes, memberEnd, end);
}

const FIELDS = Symbol('managedFields');

/** One getter for all: with one each, no two metadata would have the same hidden class. */
const GETTER: PropertyDescriptor & ThisType<{ readonly [FIELDS]: ManagedFields }> = {
  enumerable: true,
  get() {
    return this[FIELDS].value;
  },
};

function addManagedFields(meta: ObjectMeta, managedFields: ManagedFields): void {
  Object.defineProperty(meta, FIELDS, { value: managedFields });
  Object.defineProperty(meta, 'managedFields', GETTER);
}
