const numbers = new Intl.NumberFormat('en');

/** 12345 as `12,345`. */
export const count = (value: number): string => numbers.format(value);

/** A number and its unit: `1 object`, `2,000 objects`. */
export const counted = (value: number, unit: string): string =>
  `${count(value)} ${unit}${value === 1 ? '' : 's'}`;

/** Unit: milliseconds. As `0.8 s`, `42 s`, `5 m 3 s`, `2 h 0 m`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${String(Math.floor(seconds))} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${String(minutes)} m ${String(Math.floor(seconds % 60))} s`;
  return `${String(Math.floor(minutes / 60))} h ${String(minutes % 60)} m`;
}

/** Text of others in one line, with nothing in it that a terminal would obey. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');

/** What a terminal gives a place of its own, more or less. */
export const charactersOf = (text: string): string[] => Array.from(text);

/** At most so many characters, the last of which is … where some are missing. */
export function shortened(text: string, width: number): string {
  const characters = charactersOf(text);
  if (characters.length <= width) return text;
  return width < 1 ? '' : `${characters.slice(0, width - 1).join('')}…`;
}
