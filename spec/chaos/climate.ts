import { seededRandom } from '../../src/testing/seededRandom.ts';

/** What differs from storm to storm, by the seed. */
export interface Climate {
  /** One of so many requests is befallen. */
  readonly every: number;
  /** Between two writes at the most. Unit: milliseconds. */
  readonly gap: number;
  /** Between two storms at the most. Unit: milliseconds. */
  readonly calm: number;
  /** Whether the server has streaming lists. */
  readonly watchList: boolean;
  /** Changes that are remembered, so that versions expire by themselves. */
  readonly history: number;
}

const HOUR = 3_600_000;

export function climateOf(seed: number): Climate {
  const random = seededRandom(seed * 7_919);
  return {
    every: 1.2 + 3 * random(),
    gap: 5_000 + Math.floor(55_000 * random()),
    watchList: random() < 0.7,
    history: 10 + Math.floor(200 * random()),
    calm: Math.floor(HOUR * (0.5 + 1.5 * random())),
  };
}
