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

describe('skipBlanks', () => {
  it.each([
    ['a', 0],
    [' \t\r\na', 4],
    ['   ', 3],
  ])('%j', (text, expected) => {
    expect(skipBlanks(Buffer.from(text), 0, text.length)).toBe(expected);
  });
});
