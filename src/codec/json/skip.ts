import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isBlank,
  NOWHERE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './bytes.ts';
import { NestedScan } from './nestedScan.ts';

export function skipBlanks(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && isBlank(bytes[at])) at++;
  return at;
}

/** From the opening quote to behind the closing one. */
export function skipString(bytes: Uint8Array, at: number, end: number): number {
  for (let i = at + 1; i < end; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) return i + 1;
    if (byte === BACKSLASH) i++;
  }
  return NOWHERE;
}

/** From the first byte of a value to behind its last one. Only the nesting is checked, not what is nested. */
export function skipValue(bytes: Uint8Array, at: number, end: number): number {
  switch (bytes[at]) {
    case QUOTE:
      return skipString(bytes, at, end);
    case OPEN_BRACE:
    case OPEN_BRACKET:
      return new NestedScan().scan(bytes, at, end);
    default:
      return skipLiteral(bytes, at, end);
  }
}

function skipLiteral(bytes: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && !endsLiteral(bytes[i])) i++;
  return i === at ? NOWHERE : i;
}

function endsLiteral(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isBlank(byte);
}
