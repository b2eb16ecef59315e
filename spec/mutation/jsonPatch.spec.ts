import fc from 'fast-check';
import { type JsonPatch, jsonPatchBetween } from '../../src/mutation/jsonPatch.ts';
import { json, patched } from './documents.ts';

describe('a JSON Patch between two documents', () => {
  it('makes the one of the other', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(patched(before, jsonPatchBetween(before, after))).toEqual(after);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is empty exactly where they say the same', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const same = JSON.stringify(sorted(before)) === JSON.stringify(sorted(after));
        expect(jsonPatchBetween(before, after).length === 0).toBe(same);
        expect(jsonPatchBetween(before, structuredClone(before))).toEqual([]);
      }),
    );
  });

  it.each<[string, unknown, unknown, JsonPatch]>([
    ['an added member', {}, { a: 1 }, [{ op: 'add', path: '/a', value: 1 }]],
    ['a removed member', { a: 1 }, {}, [{ op: 'remove', path: '/a' }]],
    ['a member set to undefined', { a: 1 }, { a: undefined }, [{ op: 'remove', path: '/a' }]],
    ['a member that was undefined', { a: undefined }, { a: 1 }, [{ op: 'add', path: '/a', value: 1 }]],
    ['null in the place of a value', { a: 1 }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
    ['another type', { a: {} }, { a: [] }, [{ op: 'replace', path: '/a', value: [] }]],
    ['a name with a slash', {}, { 'app.io/x': '1' }, [{ op: 'add', path: '/app.io~1x', value: '1' }]],
    ['a name with a tilde', { '~1': 1 }, { '~1': 2 }, [{ op: 'replace', path: '/~01', value: 2 }]],
    ['a name of an inherited member', {}, { toString: 1 }, [{ op: 'add', path: '/toString', value: 1 }]],
    ['one that is gone', { toString: 1 }, {}, [{ op: 'remove', path: '/toString' }]],
    ['the first element taken out', [1, 2, 3], [2, 3], [{ op: 'remove', path: '/0' }]],
    ['an element put into the middle', [1, 3], [1, 2, 3], [{ op: 'add', path: '/1', value: 2 }]],
    ['an element put at the end', [1], [1, 2], [{ op: 'add', path: '/1', value: 2 }]],
    [
      'a shorter array',
      { a: [1, 2, 3, 4] },
      { a: [9] },
      [
        { op: 'replace', path: '/a/0', value: 9 },
        { op: 'remove', path: '/a/3' },
        { op: 'remove', path: '/a/2' },
        { op: 'remove', path: '/a/1' },
      ],
    ],
    [
      'a member of an element',
      { a: [{ n: 'x', i: '1' }, { n: 'y' }] },
      { a: [{ n: 'x', i: '2' }, { n: 'y' }] },
      [{ op: 'replace', path: '/a/0/i', value: '2' }],
    ],
  ])('says %s in the fewest words', (_, before, after, expected) => {
    expect(jsonPatchBetween(before, after)).toEqual(expected);
  });
});

/** With the members of each object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
