import { checkDuration } from '../../operators/internal/duration.ts';
import { checkOptions } from '../checks.ts';
import type { Readiness } from './readiness.ts';

export interface HealthOptions {
  /** A store that may be out of date for longer makes the process not live. Unit: milliseconds. Default: Infinity. */
  readonly maxStale?: number | undefined;
}

/** What a probe can serve: plain data, frozen. */
export interface Health {
  /** None has failed for good, and none that runs was out of date for too long. */
  readonly live: boolean;
  /** All are in sync, and none has failed. */
  readonly ready: boolean;
  readonly informers: readonly Readiness[];
}

/** Unit of `now`: milliseconds. Throws InvalidOptionError. */
export function healthOf(informers: readonly Readiness[], now: number, options: HealthOptions = {}): Health {
  checkOptions('options', options);
  const { maxStale = Infinity } = options;
  if (maxStale !== Infinity) checkDuration('maxStale', maxStale, 0, Number.MAX_VALUE);
  const failed = informers.some(({ state }) => state === 'failed');
  const stale = informers.some(({ staleSince }) => staleSince !== undefined && now - staleSince > maxStale);
  const ready = !failed && informers.every(({ synced }) => synced);
  return Object.freeze({ live: !failed && !stale, ready, informers });
}
