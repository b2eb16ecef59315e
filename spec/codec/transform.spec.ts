import { setAutoFreeze } from 'immer';
import { transformed } from '../../src/codec/transform.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { failure } from './failure.ts';

interface Thing extends KubernetesObject {
  spec?: { a?: number; b: number[] };
}

const thing = (): Thing => ({ metadata: { name: 'a' }, spec: { a: 1, b: [] } });
const withoutA = (draft: Thing): undefined => {
  delete draft.spec?.a;
};
const run = (recipe: (draft: Thing) => unknown) => transformed<Thing>(thing(), recipe, 'key');

describe('transformed', () => {
  it.each<[string, (draft: Thing) => Thing | undefined, Thing]>([
    ['changes its draft', withoutA, { ...thing(), spec: { b: [] } }],
    ['gives another object', () => ({ metadata: { name: 'b' } }), { metadata: { name: 'b' } }],
    ['does nothing', () => undefined, thing()],
  ])('takes a recipe that %s, and freezes the result', (_, recipe, expected) => {
    const result = run(recipe);
    expect(result).toEqual(expected);
    for (const part of [result, result.metadata, result.spec?.b]) expect(Object.isFrozen(part)).toBe(true);
  });

  it('refuses a promise, and whatever that brings ends no process', async () => {
    const rejecting = (): unknown => Promise.reject(new Error('not liked'));
    for (const recipe of [(draft: Thing): unknown => Promise.resolve(draft), rejecting]) {
      expect(() => run(recipe)).toThrow(expect.objectContaining({ code: 'USER_FUNCTION' }) as Error);
    }
    // An unhandled rejection in this turn fails the test.
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('does not depend on what the user set for immer', () => {
    setAutoFreeze(false);
    try {
      expect(Object.isFrozen(run(withoutA).spec)).toBe(true);
    } finally {
      setAutoFreeze(true);
    }
  });

  it.each<[string, (draft: Thing) => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('mine');
      },
      /mine/,
    ],
    ['takes away the name', ({ spec }) => ({ spec }), /no usable metadata\.name/],
    ['gives something else', () => 5, /no usable metadata\.name/],
    ['gives a promise', (draft) => Promise.resolve(draft.kind), /is async/],
  ])('blames a recipe that %s', (_, recipe, message) => {
    expect(() => run(recipe)).toThrow(
      failure({ code: 'USER_FUNCTION', where: 'transform', key: 'key', message }),
    );
  });
});
