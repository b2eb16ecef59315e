import fc from 'fast-check';
import { retryAfterOf } from '../../src/kubernetes/retryAfter.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('retryAfterOf', () => {
  it.each([
    ['2', 2000],
    [' 2 ', 2000],
    ['0', 0],
    ['Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
    ['Friday, 02-Jan-26 03:04:15 GMT', 10_000],
    // In the past.
    ['Fri, 02 Jan 2026 03:04:00 GMT', 0],
  ])('reads the header %j', (header, expected) => {
    expect(retryAfterOf(header, undefined, NOW)).toBe(expected);
  });

  it.each(['', '-5', '1.5', 'soon', '2 s', 'Infinity', '0x10', 'Fri, rubbish'])(
    'ignores the header %j',
    (header) => {
      expect(retryAfterOf(header, undefined, NOW)).toBeUndefined();
      expect(retryAfterOf(header, 3, NOW)).toBe(3000);
    },
  );

  it.each([undefined, null, '3', -1, NaN])('ignores the detail %j', (seconds) => {
    expect(retryAfterOf(undefined, seconds, NOW)).toBeUndefined();
    expect(retryAfterOf('2', seconds, NOW)).toBe(2000);
  });

  it('is the larger of both', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(100_000), (header, detail) => {
        expect(retryAfterOf(String(header), detail, NOW)).toBe(Math.max(header, detail) * 1000);
      }),
    );
  });

  it('is never more than a timer can hold', () => {
    expect(retryAfterOf('9'.repeat(400), undefined, NOW)).toBe(2 ** 31 - 1);
    expect(retryAfterOf(undefined, 1e12, NOW)).toBe(2 ** 31 - 1);
  });
});
