import { entryOf } from '../../src/codec/entry.ts';
import { failure } from './failure.ts';

describe('entryOf', () => {
  it('makes an entry of an object', () => {
    const object = {
      metadata: { name: 'a', namespace: 'b', uid: 'u', resourceVersion: '5', labels: { x: 'y' } },
      spec: [{}],
    };
    const entry = entryOf(object);
    expect(entry).toMatchObject({ key: 'b/a', name: 'a', namespace: 'b', uid: 'u', resourceVersion: '5' });
    expect(entry.object).toBe(object);
    expect(entry.meta).toBe(object.metadata);
    expect(entry.error).toBeUndefined();
    for (const part of [entry, object, object.metadata.labels, object.spec[0]])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it('takes what is empty for missing', () => {
    const entry = entryOf({ metadata: { name: 'a', namespace: '', uid: '', resourceVersion: '' } });
    expect(entry).toMatchObject({
      key: 'a',
      namespace: undefined,
      uid: undefined,
      resourceVersion: undefined,
    });
  });

  it('takes a key function', () => {
    const object = { metadata: { name: 'a', uid: 'u' }, spec: 1 };
    expect(entryOf(object, { key: ({ meta, object }) => `${String(meta.uid)}${object.spec}` }).key).toBe(
      'u1',
    );
    expect(() => entryOf(object, { key: 'uid' as never })).toThrow(
      failure({ code: 'INVALID_OPTION', option: 'key' }),
    );
    expect(() => entryOf(object, { key: () => '' })).toThrow(failure({ code: 'USER_FUNCTION' }));
  });

  it('refuses options that are none', () => {
    expect(() => entryOf({ metadata: { name: 'a' } }, 'uid' as never)).toThrow(
      failure({ code: 'INVALID_OPTION', option: 'options' }),
    );
  });

  it.each([
    null,
    undefined,
    5,
    {},
    { metadata: {} },
    { metadata: { name: '' } },
    { metadata: { name: 'a/b' } },
  ])('refuses %j', (object) => {
    expect(() => entryOf(object)).toThrow(
      failure({ code: 'INVALID_OPTION', option: 'metadata.name', message: /an object has a name/ }),
    );
  });

  it('compares contents', () => {
    const make = (spec: unknown) =>
      entryOf<{ metadata: object; spec: unknown }>({ metadata: { name: 'a' }, spec });
    expect(make({ a: 1, b: [2] }).sameContent(make({ b: [2], a: 1 }))).toBe(true);
    expect(make({ a: 1 }).sameContent(make({ a: 2 }))).toBe(false);
  });
});
