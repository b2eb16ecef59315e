import type { WriteStream } from 'node:tty';
import type { Line, Style } from './view/line.ts';
import type { WindowSize } from './view/screen.ts';

/** Control sequences of terminals. */
const CSI = '\u001b[';
/** A second screen, no cursor, and no wrapping of what might be too wide after all. */
const ENTER = `${CSI}?1049h${CSI}?25l${CSI}?7l`;
const LEAVE = `${CSI}?7h${CSI}?25h${CSI}?1049l`;
/** What lies between appears at once, where the terminal can do that. */
const [BEGIN, END] = [`${CSI}?2026h`, `${CSI}?2026l`];
const [HOME, CLEAR_LINE, CLEAR_BELOW] = [`${CSI}H`, `${CSI}K`, `${CSI}J`];

const COLOURS: Readonly<Record<Style, string>> = {
  add: '32',
  update: '33',
  delete: '31',
  sync: '36',
  strong: '1',
  quiet: '2',
  good: '32',
  bad: '31',
};

/** A terminal that shows one screen after the other. */
export class Terminal {
  readonly #out: WriteStream;
  readonly #colours: boolean;
  #open = false;

  constructor(out: WriteStream, colours: boolean) {
    this.#out = out;
    this.#colours = colours;
  }

  get size(): WindowSize {
    const { columns, rows } = this.#out;
    return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
  }

  open(): void {
    if (this.#open) return;
    this.#open = true;
    this.#out.write(ENTER);
  }

  /** Shows the terminal as it was before. Again, it does nothing. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#out.write(LEAVE);
  }

  /** Overwrites what is there, line by line and in one write, so that nothing flickers. */
  draw(lines: readonly Line[]): void {
    if (!this.#open) return;
    // Cleared first: behind a full line the cursor still stands on its last character.
    const text = lines.map((line) => CLEAR_LINE + this.#painted(line)).join('\r\n');
    const rest = lines.length < this.size.rows ? `\r\n${CLEAR_BELOW}` : '';
    this.#out.write(`${BEGIN}${HOME}${text}${rest}${END}`);
  }

  #painted(line: Line): string {
    return line
      .map(({ text, style }) =>
        style === undefined || !this.#colours ? text : `${CSI}${COLOURS[style]}m${text}${CSI}0m`,
      )
      .join('');
  }
}
