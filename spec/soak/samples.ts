/** What is measured of the process of the informers, after its garbage was collected. Unit of the first three: bytes. */
export interface Figures {
  readonly heap: number;
  /** Outside of the heap: the bytes of objects, among others. */
  readonly external: number;
  readonly rss: number;
  readonly sockets: number;
  readonly timers: number;
  /** On its sockets. */
  readonly listeners: number;
}

export interface Sample extends Figures {
  /** Since the load began. Unit: seconds. */
  readonly second: number;
}

const MEBIBYTE = 2 ** 20;

/** By how much each may grow: a share, and what is noise. */
const BOUNDS = {
  heap: { share: 0.05, noise: 2 * MEBIBYTE },
  external: { share: 0.05, noise: 2 * MEBIBYTE },
  rss: { share: 0.1, noise: 16 * MEBIBYTE },
} as const;

export interface Growth {
  readonly figure: keyof typeof BOUNDS;
  /** The least in the second quarter, in which all is warm, and in the last. Unit: bytes. */
  readonly second: number;
  readonly last: number;
  readonly flat: boolean;
}

/**
 * Compares the last quarter with the second: the least of each, for that is what is held in any case. What is above it
 * waits for slow handlers, and comes and goes.
 */
export function growthOf(samples: readonly Sample[]): readonly Growth[] {
  const quarter = (n: number): readonly Sample[] =>
    samples.slice(Math.floor(((n - 1) * samples.length) / 4), Math.floor((n * samples.length) / 4));
  return (Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]).map((figure) => {
    const second = least(quarter(2).map((sample) => sample[figure]));
    const last = least(quarter(4).map((sample) => sample[figure]));
    const { share, noise } = BOUNDS[figure];
    return { figure, second, last, flat: last <= second * (1 + share) + noise };
  });
}

/** What there is more of at the end than at the beginning, both in quiet, in words. */
export function leaksOf(before: Figures, after: Figures): readonly string[] {
  return (['sockets', 'timers', 'listeners'] as const)
    .filter((figure) => after[figure] > before[figure])
    .map((figure) => `${after[figure]} ${figure}, where there were ${before[figure]}`);
}

/** NaN of nothing, which is less than no bound. */
const least = (values: readonly number[]): number => (values.length === 0 ? NaN : Math.min(...values));
