import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  textOf,
} from './bytes.ts';
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
  #stringAt = 0;
  /** Whether the next string is the name of a member of the list itself. */
  #expectsName = false;
  #name: string | undefined;

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
      case COMMA:
        this.#expectsName = this.#depth === 1;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.#depth++;
        this.#expectsName = this.#depth === 1;
        if (byte === OPEN_BRACKET && this.#depth === 2 && this.#name === 'items') return 'ITEMS';
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
    else if (byte === QUOTE) this.#endString();
  }

  #endString(): void {
    this.#inString = false;
    if (!this.#expectsName) return;
    this.#expectsName = false;
    this.#name = stringAt(this.#carry.bytes, this.#stringAt, this.#carry.length);
  }
}
