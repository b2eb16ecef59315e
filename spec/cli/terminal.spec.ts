import { PassThrough } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { Terminal } from '../../src/cli/terminal.ts';

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';

/** A terminal of 20 columns and 3 rows, and what was written to it since it was last asked. */
function opened(colours = false) {
  const out = Object.assign(new PassThrough(), { columns: 20, rows: 3 }) as unknown as WriteStream;
  const terminal = new Terminal(out, colours);
  terminal.open();
  return { out, terminal, written: () => String(out.read() ?? '') };
}

describe('Terminal', () => {
  it('takes a screen of its own without a cursor, and gives back what was there, each once', () => {
    const { terminal, written } = opened();
    terminal.open();
    expect(written()).toBe(ENTER);
    terminal.close();
    terminal.close();
    expect(written()).toBe(LEAVE);
  });

  it('draws nothing once it is closed', () => {
    const { terminal, written } = opened();
    terminal.close();
    written();
    terminal.draw([[{ text: 'late' }]]);
    expect(written()).toBe('');
  });

  it('overwrites line by line from the top, and clears what is below', () => {
    const { terminal, written } = opened();
    written();
    terminal.draw([[{ text: 'a' }, { text: 'b', style: 'bad' }], []]);
    expect(written()).toBe('\u001b[?2026h\u001b[H\u001b[Kab\r\n\u001b[K\r\n\u001b[J\u001b[?2026l');
  });

  it('ends a full window without a line break, which would scroll it', () => {
    const { terminal, written } = opened();
    written();
    terminal.draw([[{ text: 'a' }], [{ text: 'b' }], [{ text: 'c' }]]);
    expect(written()).toMatch(/c\u001b\[\?2026l$/);
  });

  it('has colours where they are wanted', () => {
    const { terminal, written } = opened(true);
    terminal.draw([[{ text: 'a', style: 'bad' }]]);
    expect(written()).toContain('\u001b[31ma\u001b[0m');
  });

  it('knows its size, and takes an ordinary one for none', () => {
    const { out, terminal } = opened();
    expect(terminal.size).toEqual({ columns: 20, rows: 3 });
    Object.assign(out, { columns: 0, rows: undefined });
    expect(terminal.size).toEqual({ columns: 80, rows: 24 });
  });
});
