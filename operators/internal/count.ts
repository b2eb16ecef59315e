import { InvalidOptionError } from '../../src/errors.ts';

/** Throws InvalidOptionError for an option that is no whole number of these, nor Infinity where that is allowed. */
export function checkCount(option: string, value: number, least: number, most = Infinity): void {
  if (value >= least && value <= most && (Number.isInteger(value) || value === Infinity)) return;
  const bounds = most === Infinity ? `of at least ${least}, or Infinity` : `from ${least} to ${most}`;
  throw new InvalidOptionError(option, value, `give a whole number ${bounds}`);
}
