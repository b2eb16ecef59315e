import * as fc from 'fast-check';
import { freezeDeep } from '../../src/codec/freeze.ts';

describe('freezeDeep', () => {
  it('freezes all of any JSON value, and gives it back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(freezeDeep(value)).toBe(value);
        expectFrozen(value);
      }),
    );
  });

  it('goes on below what is frozen already', () => {
    const value = Object.freeze({ a: { b: [] } });
    freezeDeep(value);
    expectFrozen(value);
  });
});

function expectFrozen(value: unknown): void {
  expect(Object.isFrozen(value)).toBe(true);
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(expectFrozen);
}
