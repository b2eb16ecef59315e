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

  it('has no end to its depth', () => {
    const deep = JSON.parse(`${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}`) as unknown;
    let level: unknown = freezeDeep(deep);
    for (; typeof level === 'object' && level !== null; [level] = Object.values(level) as unknown[]) {
      if (!Object.isFrozen(level)) throw new Error('a level is not frozen');
    }
  });

  it('comes to an end in a circle', () => {
    const circle: { self?: unknown; other: object } = { other: {} };
    circle.self = circle;
    freezeDeep(circle);
    expect(Object.isFrozen(circle) && Object.isFrozen(circle.other)).toBe(true);
  });
});

function expectFrozen(value: unknown): void {
  expect(Object.isFrozen(value)).toBe(true);
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(expectFrozen);
}
