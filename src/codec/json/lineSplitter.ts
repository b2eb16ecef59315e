import { BYTE_ORDER_MARK, isBlank, LINE_FEED, NOWHERE } from './bytes.ts';
import { Carry } from './carry.ts';
import { skipBlanks } from './skip.ts';

export interface LineHandlers {
  /** One line without its end and the blanks around it; never empty. Bytes are valid during the call only. */
  line(bytes: Buffer, position: number): void;
  /** The beginning of a line that is longer than the limit. The rest of it is passed over. */
  tooLong(beginning: Buffer, position: number): void;
}

/** Cuts a body that comes in pieces into its lines. */
export class LineSplitter {
  readonly #limit: number;
  readonly #handlers: LineHandlers;
  /** The current line, as far as it came in earlier pieces. */
  readonly #carry = new Carry();
  /** Where in the body the current piece begins. */
  #offset = 0;
  /** Where in the body the current line begins. */
  #position = 0;
  /** Whether the current line was too long. */
  #skipping = false;

  /** @param limit Longest line. Unit: bytes. */
  constructor(limit: number, handlers: LineHandlers) {
    this.#limit = limit;
    this.#handlers = handlers;
  }

  push(bytes: Buffer): void {
    let start = 0;
    for (let feed = bytes.indexOf(LINE_FEED); feed !== NOWHERE; feed = bytes.indexOf(LINE_FEED, start)) {
      this.#endLine(bytes, start, feed);
      start = feed + 1;
      this.#position = this.#offset + start;
    }
    if (start < bytes.length) this.#keep(bytes, start, bytes.length);
    this.#offset += bytes.length;
  }

  /** What came behind the last line end, without blanks around it; `undefined` if that was too long. */
  get rest(): Buffer | undefined {
    return this.#skipping ? undefined : trimmed(this.#carry.bytes, this.#position);
  }

  /** Takes the rest for a line. */
  flush(): void {
    this.#endLine(NOTHING, 0, 0);
  }

  #endLine(bytes: Buffer, start: number, end: number): void {
    if (!this.#skipping && this.#carry.length === 0 && end - start <= this.#limit) {
      this.#deliver(bytes.subarray(start, end));
      return;
    }
    this.#keep(bytes, start, end);
    if (!this.#skipping) this.#deliver(this.#carry.bytes);
    this.#skipping = false;
    this.#carry.clear();
  }

  #deliver(line: Buffer): void {
    const content = trimmed(line, this.#position);
    if (content.length > 0) this.#handlers.line(content, this.#position);
  }

  #keep(bytes: Buffer, start: number, end: number): void {
    if (this.#skipping) return;
    const room = this.#limit - this.#carry.length;
    this.#carry.append(bytes, start, Math.min(end, start + room));
    if (end - start <= room) return;

    this.#skipping = true;
    this.#handlers.tooLong(trimmed(this.#carry.bytes, this.#position), this.#position);
    this.#carry.clear();
  }
}

const NOTHING = Buffer.alloc(0);

function trimmed(line: Buffer, position: number): Buffer {
  const marked = position === 0 && BYTE_ORDER_MARK.every((byte, i) => line[i] === byte);
  const start = skipBlanks(line, marked ? BYTE_ORDER_MARK.length : 0, line.length);
  let end = line.length;
  while (end > start && isBlank(line[end - 1])) end--;
  return line.subarray(start, end);
}
