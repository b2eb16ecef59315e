import { InvalidOptionError } from '../errors.ts';

export interface BackoffOptions {
  /** The first delay. Unit: milliseconds. Default: 800. */
  readonly initial?: number | undefined;
  /** By what the delay grows with each wait. Default: 2. */
  readonly factor?: number | undefined;
  /** The largest delay. Unit: milliseconds. Default: 30000. */
  readonly cap?: number | undefined;
  /** A number in [0, 1). Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/**
 * How long to wait before each try: a delay that grows up to a cap, drawn anew each time between once and
 * twice its length, so that clients cut off together do not come back together. It holds no clock: when
 * to wait, and when to reset, is the caller's affair.
 */
export class Backoff {
  readonly #initial: number;
  readonly #factor: number;
  readonly #cap: number;
  readonly #random: () => number;
  #delay: number;
  #attempt = 0;

  /** Throws InvalidOptionError. */
  constructor(options: BackoffOptions = {}) {
    const { initial = 800, factor = 2, cap = 30_000, random = Math.random } = options;
    if (!(Number.isFinite(initial) && initial > 0)) {
      throw new InvalidOptionError('initial', initial, 'a number of milliseconds above 0 is needed');
    }
    if (!(Number.isFinite(factor) && factor >= 1)) {
      throw new InvalidOptionError('factor', factor, 'a number of 1 or more is needed');
    }
    if (!(Number.isFinite(cap) && cap >= initial && cap <= LONGEST_CAP)) {
      const allowed = `a number of milliseconds from initial to ${String(LONGEST_CAP)} is needed`;
      throw new InvalidOptionError('cap', cap, allowed);
    }
    if (typeof random !== 'function') {
      throw new InvalidOptionError('random', random, 'a function that returns a number in [0, 1) is needed');
    }
    this.#initial = initial;
    this.#factor = factor;
    this.#cap = cap;
    this.#random = random;
    this.#delay = initial;
  }

  /** How many waits were handed out since the last reset. */
  get attempt(): number {
    return this.#attempt;
  }

  /** The next wait, in [d, 2d) for a d that grows from `initial` to `cap`. Unit: milliseconds. */
  next(): number {
    const wait = this.#draw(this.#delay);
    this.#delay = Math.min(this.#delay * this.#factor, this.#cap);
    return wait;
  }

  /**
   * A wait in [cap, 2 × cap), for what does not pass soon (403, 404). What `next` returns after it is what
   * it would have been without. Unit: milliseconds.
   */
  nextAtCap(): number {
    return this.#draw(this.#cap);
  }

  /** Begins again at `initial`. */
  reset(): void {
    this.#delay = this.#initial;
    this.#attempt = 0;
  }

  #draw(delay: number): number {
    this.#attempt += 1;
    return delay * (1 + this.#random());
  }
}

/** Twice this is the longest timer there is; a longer one would fire at once. */
const LONGEST_CAP = 2 ** 30 - 1;
