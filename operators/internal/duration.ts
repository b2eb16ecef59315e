import { InvalidOptionError } from '../../src/errors.ts';

/** What Node's timers can count; a longer one would fire at once. Unit: milliseconds. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Throws InvalidOptionError for an option that is not this many milliseconds. */
export function checkDuration(option: string, value: number, least: number, most = LONGEST_TIMER): void {
  if (!Number.isFinite(value) || value < least || value > most) {
    throw new InvalidOptionError(option, value, `give milliseconds from ${least} to ${most}`);
  }
}

/** What comes each time up to a tenth later. Throws InvalidOptionError. */
export function checkPeriod(option: string, value: number): void {
  checkDuration(option, value, 1, Math.floor(LONGEST_TIMER / 1.1));
}
