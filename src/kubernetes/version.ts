/**
 * The order of two resourceVersions of one kind: -1 where `a` is older, 1 where it is newer, 0 where they are
 * the same, `undefined` where that cannot be told. Decimal versions of any length have an order; all others,
 * among them `0`, which stands for "any", are only equal or not.
 */
export function compareVersions(a: string, b: string): -1 | 0 | 1 | undefined {
  if (a === b) return 0;
  if (!isOrdered(a) || !isOrdered(b)) return undefined;
  // Without leading zeros fewer digits are a smaller number, and as many digits compare as text.
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Whether `a` is known to be older than `b`. */
export function isOlder(a: string, b: string): boolean {
  return compareVersions(a, b) === -1;
}

const isOrdered = (version: string): boolean => /^[1-9][0-9]*$/.test(version);
