import { checkFunction, checkOptions, isRecord } from '../src/checks.ts';

const refused = (option: string, value: unknown): Error =>
  expect.objectContaining({ code: 'INVALID_OPTION', option, value }) as Error;

describe('what is given', () => {
  it.each([null, NaN, 0, 'x', true, {}, []])('as a function: %p is refused', (value) => {
    expect(() => checkFunction('key', value)).toThrow(refused('key', value));
  });

  it.each([null, NaN, 0, 'x', true, [], () => 1])('as an object of options: %p is refused', (value) => {
    expect(() => checkOptions('retry', value)).toThrow(refused('retry', value));
  });

  it('may be what it should be, or nothing', () => {
    checkFunction('key', () => 1);
    checkFunction('key', undefined);
    checkOptions('retry', {});
    checkOptions('retry', undefined);
  });
});

it.each([
  [{}, true],
  [Object.create(null), true],
  [null, false],
  [[], false],
  ['x', false],
])('%p is a record: %p', (value, is) => {
  expect(isRecord(value)).toBe(is);
});
