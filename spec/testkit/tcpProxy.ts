import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { asyncScheduler, type SchedulerLike, Subscription } from 'rxjs';

/** What befalls one connection. The bytes are those that come from the server, of TLS as it is. */
export type TcpFault =
  /** Everything comes so much later. Unit: milliseconds. */
  | { readonly kind: 'delay'; readonly by: number }
  /** It is closed after so many bytes. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** It is reset after so many bytes. */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** After so many bytes nothing comes any more, and it stays open. */
  | { readonly kind: 'silence'; readonly afterBytes: number };

export type TcpFaultKind = TcpFault['kind'] | 'refuse';

export interface TcpProxyOptions {
  /** Port of the server, on 127.0.0.1. */
  readonly to: number;
  /** Default: real time. */
  readonly scheduler?: SchedulerLike;
  /** Asked for each connection. Default: there are none. */
  readonly faultOf?: () => TcpFault | undefined;
}

/** Stands between clients and a server and knows nothing of what they say to each other. */
export class TcpProxy {
  /** How often each fault has happened. */
  readonly counts: Record<TcpFaultKind, number> = { delay: 0, cut: 0, reset: 0, silence: 0, refuse: 0 };
  /** Asked for each connection from now on. */
  faultOf: () => TcpFault | undefined;
  /** Port of the server to which each connection leads from now on. */
  to: number;
  readonly #scheduler: SchedulerLike;
  readonly #server = createServer({ allowHalfOpen: true }, (client) => this.#connected(client));
  readonly #sockets = new Set<Socket>();
  readonly #servers = new Set<Socket>();
  #held = false;
  #port = 0;

  private constructor({ to, scheduler = asyncScheduler, faultOf = () => undefined }: TcpProxyOptions) {
    this.to = to;
    this.#scheduler = scheduler;
    this.faultOf = faultOf;
  }

  /** On that port, or any that is free. */
  static async start(options: TcpProxyOptions, port = 0): Promise<TcpProxy> {
    const proxy = new TcpProxy(options);
    proxy.#port = port;
    await proxy.accept();
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** Sockets of either side. */
  get sockets(): number {
    return this.#sockets.size;
  }

  resetAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  closeAll(): void {
    for (const socket of this.#sockets) socket.destroySoon();
  }

  /** Nothing comes from the server any more, on whatever connection, until `release`; then all that was held does. */
  hold(): void {
    this.#held = true;
    for (const server of this.#servers) server.pause();
  }

  release(): void {
    this.#held = false;
    for (const server of this.#servers) server.resume();
  }

  /** Resets all connections, and refuses new ones until `accept`. */
  async refuse(): Promise<void> {
    this.counts.refuse += 1;
    await this.close();
  }

  async accept(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.resetAll();
    await once(this.#server, 'close');
  }

  #connected(client: Socket): void {
    const server = connect({ port: this.to, host: '127.0.0.1', allowHalfOpen: true });
    const fault = this.faultOf();
    const happened = (): void => {
      if (fault !== undefined) this.counts[fault.kind] += 1;
    };
    const timers = new Subscription();
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket.setNoDelay(true));
      // A socket that fails is closed, and so is then the other one.
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        timers.unsubscribe();
        other.destroy();
      });
    }
    client.pipe(server);
    const later = (delay: number, work: () => void): void => {
      const timer = this.#scheduler.schedule(() => {
        timers.remove(timer);
        work();
      }, delay);
      timers.add(timer);
    };
    const write = writerOf(fault, client, later, happened);
    this.#servers.add(server);
    server.once('close', () => this.#servers.delete(server));
    server.on('data', write);
    if (this.#held) server.pause();
    server.on('end', () => {
      if (fault?.kind === 'delay') later(fault.by, () => client.end());
      else if (fault?.kind !== 'silence') client.end();
    });
  }
}

function writerOf(
  fault: TcpFault | undefined,
  client: Socket,
  later: (delay: number, work: () => void) => void,
  happened: () => void,
): (bytes: Buffer) => void {
  switch (fault?.kind) {
    case undefined:
      return (bytes) => client.write(bytes);
    case 'delay':
      happened();
      return (bytes) => later(fault.by, () => client.write(bytes));
    case 'cut':
      return upTo(fault.afterBytes, client, () => {
        happened();
        client.destroySoon();
      });
    case 'reset':
      return upTo(fault.afterBytes, client, () => {
        happened();
        later(BEFORE_RESET, () => client.resetAndDestroy());
      });
    case 'silence':
      return upTo(fault.afterBytes, client, happened);
  }
}

/** A reset may overtake what was written last. Unit: milliseconds. */
const BEFORE_RESET = 1;

/** Passes so many bytes, then does something once and drops the rest. */
function upTo(size: number, client: Socket, then: () => void): (bytes: Buffer) => void {
  let left = size;
  let over = false;
  return (bytes) => {
    if (over) return;
    const passed = bytes.subarray(0, left);
    if (passed.length > 0) client.write(passed);
    left -= passed.length;
    if (left > 0) return;
    over = true;
    then();
  };
}
