import { sameObject } from '../../src/codec/sameObject.ts';

describe('sameObject', () => {
  it.each([
    [{ a: 1, b: [{}] }, { b: [{}], a: 1 }, true],
    [{ a: [1, 2] }, { a: [2, 1] }, false],
    [{ a: 1 }, { a: '1' }, false],
    [{ a: 1 }, {}, false],
    [{ a: 1 }, undefined, false],
    [undefined, undefined, false],
  ])('%j and %j: %s', (a, b, same) => {
    expect(sameObject({ object: a }, { object: b })).toBe(same);
  });

  it('does not throw for what is too deep to compare', () => {
    const deep = (): unknown => JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(sameObject({ object: deep() }, { object: deep() })).toBe(false);
  });
});
