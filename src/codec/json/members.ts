import { BACKSLASH, CLOSE_BRACE, COLON, COMMA, NOWHERE, OPEN_BRACE, QUOTE, textOf } from './bytes.ts';
import { skipBlanks, skipString, skipValue } from './skip.ts';

/** Walks over the members of one object, in bytes that hold it whole or only its beginning. */
export class Members {
  /** Where the value of the current member begins. */
  value = NOWHERE;
  /** Where the name of the current member begins, at its quote. */
  start = NOWHERE;
  /** Behind the closing brace; known once `next` gave false, and NOWHERE if the object is cut or damaged. */
  end = NOWHERE;

  readonly #bytes: Uint8Array;
  readonly #limit: number;
  readonly #brace: number;
  #valueEnd = NOWHERE;
  #nameEnd = NOWHERE;
  #nameIsPlain = true;

  /** @param brace Where the object begins. */
  constructor(bytes: Uint8Array, brace: number, limit: number) {
    this.#bytes = bytes;
    this.#limit = limit;
    this.#brace = brace;
  }

  /** Goes to the next member. A value is passed over only here, so one that is not left costs nothing. */
  next(): boolean {
    const at = this.value === NOWHERE ? this.#firstName() : this.#nextName();
    if (at === NOWHERE || this.#bytes[at] !== QUOTE) return false;

    this.start = at;
    this.#nameEnd = skipString(this.#bytes, at, this.#limit);
    if (this.#nameEnd === NOWHERE) return false;
    this.#nameIsPlain = isPlain(this.#bytes, at, this.#nameEnd);
    const colon = this.#skipBlanks(this.#nameEnd);
    if (colon >= this.#limit || this.#bytes[colon] !== COLON) return false;
    this.value = this.#skipBlanks(colon + 1);
    this.#valueEnd = NOWHERE;
    return this.value < this.#limit;
  }

  /** Whether the current member has this name. */
  is(name: string): boolean {
    if (!this.#nameIsPlain) return stringAt(this.#bytes, this.start, this.#limit) === name;
    const first = this.start + 1;
    if (this.#nameEnd - 1 - first !== name.length) return false;
    for (let i = 0; i < name.length; i++) {
      if (this.#bytes[first + i] !== name.charCodeAt(i)) return false;
    }
    return true;
  }

  /** Passes over the value of the current member: behind it, or NOWHERE if it is cut. */
  skipValue(): number {
    if (this.#valueEnd === NOWHERE) this.#valueEnd = skipValue(this.#bytes, this.value, this.#limit);
    return this.#valueEnd;
  }

  /** Who went through the value of the current member says where it ended. */
  passed(end: number): void {
    this.#valueEnd = end;
  }

  #firstName(): number {
    if (this.#bytes[this.#brace] !== OPEN_BRACE) return NOWHERE;
    const at = this.#skipBlanks(this.#brace + 1);
    return this.#closesAt(at) ? NOWHERE : at;
  }

  #nextName(): number {
    const valueEnd = this.skipValue();
    if (valueEnd === NOWHERE) return NOWHERE;
    const at = this.#skipBlanks(valueEnd);
    if (this.#closesAt(at) || at >= this.#limit || this.#bytes[at] !== COMMA) return NOWHERE;
    return this.#skipBlanks(at + 1);
  }

  #closesAt(at: number): boolean {
    if (at >= this.#limit || this.#bytes[at] !== CLOSE_BRACE) return false;
    this.end = at + 1;
    return true;
  }

  #skipBlanks(at: number): number {
    return skipBlanks(this.#bytes, at, this.#limit);
  }
}

/** The string that begins at this quote, or `undefined` where there is none. */
export function stringAt(bytes: Uint8Array, at: number, limit: number): string | undefined {
  if (bytes[at] !== QUOTE) return undefined;
  const end = skipString(bytes, at, limit);
  if (end === NOWHERE) return undefined;
  try {
    if (!hasEscape(bytes, at, end)) return textOf(bytes, at + 1, end - 1);
    return JSON.parse(textOf(bytes, at, end)) as string;
  } catch {
    return undefined;
  }
}

/** Whether its bytes are those of its characters, one each. */
function isPlain(bytes: Uint8Array, at: number, end: number): boolean {
  for (let i = at; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === BACKSLASH || byte > 0x7f) return false;
  }
  return true;
}

function hasEscape(bytes: Uint8Array, at: number, end: number): boolean {
  for (let i = at; i < end; i++) if (bytes[i] === BACKSLASH) return true;
  return false;
}
