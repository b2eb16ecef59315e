import { checkFunction, checkOptions } from '../../src/checks.ts';
import { InvalidOptionError } from '../../src/errors.ts';

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
}

/** Throws InvalidOptionError. */
export function checkNotificationsOptions(options: NotificationsOptions): void {
  checkOptions('options', options);
  const { initial, onSynced } = options;
  if (initial !== undefined && typeof initial !== 'boolean') {
    throw new InvalidOptionError('initial', initial, 'give true or false');
  }
  checkFunction('onSynced', onSynced);
}
