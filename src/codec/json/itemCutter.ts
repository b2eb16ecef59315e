import { DecodeError, ItemTooLargeError } from '../../errors.ts';
import {
  BYTE_ORDER_MARK,
  CLOSE_BRACKET,
  COMMA,
  isBlank,
  LESS_THAN,
  NOWHERE,
  OPEN_BRACE,
  OPEN_BRACKET,
} from './bytes.ts';
import { Carry } from './carry.ts';
import { Envelope } from './envelope.ts';
import { NestedScan } from './nestedScan.ts';

export interface ItemHandlers {
  /** One object of `items`. Bytes are valid during the call only. */
  item(bytes: Uint8Array, position: number): void;
  /** An item that is larger than the limit; throws. */
  tooLarge(beginning: Uint8Array, position: number): never;
}

type Place =
  | 'BEFORE_BODY'
  | 'ENVELOPE'
  | 'BEFORE_FIRST'
  | 'IN_ITEM'
  | 'BEHIND_ITEM'
  | 'BEHIND_COMMA'
  | 'BEHIND_BODY';

/** Cuts the objects of `items` out of a list's body that comes in pieces; the fields may come in any order. */
export class ItemCutter {
  readonly #limit: number;
  readonly #handlers: ItemHandlers;
  readonly #envelope = new Envelope();
  readonly #scan = new NestedScan();
  /** The current item, as far as it came in earlier pieces. */
  readonly #carry = new Carry();
  #place: Place = 'BEFORE_BODY';
  #hadItems = false;
  /** Where in the body the current piece begins. */
  #offset = 0;
  /** Where in the body the current item begins. */
  #itemPosition = 0;
  /** How much of a byte order mark came. */
  #marked = 0;

  /** @param limit Largest item, and most of what is around the items. Unit: bytes. */
  constructor(limit: number, handlers: ItemHandlers) {
    this.#limit = limit;
    this.#handlers = handlers;
  }

  /** Throws DecodeError, ItemTooLargeError, or what the handlers throw; it is of no use any more then. */
  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      const byte = bytes[at] ?? 0;
      const position = this.#offset + at;
      if (this.#place === 'IN_ITEM' || this.#beginsItem(byte, position)) {
        at = this.#takeItem(bytes, at);
      } else {
        this.#take(byte, position);
        at++;
      }
    }
    this.#offset += bytes.length;
  }

  /** The decoded body with the cut items left out. Throws DecodeError unless it was one complete JSON object. */
  end(): object {
    if (this.#place !== 'BEHIND_BODY') {
      throw new DecodeError(this.#offset === 0 ? 'the body is empty' : 'the body is cut', this.#offset);
    }
    try {
      return this.#envelope.decode() as object;
    } catch (cause) {
      throw new DecodeError('the body is not JSON', 0, undefined, cause);
    }
  }

  #beginsItem(byte: number, position: number): boolean {
    const isPlaceForOne = this.#place === 'BEFORE_FIRST' || this.#place === 'BEHIND_COMMA';
    if (byte !== OPEN_BRACE || !isPlaceForOne) return false;
    this.#place = 'IN_ITEM';
    this.#itemPosition = position;
    return true;
  }

  #takeItem(bytes: Buffer, at: number): number {
    const found = this.#scan.scan(bytes, at, bytes.length);
    const end = found === NOWHERE ? bytes.length : found;
    if (this.#carry.length + end - at > this.#limit) {
      this.#carry.append(bytes, at, at + this.#limit - this.#carry.length);
      this.#handlers.tooLarge(this.#carry.bytes, this.#itemPosition);
    }
    if (found === NOWHERE) {
      this.#carry.append(bytes, at, end);
      return end;
    }

    this.#place = 'BEHIND_ITEM';
    if (this.#carry.length === 0) {
      this.#handlers.item(bytes.subarray(at, end), this.#itemPosition);
    } else {
      this.#carry.append(bytes, at, end);
      this.#handlers.item(this.#carry.bytes, this.#itemPosition);
      this.#carry.clear();
    }
    return end;
  }

  #take(byte: number, position: number): void {
    if (this.#place === 'ENVELOPE') this.#takeEnvelope(byte, position);
    else if (this.#place === 'BEFORE_BODY') this.#takeBeforeBody(byte, position);
    else if (isBlank(byte)) return;
    else if (this.#place === 'BEHIND_BODY') throw new DecodeError('something follows the list', position);
    else this.#takeBetweenItems(byte, position);
  }

  #takeBeforeBody(byte: number, position: number): void {
    if (position === this.#marked && byte === BYTE_ORDER_MARK[position]) {
      this.#marked++;
      return;
    }
    const isMarkCut = this.#marked % BYTE_ORDER_MARK.length !== 0;
    if (isBlank(byte) && !isMarkCut) return;
    if (byte !== OPEN_BRACE || isMarkCut) {
      throw new DecodeError(`the body is ${guess(byte)}`, position);
    }
    this.#place = 'ENVELOPE';
    this.#envelope.take(byte);
  }

  #takeEnvelope(byte: number, position: number): void {
    if (this.#envelope.length >= this.#limit) throw new ItemTooLargeError(this.#limit, 0);
    const event = this.#envelope.take(byte);
    if (event === 'END') this.#place = 'BEHIND_BODY';
    if (event !== 'ITEMS') return;
    if (this.#hadItems) throw new DecodeError('the list has items twice', position);
    this.#hadItems = true;
    this.#place = 'BEFORE_FIRST';
  }

  #takeBetweenItems(byte: number, position: number): void {
    if (byte === COMMA && this.#place === 'BEHIND_ITEM') {
      this.#place = 'BEHIND_COMMA';
    } else if (byte === CLOSE_BRACKET && this.#place !== 'BEHIND_COMMA') {
      this.#place = 'ENVELOPE';
      this.#envelope.take(byte);
    } else {
      throw new DecodeError('there is something else than objects in the items of the list', position);
    }
  }
}

function guess(byte: number): string {
  if (byte === LESS_THAN) return 'HTML or XML, not a list';
  return byte === OPEN_BRACKET ? 'an array, not a list' : 'not JSON';
}
