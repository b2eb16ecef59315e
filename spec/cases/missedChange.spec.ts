import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { keyOf, splitKey } from '../../src/kubernetes/key.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { pod } from '../testkit/objects.ts';
import { heldIn, onStage, play, watching } from '../testkit/play.ts';
import { added, after, deleted, end, errorEvent, list, modified, reset, watch } from '../testkit/steps.ts';

/** A watch that ends after five seconds in a way that leads to a list. */
const dropped = watch(after(5_000), errorEvent(410, 'Expired'), end());

it('C21 a hundred times all objects are replaced while nobody looks, and only the newest are held', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const namesOf = (round: number): KubernetesObject[] =>
    Array.from({ length: 50 }, (_, i) => pod(`p${round}-${i}`, 100 + round));
  const { clock, server, informer, told, notifications } = await play([list(100, ...namesOf(0)), dropped], {
    indexers: { namespace: (_, meta) => [meta.namespace ?? ''], name: (_, meta) => [meta.name ?? ''] },
  });
  const heap: number[] = [];
  for (let round = 1; round <= 100; round += 1) {
    told.length = 0;
    notifications.length = 0;
    server.expect(list(100 + round, ...namesOf(round)), dropped);
    await clock.advance(5_000);

    expect(
      told.filter((word) => word.startsWith('delete') && word.endsWith('finalStateUnknown')),
    ).toHaveLength(50);
    expect(told.filter((word) => word.startsWith('add'))).toHaveLength(50);
    expect(told).toHaveLength(100);
    expect(informer.store.size).toBe(50);
    expect(informer.store.byIndex('namespace', 'default')).toHaveLength(50);
    expect(informer.store.indexValues('name')).toHaveLength(50);
    expect(server.sockets.size).toBe(1);
    if (round % 50 === 0) {
      collectGarbage();
      heap.push(process.memoryUsage().heapUsed);
    }
  }
  const [half = 0, whole = 0] = heap;
  // What the script itself remembers of each request is in it, too.
  expect(whole - half).toBeLessThan(4_000_000);
});

it('C22 a delete that only a list showed has the same shape as any other', async () => {
  const a = { ...pod('a', 90, { labels: { app: 'x' } }), spec: { nodeName: 'n' } };
  const { clock, notifications } = await play([
    list(100, a, pod('b', 91)),
    watch(after(1_000), deleted(pod('b', 101)), after(4_000), errorEvent(410, 'Expired'), end()),
    list(200),
    watch(),
  ]);
  await clock.advance(5_000);
  const [seen, unseen] = notifications.slice(2);
  expect(seen).toMatchObject({ type: 'delete', key: 'default/b', finalStateUnknown: false });
  expect(unseen).toMatchObject({ type: 'delete', key: 'default/a', finalStateUnknown: true });
  expect(unseen?.object).toEqual({ apiVersion: 'v1', kind: 'Pod', ...a });
  expect(unseen?.object).toBe(notifications[0]?.object);
  expect(Object.keys(unseen?.object ?? {}).sort()).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
  expect(unseen?.meta).toEqual(a.metadata);
});

it('C23 the same name with another uid in a list is the end of one object and the begin of another', async () => {
  const { clock, notifications, told } = await play([
    list(100, pod('a', 90, { uid: 'U1' })),
    dropped,
    list(200, pod('a', 150, { uid: 'U2' })),
    watch(),
  ]);
  await clock.advance(5_000);
  expect(told.slice(2)).toEqual(['delete a@90 finalStateUnknown', 'add a@150']);
  expect(notifications.slice(1).map(({ meta }) => meta.uid)).toEqual(['U1', 'U2']);
});

it.each([
  ['MODIFIED', modified],
  ['ADDED', added],
])('C23 (in the stream) the same of %s', async (_, event) => {
  const { notifications, told } = await play([
    list(100, pod('a', 90, { uid: 'U1' })),
    watch(event(pod('a', 150, { uid: 'U2' }))),
  ]);
  expect(told.slice(2)).toEqual(['delete a@90 finalStateUnknown', 'add a@150']);
  expect(notifications.slice(1).map(({ meta }) => meta.uid)).toEqual(['U1', 'U2']);
});

it.each([
  ['no resync', undefined],
  ['a resync', 30_000],
])('C25 a change that only a list showed is told at once, with %s', async (_, resync) => {
  const { clock, told } = await play([list(100, pod('a', 90)), dropped, list(200, pod('a', 150)), watch()], {
    resync,
  });
  await clock.advance(5_000);
  expect(told).toEqual(['add a@90 initial', 'synced', 'update a@90->a@150']);
  await clock.advance(24_000);
  expect(told).toHaveLength(3);
});

it('C25 a change that only a list showed is told to each, with a resync of its own or without', async () => {
  const { clock, informer, told } = await play([
    list(100, pod('a', 90)),
    dropped,
    list(200, pod('a', 150)),
    watch(),
  ]);
  const own = watching({
    status$: informer.status$,
    notifications$: informer.notifications({ resync: 30_000 }),
  });
  await clock.advance(29_999);
  expect(told).toEqual(['add a@90 initial', 'synced', 'update a@90->a@150']);
  expect(own.told).toEqual(['add a@90 initial', 'update a@90->a@150']);
  await clock.advance(1);
  expect(own.told.slice(2)).toEqual(['sync a@150']);
  expect(told).toHaveLength(3);
  own.unsubscribe();
});

it('C26 a delete between list and watch is told, since the watch starts at the version of the list', async () => {
  const { server, informer, told } = await play([list(100, pod('x', 80)), watch(deleted(pod('x', 101)))]);
  expect(server.asked[1]).toBe('WATCH rv=100');
  expect(told).toEqual(['add x@80 initial', 'synced', 'delete x@101']);
  expect(informer.store.size).toBe(0);
});

it.each([
  ['expired', dropped],
  ['reset three times', watch(after(5_000), reset())],
])('C27 a list with nothing new tells nothing (watch %s)', async (_, ended) => {
  const isReset = ended !== dropped;
  const { clock, server, told, statuses } = await play([
    list(100, pod('a', 90), pod('b', 95)),
    ...(isReset ? [ended, watch(reset()), watch(reset())] : [ended]),
    list(500, pod('a', 90), pod('b', 95)),
    watch(),
  ]);
  await clock.advance(20_000);
  expect(server.asked.at(-1)).toBe('WATCH rv=500');
  expect(told).toEqual(['add a@90 initial', 'add b@95 initial', 'synced']);
  expect(statuses.filter(({ type }) => type === 'applied')).toHaveLength(2);
});

it('C27 a reconnect without a list tells nothing, though the server sends the same states again', async () => {
  const { clock, told } = await play([
    list(100, pod('a', 90), pod('b', 95)),
    watch(after(5_000), reset()),
    watch(added(pod('a', 90)), modified(pod('b', 95))),
  ]);
  await clock.advance(6_000);
  expect(told).toEqual(['add a@90 initial', 'add b@95 initial', 'synced']);
});

it('C75 objects of the same name in two namespaces are two', async () => {
  const { informer, told } = await play(
    [
      list(100, pod('x', 90, { namespace: 'ns1', uid: '1' }), pod('x', 91, { namespace: 'ns2', uid: '2' })),
      watch(deleted(pod('x', 101, { namespace: 'ns1', uid: '1' }))),
    ],
    { indexers: { namespace: (_, { namespace = '' }) => [namespace] } },
  );
  expect(told).toEqual(['add ns1/x@90 initial', 'add ns2/x@91 initial', 'synced', 'delete ns1/x@101']);
  expect(heldIn(informer.store)).toEqual(['ns2/x@91']);
  expect(informer.store.byIndex('namespace', 'ns1')).toEqual([]);
  expect(informer.store.byIndex('namespace', 'ns2').map(({ key }) => key)).toEqual(['ns2/x']);
});

it('C75 the key of a cluster-scoped object is its name, colons and dots included', async () => {
  const role = { metadata: { name: 'system:node.v1', uid: 'u', resourceVersion: '90' } };
  const { informer, server } = await play([list(100, role), watch()], {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
  });
  expect(server.requests[0]?.path).toBe('/apis/rbac.authorization.k8s.io/v1/clusterroles');
  expect([...informer.store.keys()]).toEqual(['system:node.v1']);
  expect(splitKey('system:node.v1')).toEqual({ namespace: undefined, name: 'system:node.v1' });
  expect(splitKey(keyOf({ namespace: 'ns1', name: 'a.b:c' }))).toEqual({ namespace: 'ns1', name: 'a.b:c' });
});

it('C75 parts of a path are encoded', async () => {
  const stage = await onStage([list(100), watch()]);
  await play([], {
    stage,
    apiVersion: 'example.com/v1',
    kind: 'Odd',
    resource: { plural: 'odd?things', namespaced: true },
    namespace: 'ns1',
  });
  expect(stage.server.requests[0]?.path).toBe('/apis/example.com/v1/namespaces/ns1/odd%3Fthings');
});
