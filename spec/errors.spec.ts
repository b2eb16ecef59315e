import { InvalidOptionError, informerErrorOf } from '../src/errors.ts';

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

describe('what is no InformerError', () => {
  it.each([new Error('gave up'), 'gave up'])(
    '%p is told with its words, and that it may be yours',
    (cause) => {
      expect(informerErrorOf(cause)).toMatchObject({ code: 'UNEXPECTED', cause });
      expect(informerErrorOf(cause).message).toMatch(/gave up.* function of yours/);
    },
  );

  it('is not one of another copy of the package', () => {
    const error = { code: 'STALLED', terminal: false };
    expect(informerErrorOf(error)).toBe(error);
  });
});
