import { type Agent, type ClientRequest, get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { ConnectionError, CredentialsError, UnexpectedAnswerError } from '../errors.ts';
import { type Agents, KEEP_ALIVE } from './agents.ts';
import { bodyOf } from './body.ts';
import type { Cluster, Credentials } from './cluster.ts';
import type { Connection, ConnectionListener, HttpRequest, TransportError } from './http.ts';
import { reasonOf, redact } from './redact.ts';
import { USER_AGENT } from './userAgent.ts';

/** One request and its answer; what it guarantees is said at `Transport.open`. */
export function openConnection(
  cluster: Cluster,
  agents: Agents,
  request: HttpRequest,
  listener: ConnectionListener,
): Connection {
  let over = false;
  let paused = false;
  let connecting = false;
  let agent: Agent | undefined;
  /** Of this connection alone. */
  let proxy: Agent | undefined;
  let outgoing: ClientRequest | undefined;
  let body: Readable | undefined;

  const cancel = () => {
    if (over) return;
    over = true;
    body?.destroy();
    outgoing?.destroy();
    proxy?.destroy();
    if (agent === undefined) cluster.abandoned?.();
    // Whatever kept this one from its end may have hit the idle sockets beside it too.
    if (agent !== undefined) agents.discard(agent);
  };

  const fail = (error: TransportError) => {
    if (over) return;
    cancel();
    listener.error(error);
  };

  const send = (credentials: Credentials) => {
    if (over) return;
    const url = urlOf(cluster.server, request);
    if (url === undefined) {
      fail(new ConnectionError(request, 'the server of the cluster is no http: or https: URL'));
      return;
    }
    const isSecure = url.protocol === 'https:';
    proxy = credentials.agent;
    const own = proxy ?? agents.get(isSecure, credentials.tls);
    connecting = true;
    const sent = (isSecure ? getSecure : getPlain)(url, {
      agent: own,
      headers: headersOf(request, credentials),
    });
    agent = own;
    outgoing = sent;
    sent.on('socket', (socket) => {
      socket.setKeepAlive(true, KEEP_ALIVE);
      connecting = isConnecting(socket);
      if (connecting) socket.once(isSecure ? 'secureConnect' : 'connect', connected);
    });
    sent.on('response', receive);
    // Node would close the connection without a word.
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      fail(new UnexpectedAnswerError(request, 'the server goes on in another protocol (101)'));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (over) return;
      if (sent.reusedSocket && body === undefined && CLOSED.has(error.code ?? '')) {
        // The server closed a kept-alive socket just when it was used again: nothing failed, nothing was answered.
        agents.discard(own);
        send(credentials);
      } else {
        fail(connectionErrorOf(request, error, body !== undefined));
      }
    });
  };

  const connected = () => {
    connecting = false;
  };

  const receive = (message: IncomingMessage) => {
    if (over) return;
    const { statusCode: status = 0, headers } = message;
    if (status >= 300 && status < 400) {
      fail(redirected(request, status, headers.location));
      return;
    }
    listener.answer(status, headers);
    read(message);
  };

  const read = (message: IncomingMessage) => {
    if (over) return;
    body = bodyOf(message, request, fail);
    if (body === undefined) return;
    if (paused) body.pause();
    body.on('data', (chunk: Buffer) => {
      listener.data(chunk);
    });
    body.on('end', () => {
      if (over) return;
      over = true;
      listener.end();
    });
  };

  // In a turn of its own, so that even a cluster that throws at once is heard after `open` has returned.
  void Promise.resolve()
    .then(() => cluster.credentials())
    .then(send)
    .catch((error: unknown) => {
      fail(new CredentialsError(request, reasonOf(error)));
    });

  return {
    get connecting() {
      return connecting;
    },
    pause() {
      paused = true;
      body?.pause();
    },
    resume() {
      paused = false;
      body?.resume();
    },
    cancel,
  };
}

const isConnecting = (socket: Socket & { secureConnecting?: boolean }): boolean =>
  socket.connecting || socket.secureConnecting === true;

/** How it shows that the other end has closed a socket. */
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

function urlOf(server: string, { path, query = {} }: HttpRequest): URL | undefined {
  if (!/^https?:/i.test(server) || !URL.canParse(server)) return undefined;
  const url = new URL(server);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.search = new URLSearchParams(query).toString();
  return url;
}

function headersOf({ accept, gzip = false }: HttpRequest, { headers }: Credentials): Record<string, string> {
  return {
    ...headers,
    Accept: accept,
    'User-Agent': USER_AGENT,
    ...(gzip ? { 'Accept-Encoding': 'gzip' } : {}),
  };
}

/** Names the host only: the rest of an address may hold a secret. */
function redirected(request: HttpRequest, status: number, location = ''): UnexpectedAnswerError {
  const host = URL.canParse(location) ? ` to ${new URL(location).host}` : '';
  const wayOut = 'redirects are not followed, so let the server of the cluster be the final address';
  return new UnexpectedAnswerError(request, `a redirect${host} (${String(status)}); ${wayOut}`);
}

function connectionErrorOf(
  request: HttpRequest,
  error: NodeJS.ErrnoException,
  isAnswered: boolean,
): TransportError {
  // Such an error carries the bytes that came, which may be anything; so it is not handed on as the cause.
  if (error.code?.startsWith('HPE_'))
    return new UnexpectedAnswerError(request, `the answer is not HTTP (${error.code})`);
  return new ConnectionError(request, isAnswered ? 'CUT' : (error.code ?? redact(error.message)), error);
}
