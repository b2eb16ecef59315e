import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './ports.ts';

/** A TCP port that passes everything on to another one, which may change: one address of several servers. */
export class Proxy {
  readonly port: number;
  /** Where new connections lead. */
  target: number;
  private readonly server = createServer((near) => {
    this.pass(near);
  });
  private readonly pairs = new Set<readonly [near: Socket, far: Socket]>();
  private held = false;

  private constructor(port: number, target: number) {
    this.port = port;
    this.target = target;
  }

  /** `target`: the port of an address such as `https://127.0.0.1:6443`. */
  static async to(address: string): Promise<Proxy> {
    const proxy = new Proxy(await freePort(), portOf(address));
    await proxy.accept();
    return proxy;
  }

  /** Connections of clients that are open. */
  get connections(): number {
    return this.pairs.size;
  }

  /** New connections lead to another address; those that are open are cut. */
  switchTo(address: string): void {
    this.target = portOf(address);
    this.cut();
  }

  /** Ends all connections that are open, in the middle of whatever they carry. */
  cut(): void {
    for (const [near, far] of this.pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  /** Nobody can connect any more, and whoever was is cut. */
  async refuse(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  async accept(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** From now on not a byte passes, in either direction, on connections old and new. */
  hold(): void {
    this.held = true;
    for (const socket of [...this.pairs].flat()) socket.pause();
  }

  /** What was held passes, and what comes. */
  release(): void {
    this.held = false;
    for (const socket of [...this.pairs].flat()) socket.resume();
  }

  async close(): Promise<void> {
    if (this.server.listening) await this.refuse();
  }

  private pass(near: Socket): void {
    const far = connect(this.target, '127.0.0.1');
    const pair = [near, far] as const;
    this.pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (chunk) => {
        to.write(chunk);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroySoon();
        this.pairs.delete(pair);
      });
      if (this.held) from.pause();
    }
  }
}

const portOf = (address: string): number => Number(new URL(address).port);
