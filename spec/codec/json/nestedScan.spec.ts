import * as fc from 'fast-check';
import { NestedScan } from '../../../src/codec/json/nestedScan.ts';
import { feed, objectOf, pieceSizes, style, tree, write } from './arbitraries.ts';

describe('NestedScan', () => {
  const nested = fc.oneof(fc.array(tree, { maxLength: 4 }), objectOf({}));

  it('finds where values end that follow each other in any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(nested, { minLength: 1, maxLength: 4 }),
        style,
        pieceSizes,
        (values, style, sizes) => {
          const texts = values.map((value) => Buffer.from(write(value, style).trim()));
          const scan = new NestedScan();
          const ends: number[] = [];
          let offset = 0;
          feed(Buffer.concat(texts), sizes, (piece) => {
            for (let at = 0; at < piece.length; ) {
              const end = scan.scan(piece, at, piece.length);
              if (end === -1) break;
              ends.push(offset + end);
              at = end;
            }
            offset += piece.length;
          });

          let sum = 0;
          expect(ends).toEqual(texts.map(({ length }) => (sum += length)));
        },
      ),
    );
  });

  it.each(['{', '[{}', '{"}', '{"a":"\\"}', '["\\\\\\"]'])('does not find the end of %s', (text) => {
    const bytes = Buffer.from(text);
    expect(new NestedScan().scan(bytes, 0, bytes.length)).toBe(-1);
  });

  it('looks no further than told', () => {
    const bytes = Buffer.from('[1]');
    expect(new NestedScan().scan(bytes, 0, 2)).toBe(-1);
    expect(new NestedScan().scan(bytes, 0, 3)).toBe(3);
  });
});
