import type { RequestListener, ServerResponse } from 'node:http';
import type { SchedulerLike } from 'rxjs';
import { ConnectionError } from '../../src/errors.ts';
import type { Connection, ConnectionListener, HttpRequest, Transport } from '../../src/transport/http.ts';
import { incoming, SocketlessResponse } from './socketlessMessages.ts';

/** Unit: milliseconds. */
const LATENCY = 4;
/** Into how many pieces what is written at a time may fall. */
const PIECES = 4;

/** A network without sockets: a transport on one side, the handler of an HTTP server on the other, and time. */
export class SocketlessNetwork {
  readonly transport: Transport;
  /** While it is down, who connects is refused. */
  down = false;
  /** How often reading was put off, or taken up again: while that goes on, nothing is at rest. */
  pauses = 0;
  readonly #exchanges = new Set<Exchange>();

  constructor(answer: RequestListener, scheduler: SchedulerLike, random: () => number) {
    this.transport = {
      open: (request, listener) => {
        const exchange = new Exchange(request, listener, {
          scheduler,
          random,
          closed: () => this.#exchanges.delete(exchange),
          paused: () => {
            this.pauses += 1;
          },
        });
        this.#exchanges.add(exchange);
        exchange.connect((...messages) => {
          if (this.down) exchange.reset('ECONNREFUSED');
          else answer(...messages);
        });
        return exchange;
      },
      renew: () => Promise.resolve(),
      close: () => undefined,
    };
  }

  get connections(): number {
    return this.#exchanges.size;
  }

  /** Whether somebody put off reading: to another turn of the event loop, or for as long as the flow is held. */
  get waiting(): boolean {
    return [...this.#exchanges].some(({ paused }) => paused);
  }

  resetAll(): void {
    for (const exchange of [...this.#exchanges]) exchange.reset('ECONNRESET');
  }
}

interface Surroundings {
  readonly scheduler: SchedulerLike;
  readonly random: () => number;
  readonly closed: () => void;
  readonly paused: () => void;
}

/** One request and its answer, as its client sees it. */
class Exchange implements Connection {
  readonly #request: HttpRequest;
  readonly #listener: ConnectionListener;
  readonly #surroundings: Surroundings;
  readonly #latency: number;
  readonly #response: SocketlessResponse;
  readonly #inbox: (() => void)[] = [];
  #reading = false;
  #over = false;
  paused = false;

  constructor(request: HttpRequest, listener: ConnectionListener, surroundings: Surroundings) {
    this.#request = request;
    this.#listener = listener;
    this.#surroundings = surroundings;
    this.#latency = 1 + Math.floor(surroundings.random() * LATENCY);
    this.#response = new SocketlessResponse({
      head: (status, headers) => this.#receive(() => listener.answer(status, headers)),
      body: (bytes) => this.#receive(...this.#pieces(bytes)),
      end: () => this.#receive(() => this.#end(() => listener.end())),
      close: () => this.#receive(() => this.#fail('CUT')),
      reset: () => this.reset('ECONNRESET'),
    });
  }

  connect(answer: RequestListener): void {
    this.#later(() => {
      if (!this.#over) answer(incoming(this.#request), this.#response as unknown as ServerResponse);
    });
  }

  pause(): void {
    this.paused = !this.#over;
    this.#surroundings.paused();
  }

  resume(): void {
    this.paused = false;
    this.#surroundings.paused();
    this.#read();
  }

  cancel(): void {
    this.#end(() => undefined);
  }

  /** What is on its way is lost. */
  reset(code: string): void {
    this.#inbox.length = 0;
    this.#fail(code);
  }

  #fail(code: string): void {
    this.#end(() => this.#listener.error(new ConnectionError(this.#request, code)));
  }

  #end(tell: () => void): void {
    if (this.#over) return;
    this.#over = true;
    this.paused = false;
    this.#surroundings.closed();
    this.#response.closed();
    tell();
  }

  #receive(...works: (() => void)[]): void {
    this.#later(() => {
      this.#inbox.push(...works);
      this.#read();
    });
  }

  #read(): void {
    if (this.#reading) return;
    this.#reading = true;
    while (!this.paused && !this.#over) {
      const work = this.#inbox.shift();
      if (work === undefined) break;
      work();
    }
    this.#reading = false;
  }

  /** Cut anywhere, and gone after the call, as the transport says. */
  #pieces(bytes: Buffer): (() => void)[] {
    const { random } = this.#surroundings;
    const cuts = Array.from({ length: Math.floor(random() * PIECES) }, () =>
      Math.floor(random() * bytes.length),
    );
    const ends = [...cuts, bytes.length].sort((a, b) => a - b);
    return ends.map((end, at) => () => {
      const piece = Buffer.from(bytes.subarray(ends[at - 1] ?? 0, end));
      if (piece.length > 0) this.#listener.data(piece);
      piece.fill(0);
    });
  }

  #later(work: () => void): void {
    this.#surroundings.scheduler.schedule(work, this.#latency);
  }
}
