import { isNamed } from '../../src/codec/named.ts';

describe('isNamed', () => {
  it.each([
    [{ metadata: { name: 'a' } }, true],
    [{ metadata: { name: 'system:a.b', namespace: 'c' } }, true],
    [{ metadata: { name: 'a', namespace: '' } }, true],
    [{ metadata: { name: 'a/b' } }, false],
    [{ metadata: { name: 'a', namespace: 'b/c' } }, false],
    [{ metadata: { name: '' } }, false],
    [{ metadata: { name: 5 } }, false],
    [{ metadata: {} }, false],
    [{ metadata: null }, false],
    [{}, false],
    [null, false],
    ['a', false],
  ])('%j: %s', (value, expected) => {
    expect(isNamed(value)).toBe(expected);
  });
});
