import { freezeDeep, type Objects } from '../freeze.ts';
import { textOf } from './bytes.ts';
import type { Held } from './held.ts';
import { hold } from './held.ts';
import { parseJson } from './parse.ts';

/** From the first byte to behind the last. */
export type Span = readonly [start: number, end: number];

/** A part of an object that is decoded when first read. Reading never throws. */
export class LazyPart<V> {
  /** Released once it is decoded. */
  #held: Held | undefined;
  #span: Span;
  readonly #onError: (cause: unknown) => void;
  readonly #objects: Objects;
  #value: V | undefined;

  constructor(held: Held, span: Span, onError: (cause: unknown) => void, objects: Objects = 'frozen') {
    this.#held = held;
    this.#span = span;
    this.#onError = onError;
    this.#objects = objects;
  }

  /** `undefined` where it is damaged. */
  get value(): V | undefined {
    if (this.#held !== undefined) this.#decode(this.#held);
    return this.#value;
  }

  /** Keeps its own bytes only from now on. */
  detach(): void {
    if (this.#held === undefined) return;
    const [start, end] = this.#span;
    this.#held = hold(this.#held.subarray(start, end));
    this.#span = [0, end - start];
  }

  #decode(held: Held): void {
    this.#held = undefined;
    try {
      const value = parseJson(textOf(held, ...this.#span)) as V;
      this.#value = this.#objects === 'frozen' ? freezeDeep(value) : value;
    } catch (cause) {
      this.#onError(cause);
    }
  }
}
