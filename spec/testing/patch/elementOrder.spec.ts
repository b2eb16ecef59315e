import fc from 'fast-check';
import { orderElements } from '../../../src/testing/patch/elementOrder.ts';

const letters = (text: string) => text.split(' ').filter(Boolean);

const order = (merged: string[], before: string[], patch: string[]) =>
  orderElements(merged, before, patch, (element) => element);

describe('orderElements', () => {
  it.each([
    {
      merged: 'a b c',
      before: 'a b c',
      patch: '',
      ordered: 'a b c',
      why: 'keeps the order where nothing is named',
    },
    {
      merged: 'a b c',
      before: 'a b c',
      patch: 'c b a',
      ordered: 'c b a',
      why: 'takes the order of the patch',
    },
    { merged: 'a b x', before: 'a b', patch: 'x', ordered: 'x a b', why: 'puts new elements in front' },
    {
      merged: 'a b c x',
      before: 'a b c',
      patch: 'b x',
      ordered: 'a b x c',
      why: 'keeps what was before an element there',
    },
    {
      merged: 'a b c d',
      before: 'a b c d',
      patch: 'd a',
      ordered: 'b c d a',
      why: 'lets the patch win over the old order',
    },
  ])('$why', ({ merged, before, patch, ordered }) => {
    expect(order(letters(merged), letters(before), letters(patch))).toEqual(letters(ordered));
  });

  it('loses nothing and keeps the order of the patch and that of the others', () => {
    const list = fc.uniqueArray(fc.constantFrom(...letters('a b c d e f g h')));
    fc.assert(
      fc.property(list, list, (before, patch) => {
        const merged = [...new Set([...before, ...patch])];
        const ordered = order(merged, before, patch) as string[];
        expect([...ordered].sort()).toEqual([...merged].sort());
        expect(ordered.filter((element) => patch.includes(element))).toEqual(patch);
        const isOther = (element: string) => !patch.includes(element);
        expect(ordered.filter(isOther)).toEqual(before.filter(isOther));
      }),
    );
  });
});
