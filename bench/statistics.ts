/** Throws for no values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('there is no median of nothing');
  return (upper + lower) / 2;
}

/** How far apart the values lie, as a part of their median. */
export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

/** The value that so large a part (0 to 1) of all does not exceed. Throws for no values. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
  if (value === undefined) throw new Error('there is no percentile of nothing');
  return value;
}
