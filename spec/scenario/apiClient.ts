import { once } from 'node:events';
import { type Agent, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Address {
  readonly url: string;
  /** Sent with each request, such as `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Certificates to trust, as PEM. */
  readonly ca?: string;
}

export interface ApiAnswer {
  readonly status: number;
  /** Text, where it is not JSON. */
  readonly body: unknown;
}

/** A client with kept-alive sockets of its own, and none of the code of this package. */
export class ApiClient {
  readonly #address: Address;
  readonly #agent: Agent;
  readonly #secure: boolean;

  constructor(address: Address) {
    this.#address = address;
    this.#secure = address.url.startsWith('https:');
    const { ca } = address;
    this.#agent = this.#secure
      ? new SecureAgent({ keepAlive: true, ca })
      : new PlainAgent({ keepAlive: true });
  }

  /** Rejects where the connection fails, not where the server refuses. */
  async send(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const { url, headers } = this.#address;
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const request = (this.#secure ? secureRequest : plainRequest)(`${url}${path}`, {
      method,
      agent: this.#agent,
      headers: { ...headers, 'content-type': type },
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const answered = await text(response);
    const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
    return { status: response.statusCode ?? 0, body: isJson ? JSON.parse(answered) : answered };
  }

  close(): void {
    this.#agent.destroy();
  }
}
