import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** Writes lines to an answer, those of one turn together. */
export class LineWriter {
  readonly #response: ServerResponse;
  readonly #compressed: boolean;
  #waiting: string[] = [];

  /** `compressed`: each write is a gzip member of its own, as kube-apiserver does it. */
  constructor(response: ServerResponse, compressed: boolean) {
    this.#response = response;
    this.#compressed = compressed;
  }

  write(line: string): void {
    if (this.#waiting.push(line) === 1) queueMicrotask(() => this.#flush());
  }

  end(): void {
    this.#flush();
    this.#response.end();
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join('');
    this.#waiting = [];
    if (this.#response.writableEnded || this.#response.destroyed) return;
    this.#response.write(this.#compressed ? gzipSync(text) : text);
  }
}
