const SMALLEST = 8 * 1024;
/** A larger buffer is given back once it is empty. */
const LARGEST_KEPT = 64 * 1024;

/**
 * Gathers what comes in several pieces. Its buffer grows by doubling, so each byte is copied a bounded
 * number of times however small the pieces are.
 */
export class Carry {
  #buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Valid until the next call. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    this.#buffer.set(bytes.subarray(start, end), this.#length);
    this.#length += end - start;
  }

  appendByte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = byte;
  }

  clear(): void {
    this.#length = 0;
    if (this.#buffer.length > LARGEST_KEPT) this.#buffer = Buffer.alloc(0);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(SMALLEST, this.#buffer.length * 2, needed));
    larger.set(this.bytes);
    this.#buffer = larger;
  }
}
