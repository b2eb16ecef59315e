import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE, textOf } from './bytes.ts';
import { Carry } from './carry.ts';
import { stringAt } from './members.ts';
import { parseJson } from './parse.ts';

/**
 * A list's body without its items, taken byte by byte from its opening brace on. It is decoded as a whole at
 * the end, so here only the depth is checked and where `items` begins.
 */
export class Envelope {
  readonly #carry = new Carry();
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Where the last string begins. In front of a value that is one of the object's own, that is its name. */
  #stringAt = 0;

  get length(): number {
    return this.#carry.length;
  }

  /** `ITEMS`: this byte opened the array `items`; leave out what is in it. `END`: it closed the object. */
  take(byte: number): 'ITEMS' | 'END' | undefined {
    this.#carry.appendByte(byte);
    if (this.#inString) this.#takeInString(byte);
    else return this.#takeToken(byte);
    return undefined;
  }

  /** Throws SyntaxError. */
  decode(): unknown {
    return parseJson(textOf(this.#carry.bytes));
  }

  #takeToken(byte: number): 'ITEMS' | 'END' | undefined {
    switch (byte) {
      case QUOTE:
        this.#inString = true;
        this.#stringAt = this.#carry.length - 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.#depth++;
        if (byte === OPEN_BRACKET && this.#depth === 2 && this.#lastString() === 'items') return 'ITEMS';
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (--this.#depth === 0) return 'END';
    }
    return undefined;
  }

  #takeInString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #lastString(): string | undefined {
    return stringAt(this.#carry.bytes, this.#stringAt, this.#carry.length);
  }
}
