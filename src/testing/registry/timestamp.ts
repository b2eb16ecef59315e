/** A point of time as the API writes it: to the second. Unit: milliseconds. */
export const timestamp = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d+/, '');
