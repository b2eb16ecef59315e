import { createInformer } from '../../src/informer/factory.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { type ApiServer, createApiServer } from '../../src/testing/apiServer.ts';
import { createClock, type SteppedClock } from '../../src/testing/clock.ts';
import { freePort } from '../e2e/ports.ts';
import { clusterAt } from '../transport/recorder.ts';
import { type TcpFault, TcpProxy } from './tcpProxy.ts';

let clock: SteppedClock;
let server: ApiServer;
let proxy: TcpProxy;

beforeEach(async () => {
  clock = createClock();
  server = await createApiServer({ scheduler: clock });
  proxy = await TcpProxy.start({ to: Number(new URL(server.url).port), scheduler: clock }, await freePort());
});

afterEach(async () => {
  await proxy.close();
  await server.close();
  expect([proxy.sockets, server.connections, clock.pending]).toEqual([0, 0, 0]);
  clock.dispose();
});

const write = (name: string): void => {
  server.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
};

function follow() {
  const cluster = clusterAt(`http://127.0.0.1:${String(proxy.port)}`);
  const informer = createInformer<ConfigMap>(cluster, 'v1', 'ConfigMap', {
    scheduler: clock,
    random: () => 0,
    watchTimeout: 30,
  });
  const errors: string[] = [];
  informer.status$.subscribe((status) => {
    if (status.type === 'error')
      errors.push((status.error as { reason?: string }).reason ?? status.error.code);
  });
  informer.start();
  return { informer, errors };
}

/** The first connection has it. */
const once = (fault: TcpFault): (() => TcpFault | undefined) => {
  const faults = [fault];
  return () => faults.shift();
};

it.each<[TcpFault, string[]]>([
  [{ kind: 'delay', by: 3_000 }, []],
  [{ kind: 'cut', afterBytes: 700 }, ['CUT']],
  [{ kind: 'reset', afterBytes: 700 }, ['CUT']],
  [{ kind: 'silence', afterBytes: 700 }, ['STALLED']],
])('an informer gets through %j', async (fault, expected) => {
  proxy.faultOf = once(fault);
  write('a');
  const { informer, errors } = follow();
  await clock.advance(2_000);
  expect(proxy.counts[fault.kind]).toBe(fault.kind === 'delay' ? 1 : 0);
  for (const name of ['b', 'c', 'd']) write(name);
  await clock.advance(120_000);
  expect([informer.live, informer.store.size]).toEqual([true, 4]);
  expect(errors).toEqual(expected);
  expect(proxy.counts[fault.kind]).toBe(1);
  informer.stop();
  await clock.settle();
});

it('delays everything', async () => {
  proxy.faultOf = once({ kind: 'delay', by: 3_000 });
  const { informer } = follow();
  await clock.advance(2_999);
  expect(informer.live).toBe(false);
  await clock.advance(1);
  expect(informer.live).toBe(true);
  informer.stop();
  await clock.settle();
});

it('refuses until it accepts again', async () => {
  const { informer, errors } = follow();
  await clock.settle();
  expect(informer.live).toBe(true);
  await proxy.refuse();
  write('a');
  await clock.advance(10_000);
  expect(new Set(errors)).toEqual(new Set(['CUT', 'ECONNREFUSED']));
  expect([informer.live, informer.store.size, proxy.counts.refuse]).toEqual([false, 0, 1]);
  await proxy.accept();
  await clock.advance(60_000);
  expect([informer.live, informer.store.size]).toEqual([true, 1]);
  informer.stop();
  await clock.settle();
});

it('holds what comes, on connections old and new, and loses nothing', async () => {
  const { informer, errors } = follow();
  await clock.settle();
  proxy.hold();
  write('a');
  const late = follow();
  await clock.advance(3_000);
  expect([informer.store.size, late.informer.live]).toEqual([0, false]);
  proxy.release();
  await clock.advance(1_000);
  expect([informer.store.size, late.informer.store.size]).toEqual([1, 1]);
  expect([...errors, ...late.errors]).toEqual([]);
  informer.stop();
  late.informer.stop();
  await clock.settle();
});

it('leads to another server', async () => {
  const other = await createApiServer({ scheduler: clock });
  proxy.to = Number(new URL(other.url).port);
  write('a');
  const { informer } = follow();
  await clock.settle();
  expect([informer.live, informer.store.size, other.connections]).toEqual([true, 0, 1]);
  informer.stop();
  await clock.settle();
  await other.close();
});

it.each(['resetAll', 'closeAll'] as const)('cuts what is open: %s', async (cut) => {
  const { informer, errors } = follow();
  await clock.settle();
  proxy[cut]();
  write('a');
  await clock.advance(10_000);
  expect(errors).toEqual(['CUT']);
  expect(informer.store.size).toBe(1);
  informer.stop();
  await clock.settle();
});
