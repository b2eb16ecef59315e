import { median, percentile, spread } from '../../bench/statistics.ts';

describe('statistics', () => {
  it.each([
    [[3], 3],
    [[5, 1, 3], 3],
    [[4, 1, 3, 2], 2.5],
  ])('the median of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('the spread is a part of the median', () => {
    expect(spread([2, 4, 5])).toBe(0.75);
    expect(spread([7])).toBe(0);
  });

  it.each([
    [0.99, 99],
    [0.5, 50],
    [1, 100],
    [0, 1],
  ])('%d of 1 to 100 do not exceed %d', (part, expected) => {
    const values = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(percentile(values, part)).toBe(expected);
  });

  it('there are none of nothing', () => {
    expect(() => median([])).toThrow(/nothing/);
    expect(() => percentile([], 0.5)).toThrow(/nothing/);
  });
});
