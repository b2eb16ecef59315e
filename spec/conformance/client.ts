import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { isJsonObject, type JsonValue } from '../../src/testing/json.ts';

export interface Server {
  readonly url: string;
  /** Sent with each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Certificates to trust, as PEM. */
  readonly ca?: string;
}

export interface Question {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is; anything else as JSON. */
  readonly body?: unknown;
}

/** A request and what came back, as the transcript has them. */
export interface Exchange {
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
}

const noted = ['content-type', 'retry-after', 'warning'];

/** Speaks with a server and writes down every exchange. */
export class Client {
  readonly transcript: Exchange[] = [];
  private readonly server: Server;

  constructor(server: Server) {
    this.server = server;
  }

  async send(question: Question): Promise<Exchange> {
    const response = await this.ask(question);
    return this.note(question, response, parse(response, await text(response)));
  }

  /** Resolves with an open watch, or with one that holds what the server said instead. */
  async watch(question: Question): Promise<Watch> {
    const response = await this.ask(question);
    const events: JsonValue[] = [];
    this.note(question, response, events);
    return new Watch(response, events);
  }

  private async ask({ method, path, headers, body }: Question): Promise<IncomingMessage> {
    const { url, ca, headers: always } = this.server;
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const about =
      payload === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = send(url + path, {
      method,
      agent: false,
      headers: { ...always, ...about, ...headers },
      ...(ca !== undefined && { ca }),
    });
    request.end(payload);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }

  private note({ method, path }: Question, response: IncomingMessage, body: JsonValue): Exchange {
    const headers = noted.flatMap((name) => {
      const value = response.headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    });
    const exchange = {
      request: `${method} ${path}`,
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(headers) as Record<string, string>,
      body,
    };
    this.transcript.push(exchange);
    return exchange;
  }
}

function parse(response: IncomingMessage, body: string): JsonValue {
  return response.headers['content-type']?.startsWith('application/json')
    ? (JSON.parse(body) as JsonValue)
    : body;
}

/** Events as they come in. */
export class Watch {
  readonly events: JsonValue[];
  private readonly response: IncomingMessage;
  private readonly lines: AsyncIterator<string, undefined>;

  constructor(response: IncomingMessage, events: JsonValue[]) {
    this.response = response;
    this.events = events;
    this.lines = linesOf(response);
  }

  /** Waits for so many more events, or fewer where the server ends the watch before. */
  async next(count = 1): Promise<void> {
    for (let i = 0; i < count; i++) {
      const line = await this.lines.next();
      if (line.done === true) return;
      this.events.push(JSON.parse(line.value) as JsonValue);
    }
  }

  /** Waits for all events up to one of a type. */
  async until(type: string): Promise<void> {
    for (;;) {
      const before = this.events.length;
      await this.next();
      const last = this.events.at(-1);
      if (this.events.length === before || (isJsonObject(last) && last.type === type)) return;
    }
  }

  /** Waits until the server ends the watch, and notes that it did. */
  async end(): Promise<void> {
    await this.next(Number.POSITIVE_INFINITY);
    this.events.push('the end');
  }

  close(): void {
    this.response.destroy();
  }
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string, undefined> {
  response.setEncoding('utf8');
  let rest = '';
  for await (const chunk of response as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
  if (rest !== '') yield rest;
  return undefined;
}
