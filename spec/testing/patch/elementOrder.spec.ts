import fc from 'fast-check';
import { orderElements } from '../../../src/testing/patch/elementOrder.ts';

const order = (merged: string, before: string, patch: string) =>
  orderElements([...merged], [...before], [...patch], (element) => element).join('');

describe('orderElements', () => {
  it.each([
    {
      merged: 'abc',
      before: 'abc',
      patch: '',
      ordered: 'abc',
      why: 'keeps the order where nothing is named',
    },
    { merged: 'abc', before: 'abc', patch: 'cba', ordered: 'cba', why: 'takes the order of the patch' },
    { merged: 'abx', before: 'ab', patch: 'x', ordered: 'xab', why: 'puts new elements in front' },
    {
      merged: 'abcx',
      before: 'abc',
      patch: 'bx',
      ordered: 'abxc',
      why: 'keeps what was before an element there',
    },
    {
      merged: 'abcd',
      before: 'abcd',
      patch: 'da',
      ordered: 'bcda',
      why: 'lets the patch win over the old order',
    },
  ])('$why', ({ merged, before, patch, ordered }) => {
    expect(order(merged, before, patch)).toBe(ordered);
  });

  it('loses nothing and keeps the order of the patch and that of the others', () => {
    const letters = fc.uniqueArray(fc.constantFrom(...'abcdefgh'));
    fc.assert(
      fc.property(letters, letters, (before, patch) => {
        const merged = [...new Set([...before, ...patch])];
        const ordered = orderElements(merged, before, patch, (element) => element);
        expect([...ordered].sort()).toEqual([...merged].sort());
        expect(ordered.filter((element) => patch.includes(String(element)))).toEqual(patch);
        const isOther = (element: unknown) => !patch.includes(String(element));
        expect(ordered.filter(isOther)).toEqual(before.filter(isOther));
      }),
    );
  });
});
