import { InvalidOptionError } from '../src/errors.ts';

describe('an option that cannot be used', () => {
  it.each([
    [NaN, 'NaN'],
    [-Infinity, '-Infinity'],
    [null, 'null'],
    [undefined, 'undefined'],
    ['5', '"5"'],
    [() => 1, 'a function'],
    [{ a: 1 }, '{"a":1}'],
    [5n, '5'],
  ])('%p is shown as %s', (value, text) => {
    expect(new InvalidOptionError('x', value, 'give another').message).toBe(
      `x: ${text} cannot be used; give another`,
    );
  });
});
