import { once } from 'node:events';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { config } from 'rxjs';
import { createInformer } from '../../src/informer/factory.ts';
import type { InformerOptions } from '../../src/informer/options.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { createClock } from '../../src/testing/clock.ts';
import type { Cluster } from '../../src/transport/cluster.ts';
import { failure, pod } from '../testkit/objects.ts';
import { atTheEnd, heldIn, onStage, play, until, watching } from '../testkit/play.ts';
import {
  added,
  after,
  body,
  bytes,
  cut,
  end,
  errorEvent,
  hangUp,
  json,
  line,
  list,
  modified,
  type RequestType,
  raw,
  refuse,
  reset,
  type Step,
  watch,
} from '../testkit/steps.ts';
import { localhost, other } from '../transport/fixtures/certificates.ts';
import { clusterAt } from '../transport/recorder.ts';

const A = list(100, pod('a', 90));

describe('whatever a server always answers, it is not asked without a pause', () => {
  const STATUSES = [400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 415, 422, 429, 500, 501, 502, 503, 504];
  const answers = (type: RequestType): [string, Step][] => [
    ...STATUSES.map((code): [string, Step] => [String(code), refuse(type, code)]),
    ['an empty body', body(type, '')],
    ['HTML', body(type, '<html>\n<body>\n')],
    ['a Status with 200', json(type, failure(500))],
    ['a Status of 401 with 200', json(type, failure(401))],
    ['a Status of 410 with 200', json(type, failure(410))],
    ['a redirect', body(type, '', 302, { location: '/' })],
    ['a reset', { expects: type, actions: [reset()] }],
    ['a hang-up', hangUp(type)],
    ['no HTTP', raw(type, 'nonsense\r\n\r\n', cut())],
    ['an unknown encoding', body(type, 'x', 200, { 'content-encoding': 'zstd' })],
    ['ERROR 410', body(type, `${JSON.stringify({ type: 'ERROR', object: failure(410, 'Expired') })}\n`)],
    ['ERROR 401', body(type, `${JSON.stringify({ type: 'ERROR', object: failure(401) })}\n`)],
    ['ERROR 429', body(type, `${JSON.stringify({ type: 'ERROR', object: failure(429) })}\n`)],
    ['ERROR without content', body(type, '{"type":"ERROR"}\n')],
    ['an event and the end', body(type, `${JSON.stringify({ type: 'MODIFIED', object: pod('a', 101) })}\n`)],
    ['a line that cannot be read', body(type, '{{{\n')],
  ];
  const MANY = 60;

  it.each(answers('LIST'))('to a list (%s)', async (_, step) => {
    const { clock, server, informer } = await play(Array<Step>(MANY).fill(step));
    await clock.advance(120_000);
    expect(server.asked.length).toBeLessThanOrEqual(24);
    informer.stop();
    server.skip();
  });

  it.each(answers('WATCH'))('to a watch (%s)', async (_, step) => {
    const { clock, server, informer } = await play([], { subscribed: false });
    server.answer({ LIST: A, WATCH: step });
    informer.start();
    await clock.advance(120_000);
    expect(server.asked.length).toBeGreaterThan(1);
    expect(server.asked.length).toBeLessThanOrEqual(24);
    if (informer.phase.type !== 'failed') expect(heldIn(informer.store)).toHaveLength(1);
    informer.stop();
  });

  it.each(answers('STREAM'))('to a streaming list (%s)', async (_, step) => {
    const { clock, server, informer } = await play([], { subscribed: false, streaming: true });
    server.answer({ STREAM: step, LIST: A, WATCH: watch() });
    informer.start();
    await clock.advance(120_000);
    expect(server.asked.length).toBeLessThanOrEqual(24);
    informer.stop();
  });
});

describe('a connection', () => {
  it.each([
    ['whose certificate nobody trusts', localhost, {}, /SELF_SIGNED|UNABLE_TO_VERIFY/],
    ['whose certificate is another one', other, { ca: localhost.cert }, /SELF_SIGNED|UNABLE_TO_VERIFY/],
    [
      'whose certificate is for another name',
      localhost,
      { ca: localhost.cert, servername: 'elsewhere' },
      /ALTNAME/,
    ],
  ])('%s is tried again, and says why', async (_, certificate, tls, reason) => {
    const clock = createClock();
    const server = await tlsServer(certificate);
    let credentials: object = tls;
    const cluster: Cluster = {
      ...clusterAt(server.url),
      credentials: () => Promise.resolve({ headers: {}, tls: credentials, agent: undefined }),
    };
    const informer = createInformer(cluster, 'v1', 'Pod', { scheduler: clock, streamingList: false });
    const seen = watching(informer);
    await clock.settle();
    expect(seen.errors).toHaveLength(1);
    expect(seen.errors[0]).toMatch(reason);
    expect(seen.statuses.find(({ type }) => type === 'error')).toMatchObject({ error: { terminal: false } });

    credentials = { ca: certificate.cert };
    await clock.advance(2_000);
    expect(seen.told).toEqual(['synced']);
    informer.stop();
    await clock.settle();
    await server.close();
    clock.dispose();
  });

  it.each([
    ['that speaks no TLS', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['that is closed in the middle of the handshake', (socket: Socket) => socket.end()],
    ['that is reset in the middle of the handshake', (socket: Socket) => socket.resetAndDestroy()],
  ])('%s is an error that can pass', async (_, answer) => {
    const clock = createClock();
    const server = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => {
          answer(socket);
        });
      }),
      'https',
    );
    const informer = createInformer(clusterAt(server.url), 'v1', 'Pod', {
      scheduler: clock,
      random: () => 0,
    });
    const seen = watching(informer);
    await clock.advance(2_000);
    expect(seen.errors.length).toBeGreaterThanOrEqual(2);
    expect(seen.errors.length).toBeLessThanOrEqual(3);
    expect(informer.phase).toMatchObject({ type: 'wait' });
    informer.stop();
    await clock.settle();
    await server.close();
    clock.dispose();
  });

  it('to a name that is not known is tried again', async () => {
    const clock = createClock();
    const informer = createInformer(clusterAt('http://nowhere.invalid'), 'v1', 'Pod', { scheduler: clock });
    const seen = watching(informer);
    await until(clock, () => seen.errors.length > 0);
    expect(seen.errors[0]).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
    expect(informer.phase.type).toBe('wait');
    informer.stop();
    clock.dispose();
  });

  it.each([
    ['cut inside an event', [bytes('{"type":"MODIFIED","object":{"metadata":{"name":"a","res'), cut()]],
    [
      'reset inside an event',
      [bytes('{"type":"MODIFIED","object":{"metadata":{"name":"a","res'), after(1), reset()],
    ],
    ['ended inside an event', [bytes('{"type":"MODIFIED","object":{"metadata":{"name":"a","res'), end()]],
  ])('that is %s goes on from the last whole one', async (_, actions) => {
    const { clock, server, told, errors, problems } = await play([
      A,
      watch(after(2_000), modified(pod('a', 101)), ...actions),
      watch(modified(pod('a', 102))),
    ]);
    await clock.advance(5_000);
    expect(server.asked.slice(1)).toEqual(['WATCH rv=100', 'WATCH rv=101']);
    expect(told.slice(2)).toEqual(['update a@90->a@101', 'update a@101->a@102']);
    expect(errors).toEqual(['CUT']);
    expect(problems).toEqual([]);
  });

  it.each([
    ['whose headers are cut', 'HTTP/1.1 200 OK\r\nContent-Ty', [after(1), cut()]],
    [
      'whose body is longer than it says',
      `HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{"kind":"PodList","items":[]}`,
      [after(1), cut()],
    ],
    [
      'whose body is shorter than it says',
      `HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{"kind":"PodList","items":[]}`,
      [after(1), cut()],
    ],
    [
      'of HTTP/1.0 that is cut',
      'HTTP/1.0 200 OK\r\n\r\n{"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[',
      [after(1), cut()],
    ],
    [
      'with a chunk of no size',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n',
      [after(1), cut()],
    ],
  ])('%s brings no list', async (_, text, then) => {
    const { clock, told, errors } = await play([raw('LIST', text, ...then), A, watch()], {
      streamingList: false,
    });
    await clock.advance(1);
    expect(told).toEqual([]);
    expect(errors).toHaveLength(1);
    await clock.advance(900);
    expect(told).toEqual(['add a@90 initial', 'synced']);
  });

  it('of HTTP/1.0 brings list and watch', async () => {
    const text = JSON.stringify({
      kind: 'PodList',
      metadata: { resourceVersion: '100' },
      items: [pod('a', 90)],
    });
    const event = JSON.stringify({ type: 'MODIFIED', object: pod('a', 101) });
    const { clock, told, errors, server } = await play([
      raw('LIST', `HTTP/1.0 200 OK\r\n\r\n${text}`, after(1), cut()),
      raw('WATCH', `HTTP/1.0 200 OK\r\n\r\n${event}\n`, after(2_000), cut()),
      watch(),
    ]);
    await clock.advance(3_000);
    expect(told).toEqual(['add a@90 initial', 'synced', 'update a@90->a@101']);
    expect(server.asked.at(-1)).toBe('WATCH rv=101');
    expect(errors).toEqual([]);
  });

  it('whose list drips in is not cut, as long as it drips', async () => {
    const text = JSON.stringify({
      kind: 'PodList',
      metadata: { resourceVersion: '100' },
      items: [pod('a', 90)],
    });
    const drops = Array.from(text).flatMap((letter) => [after(10_000), bytes(letter)]);
    const { clock, told, errors } = await play([
      { expects: 'LIST', actions: [{ type: 'head', status: 200, headers: {} }, ...drops, end()] },
      watch(),
    ]);
    await clock.advance(text.length * 10_000);
    expect(errors).toEqual([]);
    expect(told).toEqual(['add a@90 initial', 'synced']);
  });

  it('whose list stops dripping is given up, and nothing of it is taken', async () => {
    const half = '{"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"z"}},';
    const { clock, told, errors } = await play([
      { expects: 'LIST', actions: [{ type: 'head', status: 200, headers: {} }, bytes(half)] },
      A,
      watch(),
    ]);
    await clock.advance(80_000);
    expect(errors).toEqual(['STALLED']);
    expect(told).toEqual(['add a@90 initial', 'synced']);
  });
});

describe('credentials', () => {
  async function withCredentials(credentials: (attempt: number) => Promise<unknown>) {
    const stage = await onStage([A, watch()]);
    let attempt = 0;
    const cluster = {
      ...stage.server.cluster,
      credentials: () => credentials((attempt += 1)),
    } as Cluster;
    const informer = createInformer(cluster, 'v1', 'Pod', {
      scheduler: stage.clock,
      random: () => 0,
      streamingList: false,
    });
    atTheEnd(() => informer.stop());
    const seen = watching(informer);
    await stage.clock.settle();
    return { ...stage, seen, informer };
  }
  const good = { headers: {}, tls: {}, agent: undefined };

  it.each([
    ['are rejected', () => Promise.reject(new Error('the plugin failed'))],
    ['are rejected with nothing', () => Promise.reject(undefined as unknown as Error)],
    [
      'throw',
      () => {
        throw new Error('the plugin failed');
      },
    ],
    ['are nothing', () => Promise.resolve(undefined)],
    [
      'cannot be a header',
      () => Promise.resolve({ ...good, headers: { Authorization: 'Bearer \n\u{1F600}' } }),
    ],
  ])('that %s are asked for again', async (_, first) => {
    const { clock, seen } = await withCredentials((attempt) =>
      attempt === 1 ? first() : Promise.resolve(good),
    );
    expect(seen.errors).toEqual(['CREDENTIALS']);
    await clock.advance(1_000);
    expect(seen.told).toEqual(['add a@90 initial', 'synced']);
  });

  it('that never come are given up, and asked for again', async () => {
    const { clock, seen } = await withCredentials((attempt) =>
      attempt === 1 ? new Promise(() => undefined) : Promise.resolve(good),
    );
    await clock.advance(80_000);
    expect(seen.errors).toEqual(['STALLED']);
    expect(seen.told).toEqual(['add a@90 initial', 'synced']);
  });

  it('that come after a stop are not used', async () => {
    let come: () => void = () => undefined;
    const { clock, seen, informer, server } = await withCredentials(
      () => new Promise((resolve) => (come = () => resolve(good))),
    );
    informer.stop();
    come();
    await clock.advance(1_000);
    expect(server.asked).toEqual([]);
    expect(seen.errors).toEqual([]);
    server.skip();
  });
});

it('a subscriber that throws hurts nobody else', async () => {
  const thrown: unknown[] = [];
  config.onUnhandledError = (error) => thrown.push(error);
  atTheEnd(() => (config.onUnhandledError = null));
  const stage = await onStage([A, watch(after(1_000), added(pod('b', 101)))]);
  const { informer, clock } = await play<KubernetesObject>([], { stage, subscribed: false });
  const broken = informer.notifications$.subscribe(() => {
    throw new Error('not liked');
  });
  atTheEnd(() => broken.unsubscribe());
  const seen = watching(informer);
  await clock.advance(1_000);
  expect(seen.told).toEqual(['add a@90 initial', 'synced', 'add b@101']);
  expect(seen.errors).toEqual([]);
  // RxJS reports it a little later, in real time.
  await until(clock, () => thrown.length === 2);
});

it('an index function that fails for one object is reported, and fails for no other', async () => {
  const { informer, problems } = await play<KubernetesObject>(
    [list(100, pod('a', 90), pod('b', 91)), watch()],
    {
      indexers: {
        picky: ({ metadata }) => {
          if (metadata?.name === 'a') throw new Error('not liked');
          return ['x', 'x'];
        },
        none: () => undefined as never,
      },
    },
  );
  expect(informer.store.byIndex('picky', 'x').map(({ key }) => key)).toEqual(['default/b']);
  expect(problems).toEqual(['USER_FUNCTION', 'USER_FUNCTION', 'USER_FUNCTION']);
});

describe('a duration that no timer can hold', () => {
  const bad = [2 ** 31, Infinity, NaN, -1, 1e12];
  const options: ((value: number) => InformerOptions<unknown>)[] = [
    (resync) => ({ resync }),
    (linger) => ({ linger }),
    (poll) => ({ poll }),
    (watchTimeout) => ({ watchTimeout }),
    (cap) => ({ retry: { cap } }),
    (initial) => ({ retry: { initial } }),
    (resetAfter) => ({ retry: { resetAfter } }),
  ];
  it.each(options.map((option) => [Object.keys(option(1)).join(), option] as const))(
    'is refused (%s)',
    (_, option) => {
      for (const value of bad) {
        expect(() => createInformer(clusterAt('http://127.0.0.1:1'), 'v1', 'Pod', option(value))).toThrow(
          expect.objectContaining({ code: 'INVALID_OPTION' }) as Error,
        );
      }
    },
  );

  it('as a Retry-After is the longest there is', async () => {
    const { server, clock, informer } = await play([
      A,
      body('WATCH', '', 429, { 'retry-after': '99999999999' }),
    ]);
    await clock.advance(60_000);
    expect(informer.phase).toEqual({ type: 'wait', reason: 'backoff', delay: 2 ** 31 - 1 });
    expect(server.asked).toHaveLength(2);
  });
});

it('the events of a stream that expires are told, and those of the list are only the difference', async () => {
  const { clock, told } = await play([
    A,
    watch(after(2_000), added(pod('b', 101)), modified(pod('a', 102)), line(failure(410, 'Gone'))),
    list(110, pod('a', 102), pod('b', 101), pod('c', 105)),
    watch(errorEvent(410)),
    list(110, pod('a', 102), pod('b', 101), pod('c', 105)),
    watch(),
  ]);
  await clock.advance(10_000);
  expect(told.slice(2)).toEqual(['add b@101', 'update a@90->a@102', 'add c@105']);
});

async function listening(
  server: Server,
  scheme: string,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

function tlsServer(options: ServerOptions) {
  const server = createTlsServer(options, (request, response) => {
    if (request.url?.includes('watch=true') === true) response.flushHeaders();
    else response.end(JSON.stringify({ kind: 'PodList', metadata: { resourceVersion: '100' }, items: [] }));
  });
  Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  return listening(server, 'https');
}
