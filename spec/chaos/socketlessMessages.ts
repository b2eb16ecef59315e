import { EventEmitter } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { HttpRequest } from '../../src/transport/http.ts';

/** What a response does to its client. */
export interface Wire {
  head(status: number, headers: Record<string, string>): void;
  body(bytes: Buffer): void;
  end(): void;
  close(): void;
  reset(): void;
}

/** What the embedded server uses of a ServerResponse. */
export class SocketlessResponse extends EventEmitter {
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  destroyed = false;
  readonly socket: { destroySoon: () => void; resetAndDestroy: () => void };
  readonly #wire: Wire;
  #headers: OutgoingHttpHeaders = {};
  #headGone = false;

  constructor(wire: Wire) {
    super();
    this.#wire = wire;
    this.socket = { destroySoon: () => wire.close(), resetAndDestroy: () => wire.reset() };
  }

  setHeader(name: string, value: string): this {
    this.#headers[name] = value;
    return this;
  }

  writeHead(status: number, headers: OutgoingHttpHeaders = {}): this {
    this.statusCode = status;
    this.headersSent = true;
    this.#headers = { ...this.#headers, ...headers };
    return this;
  }

  flushHeaders(): void {
    this.headersSent = true;
    if (this.#headGone) return;
    this.#headGone = true;
    const headers = Object.entries(this.#headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
    this.#wire.head(this.statusCode, Object.fromEntries(headers) as Record<string, string>);
  }

  write(text: string | Buffer): boolean {
    this.flushHeaders();
    this.#wire.body(Buffer.from(text));
    return true;
  }

  end(text?: string | Buffer): this {
    this.flushHeaders();
    if (text !== undefined) this.#wire.body(Buffer.from(text));
    this.writableEnded = true;
    this.#wire.end();
    return this;
  }

  destroy(): this {
    this.#wire.close();
    return this;
  }

  /** The connection is gone. */
  closed(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

/** What the embedded server uses of an IncomingMessage: a GET without a body. */
export function incoming({ path, query = {}, accept }: HttpRequest): IncomingMessage {
  const message = {
    method: 'GET',
    url: `${path}?${new URLSearchParams(query).toString()}`,
    headers: { accept },
    [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
  };
  return message as unknown as IncomingMessage;
}
