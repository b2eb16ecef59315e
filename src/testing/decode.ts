import type { IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject } from './json.ts';
import type { ServedKind } from './kinds.ts';
import { mediaTypes } from './negotiation.ts';
import { apiVersionOf, nameOf, textAt } from './objects.ts';
import type { ServedKinds } from './servedKinds.ts';
import { badRequest, invalid, quote, unsupportedMediaType } from './status.ts';

/** Errors: StatusError 415 for what is not JSON. */
export function requireJsonBody(request: IncomingMessage): void {
  const type = (request.headers['content-type'] ?? 'application/json').replace(/;.*/s, '').trim();
  if (type !== 'application/json') throw unsupportedMediaType(mediaTypes);
}

/** The object of a body, of the kind that is expected there. Errors: StatusError 400 or 422. */
export function decodeObject(body: Buffer, expected: ServedKind, kinds: ServedKinds): JsonObject {
  const unrecognized = (why: string) =>
    badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${summaryOf(body)})`,
    );
  const parsed = parseJson(body.toString(), (why) =>
    unrecognized(`couldn't get version/kind; json parse error: ${why}`),
  );
  const object = parsed === null ? {} : parsed;
  if (!isJsonObject(object)) {
    throw unrecognized(noObject(object));
  }
  if (expected.custom === true) requireCustomKind(object, expected, body, unrecognized);
  else requireBuiltinKind(object, expected, kinds);
  requireTextName(object, expected);
  return object;
}

/** What is said of JSON that is no object. */
export function noObject(value: unknown): string {
  const shape = Array.isArray(value) ? 'array' : typeof value;
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${shape} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}

/** Errors: what `error` makes of Go's message. */
export function parseJson(text: string, error: (message: string) => Error): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw error(goMessageOf(text, cause));
  }
}

function requireBuiltinKind(object: JsonObject, expected: ServedKind, kinds: ServedKinds): void {
  const kind = textAt(object, 'kind') || expected.kind;
  const version = textAt(object, 'apiVersion') || apiVersionOf(expected);
  if (kind === expected.kind && version === apiVersionOf(expected)) return;
  const other = kinds.byKind(version, kind);
  const why =
    other === undefined
      ? `no kind ${quote(kind)} is registered for version ${quote(version)} in scheme "pkg/runtime/scheme.go:111"`
      : `converting (${other.version}.${kind}) to (${goPackageOf(expected)}.${expected.kind}): unknown conversion`;
  throw badRequest(
    `${kind} in version ${quote(apiVersionOf(expected))} cannot be handled as a ${expected.kind}: ${why}`,
  );
}

function requireCustomKind(
  object: JsonObject,
  expected: ServedKind,
  body: Buffer,
  unrecognized: (why: string) => Error,
): void {
  const kind = textAt(object, 'kind');
  const version = textAt(object, 'apiVersion');
  if (kind === '') throw unrecognized(`Object 'Kind' is missing in '${body.toString()}'`);
  if (version !== apiVersionOf(expected)) {
    throw badRequest(
      `the API version in the data (${version}) does not match the expected API version (${apiVersionOf(expected)})`,
    );
  }
  if (kind === expected.kind) return;
  const message = `Invalid value: ${quote(kind)}: must be ${expected.kind}`;
  throw invalid({ group: expected.group, kind }, nameOf(object), [
    { reason: 'FieldValueInvalid', message, field: 'kind' },
  ]);
}

/** The one field whose type every test gets wrong some day; others are not checked. */
function requireTextName(object: JsonObject, { kind, ...served }: ServedKind): void {
  const { metadata } = object;
  const name = isJsonObject(metadata) ? metadata.name : undefined;
  if (name === undefined || name === null || typeof name === 'string') return;
  const version = quote(apiVersionOf(served));
  throw badRequest(
    `${kind} in version ${version} cannot be handled as a ${kind}: json: cannot unmarshal ${typeof name} into Go struct field ObjectMeta.metadata.name of type string`,
  );
}

export const goPackageOf = ({ group }: ServedKind): string =>
  group === '' ? 'core' : group.replace(/\..*/, '');

function goMessageOf(text: string, cause: unknown): string {
  const message = cause instanceof Error ? cause.message : '';
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
  if (/end of JSON/.test(message) || position >= text.length) return 'unexpected end of JSON input';
  const misspelt = literals.find((literal) => position === 0 && literal.startsWith(text.charAt(0)));
  if (misspelt !== undefined) {
    const at = Array.from(misspelt).findIndex((letter, i) => letter !== text.charAt(i));
    return `invalid character '${text.charAt(at)}' in literal ${misspelt} (expecting '${misspelt.charAt(at)}')`;
  }
  return `invalid character '${text.charAt(position)}' ${placeOf(message, position)}`;
}

const literals = ['null', 'true', 'false'];

function placeOf(message: string, position: number): string {
  if (/double-quoted property name/i.test(message)) return 'looking for beginning of object key string';
  if (/after JSON/.test(message) && position > 0) return 'after top-level value';
  return 'looking for beginning of value';
}

const summarized = 30;

function summaryOf(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const head = body.subarray(0, summarized);
  const text = body[0] === 0x7b ? head.toString() : head.toString('hex');
  return body.length > summarized ? `${text} ...` : text;
}
