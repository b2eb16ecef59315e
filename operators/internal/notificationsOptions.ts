import { checkFunction, checkOptions } from '../../src/checks.ts';
import { InvalidOptionError } from '../../src/errors.ts';
import { checkResync, type ResyncPeriod } from './resyncTicks.ts';

/** What one subscriber wants to be told. */
export interface NotificationsOptions {
  /**
   * Whether it is told first what the store holds, as adds marked `initial`. With `false` it is told only what
   * changes after it joined: at once where the first list of this run is in the store, else with that list.
   * Default: true.
   */
  readonly initial?: boolean | undefined;
  /**
   * Called once, when this subscriber has been told all that the store held when it joined; an operator that hands
   * notifications to a handler has taken it all then. With `initial: false` it is called on joining, and the store is
   * exactly at the revision from which on changes are told: read it then, and follow the changes with no gap.
   *
   * What it throws is a problem on the status, and ends nothing.
   */
  readonly onSynced?: (() => void) | undefined;
  /**
   * Tells this subscriber every stored object again, as `sync`, at this period, each time up to a tenth longer. From
   * the store: no request is made, and nobody else is told. Pulled as the store is, so that a handler that is slower
   * than its period is not told more of it, and none for what waits for a handler anyway.
   *
   * A stream of periods changes it: the last value counts, also after its end; a value that cannot be used, or an
   * error of it, is a problem on the status. Unit: milliseconds. Default, and what 0 and Infinity mean: never.
   */
  readonly resync?: ResyncPeriod;
}

/** Throws InvalidOptionError. */
export function checkNotificationsOptions(options: NotificationsOptions): void {
  checkOptions('options', options);
  const { initial, onSynced, resync } = options;
  if (initial !== undefined && typeof initial !== 'boolean') {
    throw new InvalidOptionError('initial', initial, 'give true or false');
  }
  checkFunction('onSynced', onSynced);
  checkResync(resync);
}
