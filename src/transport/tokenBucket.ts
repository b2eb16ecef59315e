import { InvalidOptionError } from '../errors.ts';

export interface TokenBucketOptions {
  /** Tokens that come in. Unit: per second. */
  readonly qps: number;
  /** Tokens that may be taken at once after a pause. */
  readonly burst: number;
}

/** A rate limit: `burst` at once, `qps` for long. Reads no clock and waits for nothing itself. */
export interface TokenBucket {
  /**
   * Takes one token, in advance if none is there, and says how long to wait until it may be used; 0 is now.
   * A clock that went back counts as one that stands still. Unit: milliseconds.
   */
  reserve(now: number): number;
}

/** Errors: InvalidOptionError for anything that is no rate. */
export function createTokenBucket({ qps, burst }: TokenBucketOptions): TokenBucket {
  if (!(Number.isFinite(qps) && qps > 0)) {
    throw new InvalidOptionError('qps', qps, 'pass a number above 0, or leave the rate limit out');
  }
  if (!(Number.isSafeInteger(burst) && burst >= 1)) {
    throw new InvalidOptionError('burst', burst, 'pass a whole number of 1 or more');
  }
  const perMillisecond = qps / 1000;
  let tokens = burst;
  let last: number | undefined;

  return {
    reserve(now) {
      const passed = Math.max(0, now - (last ?? now));
      last = Math.max(now, last ?? now);
      tokens = Math.min(burst, tokens + passed * perMillisecond) - 1;
      return tokens >= 0 ? 0 : -tokens / perMillisecond;
    },
  };
}
