/**
 * What an object of the cache was when it was handed out, so that it can be told whether somebody changed it. As text:
 * the least that such a copy takes up.
 */
export class Sample {
  #text: string | undefined;

  take(value: unknown): void {
    this.#text = textOf(value);
  }

  /** Whether it is another one now than when it was taken; said once. */
  differs(value: unknown): boolean {
    if (this.#text === undefined || this.#text === textOf(value)) return false;
    this.#text = undefined;
    return true;
  }
}

/** `undefined` for what cannot be written, as it is too deep or holds what a transform of the user put into it. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
