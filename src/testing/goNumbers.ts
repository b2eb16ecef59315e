import { quote } from './status.ts';

/** How Go reads the numbers of a query; the messages of kube-apiserver are those of Go's strconv. */

export type Parsed = { readonly value: bigint } | { readonly error: string };

export const parseUint64 = (text: string): Parsed => parse('ParseUint', /^\d+$/, text, 0n, 2n ** 64n - 1n);

export const parseInt64 = (text: string): Parsed =>
  parse('ParseInt', /^[-+]?\d+$/, text, -(2n ** 63n), 2n ** 63n - 1n);

function parse(name: string, syntax: RegExp, text: string, least: bigint, most: bigint): Parsed {
  const failed = (why: string) => ({ error: `strconv.${name}: parsing ${quote(text)}: ${why}` });
  if (!syntax.test(text)) return failed('invalid syntax');
  const value = BigInt(text.replace('+', ''));
  return value < least || value > most ? failed('value out of range') : { value };
}
