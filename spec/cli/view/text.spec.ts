import { counted, duration, plain, shortened } from '../../../src/cli/view/text.ts';

describe('text of the view', () => {
  it.each([
    [800, '0.8 s'],
    [42_700, '42 s'],
    [303_000, '5 m 3 s'],
    [7_200_000, '2 h 0 m'],
  ])('says %d ms as %s', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });

  it('counts with the right number', () => {
    expect([0, 1, 12_345].map((value) => counted(value, 'object'))).toEqual([
      '0 objects',
      '1 object',
      '12,345 objects',
    ]);
  });

  it('takes away what a terminal would obey, and line breaks', () => {
    expect(plain('a\u001b[2J\r\nb\u0085c\u202ed\u2028e')).toBe('a [2J b c d e');
  });

  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
    ['𝒜𝒷𝒸', 3, '𝒜𝒷𝒸'],
    ['𝒜𝒷𝒸𝒹', 2, '𝒜…'],
  ])('shortens %s to %d as %s', (text, width, expected) => {
    expect(shortened(text, width)).toBe(expected);
  });
});
