import { type Figures, growthOf, leaksOf, type Sample } from './samples.ts';

const MEBIBYTE = 2 ** 20;
const quiet: Figures = {
  heap: 60 * MEBIBYTE,
  external: 20 * MEBIBYTE,
  rss: 200 * MEBIBYTE,
  sockets: 2,
  timers: 3,
  listeners: 20,
};

/** One for each of these heaps, in mebibytes. */
const withHeaps = (...heaps: number[]): Sample[] =>
  heaps.map((heap, at) => ({ ...quiet, heap: heap * MEBIBYTE, second: at }));

const flat = (samples: Sample[]): Record<string, boolean> =>
  Object.fromEntries(growthOf(samples).map((growth) => [growth.figure, growth.flat]));

describe('what a soak measured', () => {
  it('is flat where the last quarter is as the second, whatever the first was and whatever waits now and then', () => {
    expect(flat(withHeaps(20, 30, 30, 60, 61, 60, 62, 62, 60, 120, 90, 61))).toEqual({
      heap: true,
      external: true,
      rss: true,
    });
  });

  it('is not flat where it grows slowly and all the time', () => {
    const rising = Array.from({ length: 40 }, (_, at) => 60 + 0.4 * at);
    expect(flat(withHeaps(...rising))).toEqual({ heap: false, external: true, rss: true });
  });

  it('compares the least of the second and the last quarter', () => {
    expect(growthOf(withHeaps(1, 1, 2, 5, 3, 3, 9, 8))).toContainEqual({
      figure: 'heap',
      second: 2 * MEBIBYTE,
      last: 8 * MEBIBYTE,
      flat: false,
    });
  });

  it('cannot be flat where nothing was measured', () => {
    expect(flat([])).toEqual({ heap: false, external: false, rss: false });
  });

  it('names what there is more of than before', () => {
    expect(leaksOf(quiet, { ...quiet, timers: 2 })).toEqual([]);
    expect(leaksOf(quiet, { ...quiet, sockets: 3, timers: 5, listeners: 21 })).toEqual([
      '3 sockets, where there were 2',
      '5 timers, where there were 3',
      '21 listeners, where there were 20',
    ]);
  });
});
