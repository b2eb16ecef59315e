import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** The HTTP server below the API: one address for life, whether somebody listens there or not. */
export class Listener {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** 0: any that is free. */
  #port: number;

  constructor(answer: RequestListener, port = 0) {
    this.#port = port;
    // Nothing depends on real time: idle connections stay, and slow requests may take as long as they like.
    const limits = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 };
    this.#server = createServer(limits, answer);
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.setNoDelay(true).once('close', () => this.#sockets.delete(socket));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.#port)}`;
  }

  /** How many sockets are open. */
  get connections(): number {
    return this.#sockets.size;
  }

  /** Unless it does already. Errors: that of the operating system where the port is taken. */
  async listen(): Promise<void> {
    if (this.#server.listening) return;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(this.#port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Resolves when every connection is gone, and new ones are refused. */
  async close({ reset = false } = {}): Promise<void> {
    const closed = [...this.#sockets].map(
      (socket) => new Promise((resolve) => socket.once('close', resolve)),
    );
    const stopped = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) {
      if (reset) socket.resetAndDestroy();
      else socket.destroy();
    }
    await Promise.all([...closed, stopped]);
  }
}
