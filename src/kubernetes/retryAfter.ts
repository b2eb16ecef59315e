/** The longest delay a timer of Node can hold; a longer one would fire at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Lower bound for the next try: the larger of the `Retry-After` header (seconds, or an HTTP date) and of the
 * `retryAfterSeconds` of a Status. `undefined` where neither says anything usable. Unit: milliseconds.
 */
export function retryAfterOf(
  header: string | undefined,
  detailSeconds: unknown,
  now: number,
): number | undefined {
  const waits = [headerDelay(header?.trim() ?? '', now), secondsDelay(detailSeconds)].filter(
    (wait) => wait !== undefined,
  );
  return waits.length === 0 ? undefined : Math.min(Math.max(...waits), LONGEST);
}

function headerDelay(header: string, now: number): number | undefined {
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  // Only what looks like a date: Date.parse reads '-5' as one, too.
  const at = /^[A-Za-z]{3,9},? /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function secondsDelay(seconds: unknown): number | undefined {
  return typeof seconds === 'number' && seconds >= 0 ? seconds * 1000 : undefined;
}
