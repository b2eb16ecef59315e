import * as fc from 'fast-check';
import { skipBlanks, skipString, skipValue } from '../../../src/codec/json/skip.ts';
import { style, text, tree, write } from './arbitraries.ts';

describe('skipValue', () => {
  it('leads behind any value', () => {
    fc.assert(
      fc.property(tree, style, fc.constantFrom(',', '}', ']', ' ', '\n'), (value, style, follower) => {
        const written = Buffer.from(write(value, style).trim());
        const bytes = Buffer.concat([Buffer.from('::'), written, Buffer.from(follower)]);
        expect(skipValue(bytes, 2, bytes.length)).toBe(2 + written.length);
      }),
    );
  });

  it.each(['', ',', '}', ']', '"abc', '"abc\\"', '{"a":1', '[1'])('finds no whole value in %j', (text) => {
    const bytes = Buffer.from(text);
    expect(skipValue(bytes, 0, bytes.length)).toBe(-1);
  });
});

describe('skipString', () => {
  it('leads behind the closing quote', () => {
    fc.assert(
      fc.property(text, style, (value, style) => {
        const written = write(value, style).trim();
        const bytes = Buffer.from(`${written}"tail"`);
        expect(skipString(bytes, 0, bytes.length)).toBe(Buffer.byteLength(written));
      }),
    );
  });
});

it.each(['"ab"', '"a\\"b"', '{"a":1}', '[[]]', '12'])('looks no further than told in %s', (text) => {
  const bytes = Buffer.from(text);
  for (let end = 0; end < bytes.length; end++)
    expect(skipValue(bytes, 0, end)).toBe(skipValue(bytes.subarray(0, end), 0, end));
});

describe('skipBlanks', () => {
  it.each([
    ['a', 0],
    [' \t\r\na', 4],
    ['   ', 3],
  ])('%j', (text, expected) => {
    expect(skipBlanks(Buffer.from(text), 0, text.length)).toBe(expected);
  });

  it('looks no further than told', () => {
    expect(skipBlanks(Buffer.from('    '), 0, 2)).toBe(2);
  });
});
