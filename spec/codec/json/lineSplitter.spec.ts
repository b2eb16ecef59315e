import * as fc from 'fast-check';
import { LineSplitter } from '../../../src/codec/json/lineSplitter.ts';
import { feed, pieceSizes } from './arbitraries.ts';

type Line = [position: number, text: string];

function split(body: Buffer, sizes: readonly number[], limit = Infinity) {
  const lines: Line[] = [];
  const tooLong: Line[] = [];
  const splitter = new LineSplitter(limit, {
    line: (bytes, position) => lines.push([position, bytes.toString()]),
    tooLong: (bytes, position) => tooLong.push([position, bytes.toString()]),
  });
  feed(body, sizes, (piece) => {
    splitter.push(piece);
  });
  return { lines, tooLong, splitter };
}

/** A simple splitter of the whole body. */
function model(body: string): { lines: Line[]; rest: string } {
  const parts = body.split('\n');
  let position = 0;
  const lines = parts.map((part): Line => {
    const line: Line = [
      position,
      part.replace(position === 0 ? /^\ufeff/ : '', '').replace(/^[ \t\r]+|[ \t\r]+$/g, ''),
    ];
    position += Buffer.byteLength(part) + 1;
    return line;
  });
  const rest = lines.pop()?.[1] ?? '';
  return { lines: lines.filter(([, text]) => text !== ''), rest };
}

describe('LineSplitter', () => {
  const part = fc.oneof(
    fc.constantFrom('\n', '\n', '\r\n', ' ', '\t', '{"a":"日本 😀"}'),
    fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\ufeff', '')),
  );
  const body = fc
    .tuple(fc.constantFrom('', '\ufeff'), fc.array(part, { maxLength: 30 }))
    .map(([mark, parts]) => mark + parts.join(''));

  it('finds the lines of any body in any pieces', () => {
    fc.assert(
      fc.property(body, pieceSizes, (body, sizes) => {
        const { lines, tooLong, splitter } = split(Buffer.from(body), sizes);
        const expected = model(body);
        expect(lines).toEqual(expected.lines);
        expect(tooLong).toEqual([]);
        expect(splitter.rest?.toString()).toBe(expected.rest);
      }),
    );
  });

  it('reports a line over the limit once, with its beginning, and goes on behind it', () => {
    fc.assert(
      fc.property(body, pieceSizes, fc.integer({ min: 1, max: 12 }), (body, sizes, limit) => {
        const bytes = Buffer.from(body);
        const { lines, tooLong } = split(bytes, sizes, limit);

        let position = 0;
        const long = new Map<number, Buffer>();
        for (const line of body.split('\n')) {
          const length = Buffer.byteLength(line);
          if (length > limit) long.set(position, bytes.subarray(position, position + limit));
          position += length + 1;
        }
        expect(tooLong.map(([position]) => position)).toEqual([...long.keys()]);
        expect(lines).toEqual(model(body).lines.filter(([position]) => !long.has(position)));
      }),
    );
  });

  it('measures a line from where it begins, wherever in a piece that is', () => {
    const lines = [
      [0, 'aaaaa'],
      [6, 'bbbbb'],
    ];
    expect(split(Buffer.from('aaaaa\nbbbbb\n'), [8], 5)).toMatchObject({ lines, tooLong: [] });
  });

  it('leaves out a byte order mark at the beginning of the body, and only there', () => {
    const lines = [
      [0, 'a'],
      [5, '\ufeffb'],
    ];
    expect(split(Buffer.from('\ufeffa\n\ufeffb\n'), [4]).lines).toEqual(lines);
    // It begins with the same byte, but is no mark.
    expect(split(Buffer.from('\uf000a\n'), [4]).lines).toEqual([[0, '\uf000a']]);
  });

  it('tells where it is inside a line that is too long', () => {
    const { splitter, tooLong } = split(Buffer.from('{"long":1}'), [3], 5);
    expect(tooLong).toEqual([[0, '{"lon']]);
    expect(splitter.rest).toBeUndefined();
  });

  it('takes the rest for a line when told to', () => {
    const { splitter, lines } = split(Buffer.from('a\nb'), [1]);
    splitter.flush();
    expect(lines).toEqual([
      [0, 'a'],
      [2, 'b'],
    ]);
    expect(splitter.rest).toHaveLength(0);
  });
});
