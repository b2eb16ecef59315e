import { charactersOf, shortened } from './text.ts';

/** What a piece of text means; the terminal chooses its colour. */
export type Style = 'add' | 'update' | 'delete' | 'sync' | 'strong' | 'quiet' | 'good' | 'bad';

export interface Span {
  readonly text: string;
  readonly style?: Style;
}

export type Line = readonly Span[];

export const span = (text: string, style?: Style): Span => (style === undefined ? { text } : { text, style });

/** The line in so many columns. */
export function fitted(line: Line, width: number): Line {
  const result: Span[] = [];
  let left = width;
  for (const piece of line) {
    if (left <= 0) break;
    const text = shortened(piece.text, left);
    result.push({ ...piece, text });
    left -= charactersOf(text).length;
  }
  return result;
}
