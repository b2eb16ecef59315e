import * as fc from 'fast-check';
import { ItemCutter } from '../../../src/codec/json/itemCutter.ts';
import { isJson } from '../../../src/codec/json/parse.ts';
import { failure } from '../failure.ts';
import { feed, list, pieceSizes, STRUCTURE, style, write } from './arbitraries.ts';

function cut(body: string | Buffer, sizes: readonly number[] = [7], limit = Infinity) {
  const items: [position: number, text: string][] = [];
  const cutter = new ItemCutter(limit, {
    item: (bytes, position) => items.push([position, Buffer.from(bytes).toString()]),
    tooLarge: (beginning, position) => {
      throw new RangeError(`${position}: ${Buffer.from(beginning).toString()}`);
    },
  });
  feed(Buffer.from(body), sizes, (piece) => {
    cutter.push(piece);
  });
  return { items, envelope: cutter.end() };
}

describe('ItemCutter', () => {
  it('cuts the items of any list out of any pieces', () => {
    fc.assert(
      fc.property(list, style, pieceSizes, fc.boolean(), (list, style, sizes, marked) => {
        const text = write(list, style);
        const body = Buffer.from(`${marked ? '\ufeff' : ''}${text}`);
        const { items, envelope } = cut(body, sizes);

        const expected = JSON.parse(text) as { items: unknown[] };
        expect(items.map(([, item]) => JSON.parse(item) as unknown)).toEqual(expected.items);
        expect(envelope).toEqual({ ...expected, items: [] });
        for (const [position, item] of items) {
          expect(body.subarray(position, position + Buffer.byteLength(item)).toString()).toBe(item);
        }
      }),
    );
  });

  it('takes no list for complete that is cut', () => {
    fc.assert(
      fc.property(list, style, fc.nat(), (list, style, place) => {
        const body = Buffer.from(write(list, style).trimEnd());
        expect(() => cut(body.subarray(0, place % body.length))).toThrow(/cut|empty/);
      }),
    );
  });

  it('takes no body for complete that JSON.parse refuses because of what is around the items', () => {
    fc.assert(
      fc.property(list, style, fc.nat(), fc.constantFrom(...STRUCTURE), (list, style, place, char) => {
        const text = write(list, style);
        const at = place % text.length;
        const damaged = text.slice(0, at) + char + text.slice(at + 1);
        let result: ReturnType<typeof cut>;
        try {
          result = cut(damaged);
        } catch {
          return;
        }
        // What is inside of an item is looked at when that is read.
        const whole = result.items.every(([, item]) => isJson(item));
        if (whole) expect(isJson(damaged)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['', /empty/],
    ['   ', /cut/],
    ['<!doctype html><html></html>', /HTML/],
    ['[{"items":[]}]', /array/],
    ['null', /not JSON/],
    ['\ufeff\ufeff{}', /not JSON/],
    ['{"items":[]}{}', /something follows/],
    ['{"items":[]}}', /something follows/],
    ['{"items":[{}],"items":[{}]}', /items twice/],
    ['{"items":[{},]}', /something else than objects/],
    ['{"items":[,{}]}', /something else than objects/],
    ['{"items":[{}{}]}', /something else than objects/],
    ['{"items":[{},,{}]}', /something else than objects/],
    ['{"items":[null]}', /something else than objects/],
    ['{"items":["a"]}', /something else than objects/],
    ['{"items":[[{}]]}', /something else than objects/],
    ['{"items":[{}}', /something else than objects/],
    ['{"items":[] "a":1}', /not JSON/],
    ['{"a":[},"items":[]}', /cut|not JSON/],
    ['{"a":[1}]', /cut|not JSON/],
  ])('refuses %j', (body, message) => {
    expect(() => cut(body)).toThrow(failure({ code: 'UNREADABLE', message }));
  });

  it('refuses half a byte order mark', () => {
    expect(() => cut(Buffer.from([0xef, 0xbb, 0x7b, 0x7d]))).toThrow(/not JSON/);
  });

  it('refuses what is not UTF-8', () => {
    expect(() => cut(Buffer.from('{"a":"\xff"}', 'latin1'))).toThrow(/not JSON/);
  });

  it.each([[[1]], [[5]], [[100]]])('hoards no item over the limit, in pieces of %j', (sizes) => {
    const body = '{"items":[{"a":1},{"a":"0123456789"}]}';
    expect(() => cut(body, sizes, 10)).toThrow(new RangeError('18: {"a":"0123'));
    expect(cut(body, sizes, 18).items).toHaveLength(2);
  });

  it('bounds what is around the items', () => {
    expect(() => cut(`{"a":"${'x'.repeat(100)}"}`, [7], 50)).toThrow(failure({ code: 'ITEM_TOO_LARGE' }));
    expect(cut('{"a":"x"}', [7], 9).envelope).toEqual({ a: 'x' });
    expect(() => cut('{"a":"x"}', [7], 8)).toThrow(failure({ code: 'ITEM_TOO_LARGE' }));
  });

  it('does not count the items as what is around them', () => {
    expect(cut(`{"items":[${Array(100).fill('{}').join(',')}]}`, [7], 20).items).toHaveLength(100);
  });
});
