import fc from 'fast-check';
import { Backoff, type BackoffOptions } from '../../src/queue/backoff.ts';

const waits = (backoff: Backoff, count: number): number[] =>
  Array.from({ length: count }, () => backoff.next());

describe('Backoff', () => {
  it('doubles from 800 ms to 30 s', () => {
    const backoff = new Backoff({ random: () => 0 });
    expect(waits(backoff, 8)).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('waits up to twice the delay', () => {
    const backoff = new Backoff({ random: () => 0.5 });
    expect(waits(backoff, 7)).toEqual([1200, 2400, 4800, 9600, 19_200, 38_400, 45_000]);
  });

  it('draws each wait anew', () => {
    const numbers = [0, 0.25, 0.75];
    const backoff = new Backoff({ initial: 100, factor: 1, random: () => numbers.shift() ?? 0 });
    expect(waits(backoff, 3)).toEqual([100, 125, 175]);
  });

  it('begins again after a reset', () => {
    const backoff = new Backoff({ random: () => 0 });
    waits(backoff, 5);
    backoff.reset();
    expect(backoff.attempt).toBe(0);
    expect(waits(backoff, 2)).toEqual([800, 1600]);
  });

  it('counts the waits, of either kind', () => {
    const backoff = new Backoff();
    backoff.next();
    backoff.nextAtCap();
    backoff.next();
    expect(backoff.attempt).toBe(3);
  });

  it('waits at the cap without moving on', () => {
    const backoff = new Backoff({ random: () => 0 });
    expect([backoff.next(), backoff.nextAtCap(), backoff.next()]).toEqual([800, 30_000, 1600]);
  });

  it('stays in [d, 2d) for every setting', () => {
    const settings = fc
      .record({
        initial: fc.double({ min: 0.001, max: 1e6, noNaN: true }),
        factor: fc.double({ min: 1, max: 1e6, noNaN: true }),
        ratio: fc.double({ min: 1, max: 1000, noNaN: true }),
      })
      .map(({ initial, factor, ratio }) => ({ initial, factor, cap: initial * ratio }));
    fc.assert(
      fc.property(settings, (options) => {
        const backoff = new Backoff(options);
        let delay = options.initial;
        for (const wait of waits(backoff, 20)) {
          expect(wait).toBeGreaterThanOrEqual(delay);
          expect(wait).toBeLessThanOrEqual(2 * delay);
          delay = Math.min(delay * options.factor, options.cap);
        }
      }),
    );
  });

  it.each<[keyof BackoffOptions, BackoffOptions]>([
    ['initial', { initial: 0 }],
    ['initial', { initial: -1 }],
    ['initial', { initial: NaN }],
    ['initial', { initial: Infinity }],
    ['initial', { initial: '5' as never }],
    ['factor', { factor: 0.5 }],
    ['factor', { factor: NaN }],
    ['factor', { factor: true as never }],
    ['cap', { cap: 799 }],
    ['cap', { cap: 2 ** 30 }],
    ['cap', { cap: NaN }],
    ['cap', { cap: '5000' as never }],
    ['random', { random: 0.5 as unknown as () => number }],
  ])('refuses an unusable %s: %p', (option, options) => {
    let thrown: unknown;
    try {
      new Backoff(options);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'INVALID_OPTION', option, value: options[option] });
    expect(String(thrown)).toMatch(/ is needed$/);
  });
});
