import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createInformer, createInformerFactory } from '../../src/informer/factory.ts';
import { createClock } from '../../src/testing/clock.ts';
import { pod } from '../testkit/objects.ts';
import { play, watching } from '../testkit/play.ts';
import { added, body, list, type Step, watch } from '../testkit/steps.ts';
import { clusterAt } from '../transport/recorder.ts';

it.each([
  ['plain text', 'slow down'],
  ['empty', ''],
  ['HTML', '<html>busy</html>'],
])('C31 429 with a body that is %s is waited for as the server asks, without a list', async (_, text) => {
  const busy: Step = body('WATCH', text, 429, { 'retry-after': '2', 'content-type': 'text/plain' });
  const { clock, server, told, statuses } = await play(
    [list(100, pod('a', 90)), busy, busy, busy, watch(added(pod('b', 101)))],
    { random: () => 0.5 },
  );
  await clock.advance(30_000);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', ...Array<string>(4).fill('WATCH rv=100')]);
  const times = server.requests.slice(1).map(({ at }) => at);
  const waits = times.slice(1).map((at, i) => at - (times[i] ?? 0));
  expect(waits).toEqual([2_200, 2_400, 4_800]);
  const errors = statuses.flatMap((status) => (status.type === 'error' ? [status.error] : []));
  expect(errors).toHaveLength(3);
  for (const error of errors)
    expect(error).toMatchObject({ code: 'API_STATUS', status: 429, terminal: false });
  expect(told).toEqual(['add a@90 initial', 'synced', 'add b@101']);
});

it('C32 two dozen informers whose watches end at once leave the server alone, and all recover', async () => {
  const clock = createClock();
  const asked = new Map<string, number[]>();
  const recent: number[] = [];
  let busyUntil = 0;
  let calm = false;
  const server = await listening((request, response) => {
    const now = clock.now();
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
    asked.set(pathname, [...(asked.get(pathname) ?? []), now]);
    recent.push(now);
    if (!calm && recent.filter((at) => at > now - 10_000).length > 20)
      busyUntil = Math.max(busyUntil, now + 30_000);
    if (!calm && now < busyUntil) {
      response.writeHead(429).end('too many');
      return;
    }
    if (searchParams.get('watch') !== 'true') {
      response.end(JSON.stringify({ kind: 'PodList', metadata: { resourceVersion: '100' }, items: [] }));
      return;
    }
    response.flushHeaders();
    const version = String(Number(searchParams.get('resourceVersion')) + 1);
    response.write(`${JSON.stringify({ type: 'ADDED', object: pod('a', version) })}\n`);
    if (!calm) response.end();
  });
  const informers = Array.from({ length: 24 }, (_, i) =>
    createInformer(clusterAt(server.url), 'v1', 'Pod', {
      namespace: `n${i}`,
      scheduler: clock,
      streamingList: false,
    }),
  );
  for (const informer of informers) informer.start();
  await clock.advance(5 * 60_000);

  const lastTwoMinutes = [...asked.values()].map((times) => times.filter((at) => at > 3 * 60_000).length);
  expect(lastTwoMinutes).toHaveLength(24);
  expect(Math.max(...lastTwoMinutes)).toBeLessThanOrEqual(8);
  calm = true;
  await clock.advance(90_000);
  expect(informers.every(({ live }) => live)).toBe(true);
  for (const informer of informers) informer.stop();
  await server.close();
  clock.dispose();
});

it('C34 after a reset no connection of that pool is used again', async () => {
  const clock = createClock();
  const poisoned = new Set<Socket>();
  const sockets = new Set<Socket>();
  let refused = 0;
  const watches: { socket: Socket; rv: string | null; at: number }[] = [];
  const server = await listening((request, response) => {
    const { socket } = request;
    sockets.add(socket);
    if (poisoned.has(socket)) {
      refused += 1;
      socket.resetAndDestroy();
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://server');
    if (searchParams.get('watch') !== 'true') {
      const metadata = pathname.endsWith('pods') ? { resourceVersion: '100' } : {};
      response.end(JSON.stringify({ kind: 'List', metadata, items: [] }));
      return;
    }
    watches.push({ socket, rv: searchParams.get('resourceVersion'), at: clock.now() });
    response.flushHeaders();
  });
  const factory = createInformerFactory(clusterAt(server.url), { scheduler: clock, random: () => 0 });
  const options = { streamingList: false };
  const pods = factory.for('v1', 'Pod', options);
  const seen = watching(pods);
  // Between two polls its socket is idle in the same pool.
  const maps = factory.for('v1', 'ConfigMap', { ...options, poll: 70_000 });
  maps.start();
  await clock.advance(300_000);
  expect(sockets.size).toBe(2);
  for (const socket of sockets) poisoned.add(socket);
  watches[0]?.socket.resetAndDestroy();
  await clock.advance(10_000);

  expect(seen.errors).toEqual(['CUT']);
  expect(watches.filter(({ at }) => at > 0).map(({ rv }) => rv)).toEqual(['100']);
  expect(pods.live).toBe(true);
  await clock.advance(60_000);
  expect(refused).toBe(0);
  expect(sockets.size).toBe(4);
  factory.stop();
  seen.unsubscribe();
  await server.close();
  clock.dispose();
});

async function listening(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(handle);
  Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
