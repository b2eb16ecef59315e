import type { KubernetesObject, ObjectMeta } from '../../kubernetes/objects.ts';
import type { CodecOptions } from '../codec.ts';
import { freezeDeep, type Objects } from '../freeze.ts';
import { textOf } from './bytes.ts';
import type { Span } from './lazyPart.ts';
import { parseJson } from './parse.ts';

/** Bytes of one object, bare or in the envelope of a watch event, whose member `object` it then is. */
export interface ObjectBytes {
  readonly bytes: Uint8Array;
  readonly inEvent: boolean;
}

/** What list items come without. */
export type TypeMeta = Pick<CodecOptions<unknown>, 'apiVersion' | 'kind'>;

/** Throws SyntaxError. */
export function parseObject({ bytes, inEvent }: ObjectBytes): unknown {
  return unwrapped(textOf(bytes), inEvent);
}

/** Decodes the whole and completes its type. Not frozen. Throws SyntaxError. */
export function decodeObject(source: ObjectBytes, type: TypeMeta): KubernetesObject {
  return completed(parseObject(source) as KubernetesObject, type);
}

/** Decodes what is around the metadata, which is decoded already. Throws SyntaxError. */
export function decodeAroundMetadata(
  { bytes, inEvent }: ObjectBytes,
  [start, end]: Span,
  meta: ObjectMeta,
  type: TypeMeta,
  objects: Objects = 'frozen',
): KubernetesObject {
  const text = `${textOf(bytes, 0, start)}null${textOf(bytes, end)}`;
  const object = completed(unwrapped(text, inEvent) as KubernetesObject, type);
  if (objects === 'frozen') for (const value of Object.values(object)) freezeDeep<unknown>(value);
  // Not before: to freeze it again were to read what is lazy in it.
  object.metadata = meta;
  return objects === 'frozen' ? Object.freeze(object) : object;
}

function unwrapped(text: string, inEvent: boolean): unknown {
  const parsed = parseJson(text);
  return inEvent ? (parsed as { object?: unknown }).object : parsed;
}

function completed(object: KubernetesObject, { kind, apiVersion }: TypeMeta): KubernetesObject {
  const whole = { kind, apiVersion, ...object };
  whole.kind ||= kind;
  whole.apiVersion ||= apiVersion;
  return whole;
}

/** What a server answers that was asked for columns to print. */
export function isTable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, apiVersion } = value as KubernetesObject;
  return kind === 'Table' && String(apiVersion).startsWith('meta.k8s.io/');
}
