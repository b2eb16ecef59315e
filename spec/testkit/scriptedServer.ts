import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { SteppedClock } from '../../src/testing/clock.ts';
import type { Cluster } from '../../src/transport/cluster.ts';
import { clusterAt } from '../transport/recorder.ts';
import { Answer } from './answer.ts';
import { type Action, json, NO_STREAMING, type RequestType, type Step } from './steps.ts';

/**
 * An API server that follows a script: which requests it expects, one after the other, and what it does with
 * each, byte by byte if need be. It is a real HTTP server on a loopback socket, driven by a stepped clock.
 *
 *     const { clock, server, told } = await play([
 *       list(100, pod('a', 90)),
 *       watch(after(5_000), modified(pod('a', 101)), bookmark(105), end()),
 *       refuse('WATCH', 410, 'Expired'),
 *       cutAfter(80, list(200, pod('a', 150))),
 *       list(200, pod('b', 150)),
 *       watch(),
 *     ]);
 *     await clock.advance(10_000);
 *     expect(server.asked).toEqual([
 *       'LIST rv=0 limit=500', 'WATCH rv=100', 'WATCH rv=105', 'LIST rv=105 NotOlderThan limit=500', …
 *     ]);
 *     expect(told).toEqual([
 *       'add a@90 initial', 'synced', 'update a@90->a@101', 'delete a@101 finalStateUnknown', 'add b@150',
 *     ]);
 *
 * `play` (in play.ts) makes clock, server and informer, and takes them down after the test. The words of a
 * script are in steps.ts, its objects in objects.ts. A test can also speak as the server while it runs:
 * `server.send(added(pod('c', 106)))` on the newest open answer, `server.expect(...)` to go on with the script,
 * `server.refuseConnections()` and `server.acceptConnections()`.
 *
 * A streaming list is refused by itself, unasked and unlisted, unless the server is made with
 * `streaming: true`. A request that the script does not expect gets no answer, and after the test it is an
 * error, and so is a step that nobody asked for.
 */
export interface ScriptedServer {
  readonly cluster: Cluster & { renewed: number };
  /** Every request that counted as a step, as one line: `LIST rv=0 limit=500`. */
  readonly asked: string[];
  readonly requests: ScriptedRequest[];
  /** Connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  /** More steps, behind those that are left. */
  expect(...steps: Step[]): void;
  /** What to do with requests of these types whenever the script is at its end. */
  answer(steps: Partial<Readonly<Record<RequestType, Step>>>): void;
  /** Drops the steps that nobody asked for. */
  skip(): void;
  /** Does this on the newest answer that is still open. */
  send(...actions: Action[]): void;
  /** Destroys all connections, and refuses new ones. */
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  /** Refuses new connections; those that are open go on. */
  stopListening(): void;
  /** What went otherwise than the script. */
  readonly faults: string[];
  close(): Promise<void>;
}

export interface ScriptedRequest {
  readonly type: RequestType;
  /** When it came. Unit: milliseconds of the clock. */
  readonly at: number;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
}

export interface ScriptedServerOptions {
  /** Streaming lists are steps of the script. Default: each is refused. */
  readonly streaming?: boolean | undefined;
}

export async function scriptedServer(
  clock: SteppedClock,
  steps: readonly Step[],
  { streaming = false }: ScriptedServerOptions = {},
): Promise<ScriptedServer> {
  const script = [...steps];
  let standing: Parameters<ScriptedServer['answer']>[0] = {};
  const asked: string[] = [];
  const requests: ScriptedRequest[] = [];
  const unexpected: string[] = [];
  const sockets = new Set<Socket>();
  const answers: Answer[] = [];

  const stepFor = (request: ScriptedRequest): Step | undefined => {
    if (request.type === 'STREAM' && !streaming) return json('STREAM', NO_STREAMING, 422);
    requests.push(request);
    asked.push(inWords(request));
    if (script[0]?.expects === request.type) return script.shift();
    const always = script.length === 0 ? standing[request.type] : undefined;
    if (always !== undefined) return always;
    unexpected.push(`${inWords(request)} came where ${script[0]?.expects ?? 'nothing'} was expected`);
    return undefined;
  };
  const server = createServer((message: IncomingMessage, response: ServerResponse) => {
    const answer = new Answer(clock, response);
    answers.push(answer);
    answer.play(stepFor(requestOf(message, clock.now()))?.actions ?? []);
  });
  // These would be timers in real time.
  Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const close = async (): Promise<void> => {
    for (const answer of answers) answer.stop();
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  const port = await listen(0);

  return {
    cluster: clusterAt(`http://127.0.0.1:${port}`),
    asked,
    requests,
    sockets,
    expect(...more) {
      script.push(...more);
    },
    answer(answers) {
      standing = answers;
    },
    skip() {
      script.length = 0;
    },
    send(...actions) {
      const open = answers.findLast((answer) => answer.open);
      if (open === undefined) throw new Error(`no answer is open; asked so far: ${asked.join(', ')}`);
      open.play(actions);
    },
    refuseConnections: close,
    stopListening() {
      server.close();
    },
    async acceptConnections() {
      await listen(port);
    },
    get faults() {
      return [...unexpected, ...script.map(({ expects }) => `nobody asked for the step ${expects}`)];
    },
    close,
  };
}

function requestOf({ url = '', headers }: IncomingMessage, at: number): ScriptedRequest {
  const { pathname, searchParams } = new URL(url, 'http://server');
  const query = Object.fromEntries(searchParams);
  return { type: typeOf(pathname, query), at, path: pathname, query, headers };
}

function typeOf(path: string, query: ScriptedRequest['query']): RequestType {
  if (query.sendInitialEvents === 'true') return 'STREAM';
  if (query.watch === 'true') return 'WATCH';
  return /^\/(api\/[^/]+|apis\/[^/]+\/[^/]+)$/.test(path) ? 'GET' : 'LIST';
}

function inWords({ type, path, query }: ScriptedRequest): string {
  const words = {
    rv: query.resourceVersion,
    limit: query.limit,
    continue: query.continue,
  };
  const match = type === 'LIST' ? query.resourceVersionMatch : undefined;
  const [version, ...rest] = Object.entries(words).map(([name, value]) => value && `${name}=${value}`);
  return [type, type === 'GET' ? path : undefined, version, match, ...rest].filter(Boolean).join(' ');
}
