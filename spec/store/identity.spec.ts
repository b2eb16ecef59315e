import { isOlderState, isSameObject, isUnchanged } from '../../src/store/identity.ts';
import { widget } from './objects.ts';

describe('identity', () => {
  it('is the uid; where one is missing, the key has to do', () => {
    expect(isSameObject({ uid: 'u1' }, { uid: 'u1' })).toBe(true);
    expect(isSameObject({ uid: 'u1' }, { uid: 'u2' })).toBe(false);
    expect(isSameObject({ uid: 'u1' }, { uid: undefined })).toBe(true);
    expect(isSameObject({ uid: undefined }, { uid: undefined })).toBe(true);
  });

  it('with the same version is the same state', () => {
    const held = widget('a', { uid: 'u1', version: '1' });

    expect(isUnchanged(held, widget('a', { uid: 'u1', version: '1' }))).toBe(true);
    expect(isUnchanged(held, widget('a', { uid: 'u1', version: '2' }))).toBe(false);
    expect(isUnchanged(held, widget('a', { uid: 'u2', version: '1' }))).toBe(false);
    expect(isUnchanged(held, widget('a', { version: '1' }))).toBe(false);
  });

  it('compares content only where a version is missing', () => {
    const red = widget('a', { uid: 'u1', colors: ['red'] });

    expect(isUnchanged(red, widget('a', { uid: 'u1', colors: ['red'] }))).toBe(true);
    expect(isUnchanged(red, widget('a', { uid: 'u1', colors: ['blue'] }))).toBe(false);
    expect(isUnchanged(red, widget('a', { uid: 'u1', version: '1', colors: ['red'] }))).toBe(false);
  });

  it('is an older state only where the versions have an order', () => {
    const at = (resourceVersion: string | undefined) => ({ resourceVersion });

    expect(isOlderState(at('9'), at('10'))).toBe(true);
    expect(isOlderState(at('10'), at('9'))).toBe(false);
    expect(isOlderState(at('9'), at('9'))).toBe(false);
    expect(isOlderState(at('a'), at('b'))).toBe(false);
    expect(isOlderState(at(undefined), at('1'))).toBe(false);
    expect(isOlderState(at('1'), at(undefined))).toBe(false);
  });
});
