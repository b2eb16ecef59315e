import { isUtf8 } from 'node:buffer';

export const LINE_FEED = 0x0a;
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const LESS_THAN = 0x3c;
export const OPEN_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;

/** In place of an index: the bytes end too early, or hold no such thing. */
export const NOWHERE = -1;

/** Some servers and proxies put it before a body, where JSON does not allow it. */
export const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/** What JSON allows between tokens. */
export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x0d || byte === 0x09;
}

/** A view, not a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

type Search = (this: Uint8Array, wanted: number | Uint8Array, from: number) => number;
const { indexOf: search } = Buffer.prototype as { readonly indexOf: Search };

/** Asked of the machine's own search, which that of Uint8Array is not. NOWHERE if it is not there. */
export function indexOf(bytes: Uint8Array, wanted: number | Uint8Array, from = 0): number {
  return search.call(bytes, wanted, from);
}

/** Throws SyntaxError where the bytes are not UTF-8, instead of putting replacement characters in their place. */
export function textOf(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const text = bufferOf(bytes).toString('utf8', start, end);
  if (text.includes('\uFFFD') && !isUtf8(bytes.subarray(start, end))) throw new SyntaxError('not UTF-8');
  return text;
}
