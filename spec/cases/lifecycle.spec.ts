import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInformer } from '../../src/informer/factory.ts';
import { createClock } from '../../src/testing/clock.ts';
import { pod } from '../testkit/objects.ts';
import { heldIn, play } from '../testkit/play.ts';
import { added, after, end, late, list, modified, refuse, reset, watch } from '../testkit/steps.ts';
import { localhost, other } from '../transport/fixtures/certificates.ts';
import { clusterAt } from '../transport/recorder.ts';

it('C68 what is stopped while it lists tells nothing more, and can be started again', async () => {
  const { clock, server, informer, told, errors } = await play([late(2_000, list(100, pod('a', 90)))]);
  await clock.advance(1_000);
  informer.stop();
  informer.stop();
  await clock.settle();
  expect(server.sockets.size).toBe(0);
  await clock.advance(5_000);
  expect([told, errors, informer.store.size]).toEqual([[], [], 0]);

  server.expect(list(200, pod('b', 150)), watch());
  informer.start();
  await clock.settle();
  expect(heldIn(informer.store)).toEqual(['b@150']);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'LIST rv=0 limit=500', 'WATCH rv=200']);
});

it('C68 what is stopped by a handler does not tell the rest of the chunk', async () => {
  const played = await play([
    list(100, pod('a', 90)),
    watch(
      after(1_000),
      {
        type: 'body',
        bytes: Buffer.from(
          [101, 102, 103]
            .map((version) => `${JSON.stringify({ type: 'MODIFIED', object: pod('a', version) })}\n`)
            .join(''),
        ),
      },
      after(1_000),
      modified(pod('a', 104)),
    ),
  ]);
  const { clock, server, informer, errors, told } = played;
  informer.notifications$.subscribe(({ type }) => {
    if (type === 'update') informer.stop();
  });
  await clock.advance(1_000);
  expect(server.sockets.size).toBe(0);
  await clock.advance(10_000);
  expect(told).toEqual(['add a@90 initial', 'synced', 'update a@90->a@101']);
  expect(errors).toEqual([]);
  expect(played.end).toEqual({ type: 'completed' });
  expect(informer.phase).toEqual({ type: 'stopped' });

  server.expect(list(104, pod('a', 104)), watch());
  informer.start();
  await clock.settle();
  expect(heldIn(informer.store)).toEqual(['a@104']);
  expect(told.slice(3)).toEqual(['synced']);
});

it('C69 what is stopped while it waits asks for nothing more', async () => {
  const { clock, server, informer } = await play([list(100), watch(after(2_000), reset())], {
    retry: { initial: 3_000 },
  });
  await clock.advance(3_000);
  expect(informer.phase).toMatchObject({ type: 'wait', delay: 3_000 });
  informer.stop();
  expect(clock.pending).toBe(0);
  await clock.advance(30_000);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=100']);
  expect(server.sockets.size).toBe(0);
});

it('C69 the same of one that nobody listens to any more', async () => {
  const played = await play([refuse('LIST', 500)]);
  played.unsubscribe();
  expect(played.clock.pending).toBe(0);
  await played.clock.advance(30_000);
  expect(played.server.asked).toHaveLength(1);
});

describe('C71 a process', () => {
  it.each(['watching', 'waiting', 'listing', 'handling'])(
    'that stops its informer while it is %s exits by itself',
    async (when) => {
      const child = spawn(
        process.execPath,
        ['-r', 'ts-node/register', join(__dirname, 'exit/stopWhile.ts'), when],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      expect(output).toMatch(/^alive after 300 ms\nexit after \d+ ms\n$/);
      expect(Number(/exit after (\d+)/.exec(output)?.[1])).toBeLessThan(1_000);
      expect(code).toBe(0);
    },
    30_000,
  );
});

it('C72 a thousand watches use one connection, and each event is told once', async () => {
  const warnings: unknown[] = [];
  const warn = (warning: unknown): unknown => warnings.push(warning);
  process.on('warning', warn);
  const cycles = 1_000;
  const { clock, server, told } = await play(
    [
      list(100, pod('a', 100)),
      ...Array.from({ length: cycles }, (_, i) => watch(modified(pod('a', 101 + i)), after(2_000), end())),
      watch(),
    ],
    { watchTimeout: 10 },
  );
  const sockets = new Set(server.sockets);
  for (let i = 0; i < cycles; i += 1) {
    await clock.advance(2_000);
    for (const socket of server.sockets) sockets.add(socket);
  }
  expect(sockets.size).toBe(1);
  expect(server.asked).toHaveLength(cycles + 2);
  expect(told.slice(2)).toEqual(
    Array.from({ length: cycles }, (_, i) => `update a@${100 + i}->a@${101 + i}`),
  );
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});

it('C72 changed TLS material makes a new connection, and closes the old', async () => {
  const clock = createClock();
  const seen: (string | undefined)[] = [];
  const server = createTlsServer(
    { ...localhost, requestCert: true, rejectUnauthorized: false, ca: [localhost.cert, other.cert] },
    (request, response) => {
      const socket = request.socket as import('node:tls').TLSSocket;
      seen.push(socket.getPeerX509Certificate()?.fingerprint);
      const { searchParams } = new URL(request.url ?? '', 'https://server');
      if (searchParams.get('watch') !== 'true') {
        response.end(JSON.stringify({ kind: 'PodList', metadata: { resourceVersion: '100' }, items: [] }));
        return;
      }
      response.flushHeaders();
      clock.schedule(() => response.end(), 2_000);
    },
  );
  Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  const sockets = new Set<import('node:net').Socket>();
  server.on('secureConnection', (socket: import('node:net').Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  let client: { readonly key: string; readonly cert: string } = localhost;
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cluster = {
    ...clusterAt(url),
    credentials: () =>
      Promise.resolve({ headers: {}, tls: { ca: localhost.cert, ...client }, agent: undefined }),
  };
  const informer = createInformer(cluster, 'v1', 'Pod', { scheduler: clock, streamingList: false });
  informer.start();
  await clock.settle();
  await clock.advance(2_000);
  expect(seen).toHaveLength(3);
  expect(sockets.size).toBe(1);
  client = other;
  await clock.advance(2_000);
  expect(seen).toHaveLength(4);
  expect(sockets.size).toBe(1);
  expect(new Set(seen).size).toBe(2);
  expect(informer.live).toBe(true);
  informer.stop();
  await clock.settle();
  expect(sockets.size).toBe(0);
  server.close();
  clock.dispose();
});

it('C68 who unsubscribes in the middle of a chunk hears no more of it, and the others do', async () => {
  const { informer, told, clock } = await play([
    list(100, pod('a', 90)),
    watch(after(1_000), added(pod('b', 101)), added(pod('c', 102))),
  ]);
  const keys: string[] = [];
  const leaver = informer.notifications$.subscribe(({ key }) => {
    keys.push(key);
    if (key === 'default/b') leaver.unsubscribe();
  });
  await clock.advance(1_000);
  expect(keys).toEqual(['default/a', 'default/b']);
  expect(told.slice(2)).toEqual(['add b@101', 'add c@102']);
});
