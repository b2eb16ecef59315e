import fc from 'fast-check';
import type { InvalidOptionError } from '../../src/errors.ts';
import { createTokenBucket } from '../../src/transport/tokenBucket.ts';
import { thrownBy } from '../kubernetes/thrown.ts';

describe('createTokenBucket', () => {
  it('gives the burst at once, then one token at a time', () => {
    const bucket = createTokenBucket({ qps: 10, burst: 3 });
    expect([0, 0, 0, 0, 0].map((now) => bucket.reserve(now))).toEqual([0, 0, 0, 100, 200]);
    expect(bucket.reserve(250)).toBe(50);
  });

  it('fills up to the burst and no further', () => {
    const bucket = createTokenBucket({ qps: 10, burst: 2 });
    bucket.reserve(0);
    expect([1_000_000, 1_000_000, 1_000_000].map((now) => bucket.reserve(now))).toEqual([0, 0, 100]);
  });

  it('takes a clock that went back for one that stands still', () => {
    const bucket = createTokenBucket({ qps: 1, burst: 1 });
    expect(bucket.reserve(10_000)).toBe(0);
    expect(bucket.reserve(0)).toBe(1000);
    expect(bucket.reserve(10_000)).toBe(2000);
  });

  it('is the model: the time at which the bucket would be full again moves on by one token each', () => {
    const rate = fc.record({
      qps: fc.double({ min: 0.1, max: 1000, noNaN: true }),
      burst: fc.integer({ min: 1, max: 200 }),
    });
    const pauses = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 20_000, noNaN: true })), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(rate, pauses, ({ qps, burst }, waits) => {
        const bucket = createTokenBucket({ qps, burst });
        const oneToken = 1000 / qps;
        let now = 0;
        let fullAt = 0;
        for (const wait of waits) {
          now += wait;
          fullAt = Math.max(fullAt, now) + oneToken;
          const expected = Math.max(0, fullAt - burst * oneToken - now);
          expect(Math.abs(bucket.reserve(now) - expected)).toBeLessThan(1e-3);
        }
      }),
    );
  });

  it.each([
    ['qps', { qps: 0, burst: 1 }, 'a number above 0'],
    ['qps', { qps: -1, burst: 1 }, 'a number above 0'],
    ['qps', { qps: Number.NaN, burst: 1 }, 'a number above 0'],
    ['qps', { qps: Infinity, burst: 1 }, 'a number above 0'],
    ['burst', { qps: 1, burst: 0 }, 'a whole number'],
    ['burst', { qps: 1, burst: 1.5 }, 'a whole number'],
    ['burst', { qps: 1, burst: Number.NaN }, 'a whole number'],
  ] as const)('refuses %s of %p', (option, options, allowed) => {
    const refused = thrownBy(() => createTokenBucket(options));
    expect(refused).toMatchObject({ code: 'INVALID_OPTION', option, value: options[option] });
    expect((refused as InvalidOptionError).message).toContain(allowed);
  });
});
