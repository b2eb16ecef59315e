import type { ServerResponse } from 'node:http';
import { constants, crc32, gzipSync } from 'node:zlib';

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
    this.#response.write(this.#compressed ? gzipMember(text) : text);
  }
}

const emptyLastBlock = Buffer.from([3, 0]);

/** Flushed before it is closed, as kube-apiserver does it: readers that wait for the next member have the text by then. */
function gzipMember(text: string): Buffer {
  const bytes = Buffer.from(text);
  const flushed = gzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes));
  trailer.writeUInt32LE(bytes.length % 2 ** 32, 4);
  return Buffer.concat([flushed, emptyLastBlock, trailer]);
}
