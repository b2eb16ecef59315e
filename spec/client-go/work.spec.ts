import { filter, first, map } from 'rxjs';
import { syncedWithin } from '../../operators/syncedWithin.ts';
import type { InformerError } from '../../src/errors.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, heldIn, play, watching } from '../testkit/play.ts';
import {
  added,
  after,
  cut,
  end,
  errorEvent,
  list,
  modified,
  page,
  refuse,
  type Step,
  silence,
  watch,
} from '../testkit/steps.ts';

/** `p0` and so on, so many from the first of these on. */
const pods = (from: number, count: number): KubernetesObject[] =>
  Array.from({ length: count }, (_, n) => pod(`p${from + n}`, 1));

const expired = refuse('LIST', 410, 'Expired');

it.each<[number, string, Step[], number]>([
  [10, 'in one page', [list(50, ...pods(0, 10))], 1],
  [11, 'in two pages', [page(50, 'two', ...pods(0, 10)), list(50, ...pods(10, 1))], 2],
  [
    21,
    'in three pages',
    [page(50, 'two', ...pods(0, 10)), page(50, 'three', ...pods(10, 10)), list(50, ...pods(20, 1))],
    3,
  ],
  [
    21,
    'although the second page expired, twice',
    [
      page(50, 'two', ...pods(0, 10)),
      expired,
      page(50, 'two', ...pods(0, 10)),
      expired,
      list(50, ...pods(0, 21)),
    ],
    5,
  ],
])('87 %d objects are read %s', async (count, _, steps, requests) => {
  const { server, informer, told } = await play([...steps, watch()], { pageSize: 10 });
  expect(server.asked.filter((request) => request.startsWith('LIST'))).toHaveLength(requests);
  expect(informer.store.size).toBe(count);
  expect(told).toHaveLength(count + 1);
});

it('88 across failures of all kinds it goes on from the last version, and tells nothing twice', async () => {
  const { clock, server, told } = await play([
    list(10),
    watch(added(pod('a', 11)), after(2_000), errorEvent(504, 'Timeout')),
    refuse('WATCH', 500, 'InternalError'),
    watch(added(pod('a', 11)), modified(pod('a', 12)), after(2_000), cut()),
    refuse('WATCH', 403, 'Forbidden'),
    watch(modified(pod('a', 12)), added(pod('b', 13)), after(2_000), end()),
    refuse('WATCH', 410, 'Expired'),
    list(20, pod('a', 12), pod('b', 13)),
    watch(added(pod('b', 13)), added(pod('c', 21))),
  ]);
  await clock.advance(60_000);
  expect(told).toEqual(['synced', 'add a@11', 'update a@11->a@12', 'add b@13', 'add c@21']);
  expect(server.asked.slice(1)).toEqual([
    'WATCH rv=10',
    'WATCH rv=11',
    'WATCH rv=11',
    'WATCH rv=12',
    'WATCH rv=12',
    'WATCH rv=13',
    'LIST rv=13 NotOlderThan limit=500',
    'WATCH rv=20',
  ]);
});

it('89 a delete that only a list shows has the last known object, as any other delete', async () => {
  const { clock, notifications } = await play<KubernetesObject>([
    list(10, pod('a', 1)),
    watch(modified(pod('a', 11, { labels: { last: 'known' } })), after(2_000), errorEvent(410)),
    list(20),
    watch(),
  ]);
  await clock.advance(2_000);
  const last = notifications.at(-1);
  expect(last).toMatchObject({ type: 'delete', finalStateUnknown: true });
  expect(last?.object.metadata?.labels).toEqual({ last: 'known' });
});

it('89 waiting for a condition ends at once where an object that is there meets it', async () => {
  const { clock, informer } = await play<KubernetesObject>([
    list(10, pod('a', 1), pod('b', 2, { labels: { ready: 'yes' } })),
    watch(),
  ]);
  const met: string[] = [];
  informer.notifications$
    .pipe(
      filter(({ object }) => object.metadata?.labels?.ready === 'yes'),
      map(({ key }) => key),
      first(),
    )
    .subscribe((key) => met.push(key));
  await clock.settle();
  expect(met).toEqual(['default/b']);
});

it('91 reads never wait; who wants to wait for the first list is told if it does not come in time', async () => {
  const { clock, informer } = await play([silence('LIST')]);
  const outcome: string[] = [];
  syncedWithin(1_000, { pods: informer }, { context: informer.context }).subscribe({
    next: () => outcome.push('synced'),
    error: (error: unknown) => outcome.push((error as InformerError).code),
  });
  expect(informer.store.stale).toBe(true);
  expect(informer.store.list()).toEqual([]);
  await clock.advance(999);
  expect(outcome).toEqual([]);
  await clock.advance(1);
  expect(outcome).toEqual(['SYNC_TIMEOUT']);

  const synced = await play([list(10), watch()]);
  expect(synced.informer.store.stale).toBe(false);
  expect(synced.informer.store.list()).toEqual([]);
  expect(synced.informer.store.get('default/none')).toBeUndefined();
});

it('92 an index can be added while nothing was listed yet, without waiting', async () => {
  const { clock, server, informer } = await play<KubernetesObject>([silence('LIST')]);
  informer.store.addIndexers({ name: ({ metadata }) => [metadata?.name ?? ''] });
  expect(informer.store.byIndex('name', 'a')).toEqual([]);
  informer.stop();
  server.expect(list(10, pod('a', 1)), watch());
  watching(informer);
  await clock.settle();
  expect(informer.store.byIndex('name', 'a')).toHaveLength(1);
});

it('95 two indexes give the very same entries, so that what is in both is found by identity', async () => {
  const { informer } = await play<KubernetesObject>(
    [
      list(
        10,
        pod('a', 1, { labels: { app: 'web', tier: 'x' } }),
        pod('b', 2, { labels: { app: 'web', tier: 'y' } }),
        pod('c', 3, { labels: { app: 'db', tier: 'x' } }),
      ),
      watch(),
    ],
    {
      indexers: {
        app: ({ metadata }) => [metadata?.labels?.app ?? ''],
        tier: ({ metadata }) => [metadata?.labels?.tier ?? ''],
      },
    },
  );
  const tier = new Set(informer.store.byIndex('tier', 'x'));
  const both = informer.store.byIndex('app', 'web').filter((entry) => tier.has(entry));
  expect(both.map(({ name }) => name)).toEqual(['a']);
});

it('95 an informer that was stopped is started again, and is current then', async () => {
  const { clock, informer } = await play([list(10, pod('a', 1)), watch(), list(20, pod('b', 11)), watch()]);
  informer.stop();
  informer.start();
  atTheEnd(() => informer.stop());
  await clock.settle();
  expect(heldIn(informer.store)).toEqual(['b@11']);
  expect(informer.store.stale).toBe(false);
});
