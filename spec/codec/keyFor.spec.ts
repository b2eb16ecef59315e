import { keyFor, usualKey } from '../../src/codec/keyFor.ts';
import { DecodeError } from '../../src/errors.ts';
import { failure } from './failure.ts';

const identity = { name: 'a', namespace: 'b' };
const object = { meta: { name: 'a' }, object: { spec: 1 }, error: undefined };

describe('usualKey', () => {
  it('is namespace/name, or name', () => {
    expect(usualKey(identity)).toBe('b/a');
    expect(usualKey({ name: 'a', namespace: undefined })).toBe('a');
  });
});

describe('keyFor', () => {
  it('is the usual key without a function, else what that gives', () => {
    expect(keyFor(identity, object, undefined)).toBe('b/a');
    expect(keyFor(identity, object, ({ meta, object }) => `${String(meta.name)}${object.spec}`)).toBe('a1');
  });

  it.each([
    ['', /a string that is not empty/],
    [undefined, /a string that is not empty/],
    [5, /a string that is not empty/],
    [Promise.resolve('a'), /is async/],
  ])('refuses the key %p', (key, message) => {
    expect(() => keyFor(identity, object, () => key as string)).toThrow(
      failure({ code: 'USER_FUNCTION', where: 'key', key: 'b/a', message }),
    );
  });

  it('blames the function for what it throws, unless the object is damaged', () => {
    const cause = new Error('no');
    const failing = () => {
      throw cause;
    };
    expect(() => keyFor(identity, object, failing)).toThrow(failure({ code: 'USER_FUNCTION', cause }));
    const error = new DecodeError('damaged', 0);
    expect(() => keyFor(identity, { ...object, error }, failing)).toThrow(error);
  });
});
