import { badRequest } from './status.ts';

export interface ContinueToken {
  /** Of the list that it continues; `undefined`: with what there is now. */
  readonly version: bigint | undefined;
  /** The first key that was not listed yet, below the collection. */
  readonly start: string;
}

const format = 'meta.k8s.io/v1';

export const encodeContinue = ({ version = -1n, start }: ContinueToken): string =>
  Buffer.from(`{"v":"${format}","rv":${String(version)},"start":${JSON.stringify(start)}}`).toString(
    'base64url',
  );

/** Errors: StatusError 400. */
export function decodeContinue(token: string): ContinueToken {
  const bytes = Buffer.from(token, 'base64url');
  const text = bytes.toString();
  const fields = parse(text, bytes[0] ?? 0);
  if (fields.v !== format) {
    throw invalidToken(`: server does not recognize this encoded version ${String(fields.v)}`);
  }
  // Read from the text, since a number of JSON.parse may not be exact.
  const version = BigInt(/"rv":\s*(-?\d+)/.exec(text)?.[1] ?? 0);
  if (version === 0n) throw invalidToken(`: incorrect encoded start resourceVersion (version ${format})`);
  const start = typeof fields.start === 'string' ? fields.start : '';
  if (start === '') throw invalidToken(`: encoded start key empty (version ${format})`);
  if (/(^|\/)\.{0,2}(\/|$)/.test(start.replace(/^\//, ''))) throw invalidToken(`: ${start}`);
  return { version: version < 0n ? undefined : version, start: start.replace(/^\//, '') };
}

function parse(text: string, firstByte: number): { v?: unknown; start?: unknown } {
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    throw invalidToken(`: invalid character '${shown(firstByte)}' looking for beginning of value`);
  }
  return typeof fields === 'object' && fields !== null ? fields : {};
}

const shown = (byte: number): string =>
  byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\u${byte.toString(16).padStart(4, '0')}`;

const invalidToken = (why: string) => badRequest(`invalid continue token: continue key is not valid${why}`);
