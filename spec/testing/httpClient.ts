import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Bytes over real sockets, without any of this package's own code. */
export class HttpClient {
  readonly #base: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(base: string) {
    this.#base = base;
  }

  async send(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const response = await this.#open(method, path, headers, body);
    response.setEncoding('utf8');
    let text = '';
    for await (const piece of response as AsyncIterable<string>) text += piece;
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  }

  /** The body of a GET, parsed. */
  async get(path: string, headers: Record<string, string> = {}): Promise<unknown> {
    return JSON.parse((await this.send('GET', path, { headers })).text);
  }

  /** An answer that goes on. */
  async watch(path: string, headers: Record<string, string> = {}): Promise<WatchedAnswer> {
    return new WatchedAnswer(await this.#open('GET', path, headers, undefined));
  }

  close(): void {
    this.#agent.destroy();
  }

  async #open(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: unknown,
  ): Promise<IncomingMessage> {
    const type = { 'Content-Type': 'application/json' };
    const outgoing = request(`${this.#base}${path}`, {
      method,
      agent: this.#agent,
      headers: body === undefined ? headers : { ...type, ...headers },
    });
    outgoing.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    // What happens to an answer that has begun is told by the answer.
    outgoing.on('error', () => undefined);
    const [response] = await answered;
    return response;
  }
}

interface Metadata {
  readonly name?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface WatchedEvent {
  readonly type: string;
  readonly object: { readonly metadata: Metadata; readonly code?: number };
}

export class WatchedAnswer {
  readonly response: IncomingMessage;
  readonly #pieces: Buffer[] = [];
  /** How it ended; `undefined`: not yet. */
  end: 'clean' | 'cut' | undefined;

  constructor(response: IncomingMessage) {
    this.response = response;
    response.on('data', (piece: Buffer) => this.#pieces.push(piece));
    response.once('end', () => (this.end = 'clean'));
    response.once('error', () => (this.end = 'cut'));
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  get events(): WatchedEvent[] {
    const lines = this.bytes.toString().split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as WatchedEvent);
  }

  /** `ADDED a@5`: type, name and version of each event. */
  get story(): string[] {
    return this.events.map(({ type, object }) => {
      const { name, resourceVersion } = object.metadata;
      return type === 'ERROR'
        ? `ERROR ${String(object.code)}`
        : `${type} ${name ?? ''}@${String(resourceVersion)}`;
    });
  }
}
