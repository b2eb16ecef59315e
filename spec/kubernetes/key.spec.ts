import fc from 'fast-check';
import { keyOf, splitKey } from '../../src/kubernetes/key.ts';
import { thrownBy } from './thrown.ts';

const part = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !text.includes('/'));

describe('keyOf', () => {
  it('is namespace/name, or the name of a cluster-scoped object', () => {
    expect(keyOf({ namespace: 'shop', name: 'cart' })).toBe('shop/cart');
    expect(keyOf({ name: 'node-1' })).toBe('node-1');
    expect(keyOf({ namespace: '', name: 'node-1' })).toBe('node-1');
  });

  it.each([
    undefined,
    {},
    { namespace: 'shop' },
    { name: '' },
    { name: 'a/b' },
    { namespace: 'a/b', name: 'c' },
  ])('refuses %j, which it could not split again', (meta) => {
    expect(thrownBy(() => keyOf(meta))).toMatchObject({ code: 'INVALID_OPTION', option: 'metadata' });
  });
});

describe('splitKey', () => {
  it('gives back the parts of any key', () => {
    fc.assert(
      fc.property(fc.option(part, { nil: undefined }), part, (namespace, name) => {
        const meta = namespace === undefined ? { name } : { namespace, name };
        expect(splitKey(keyOf(meta))).toEqual({ namespace, name });
      }),
    );
  });

  it('takes colons and dots as they are', () => {
    expect(splitKey('system:controller:node.v1')).toEqual({
      namespace: undefined,
      name: 'system:controller:node.v1',
    });
  });

  it.each(['', '/', 'a/', '/a', 'a/b/c', '//', null as never, 5 as never])('refuses %j', (key) => {
    expect(thrownBy(() => splitKey(key))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'key',
      value: key,
    });
  });
});
