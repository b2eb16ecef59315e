import { of, takeUntil } from 'rxjs';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { pod, TOO_LARGE } from '../testkit/objects.ts';
import { heldIn, type PlayOptions, play, watching } from '../testkit/play.ts';
import {
  added,
  after,
  bookmark,
  cut,
  deleted,
  end,
  errorEvent,
  initialEnd,
  json,
  line,
  list,
  modified,
  page,
  refuse,
  type Step,
  stream,
  watch,
} from '../testkit/steps.ts';

/** A watch that lives well and ends with an expired version, so that a list follows at once. */
const expires = watch(after(2_000), errorEvent(410, 'Expired'), end());
const failsAtOnce = watch(errorEvent(500, 'InternalError'), end());
const pods = (names: string, version: number): KubernetesObject[] =>
  Array.from(names).map((name) => pod(name, version));

it('1 one list at version 0 in pages of 500, then a watch from its version with bookmarks', async () => {
  const { server, told } = await play([
    list(1),
    watch(added(pod('a', 2)), added(pod('b', 3)), added(pod('c', 4))),
  ]);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=1']);
  expect(server.requests[1]?.query.allowWatchBookmarks).toBe('true');
  expect(told).toEqual(['synced', 'add a@2', 'add b@3', 'add c@4']);
});

it('2 where the server streams lists: one watch for all, of no version, and no list', async () => {
  const { clock, server, told } = await play([stream(initialEnd(1), added(pod('a', 2)))], {
    streaming: true,
  });
  await clock.advance(60_000);
  expect(server.asked).toEqual(['STREAM']);
  expect(server.requests[0]?.query).toMatchObject({
    sendInitialEvents: 'true',
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: 'true',
  });
  expect(told).toEqual(['synced', 'add a@2']);
});

it('3 each list finds what the events before it left; a list and a watch that fail both say so', async () => {
  const { clock, informer, statuses, told } = await play([
    list(1),
    watch(added(pod('a', 2)), added(pod('b', 3)), after(2_000), errorEvent(410), end()),
    refuse('LIST', 500, 'InternalError'),
    list(3, pod('a', 2), pod('b', 3)),
    refuse('WATCH', 500, 'InternalError'),
    watch(modified(pod('a', 4)), deleted(pod('b', 5)), after(2_000), errorEvent(410), end()),
    list(5, pod('a', 4)),
    watch(),
  ]);
  await clock.advance(20_000);
  expect(told).toEqual(['synced', 'add a@2', 'add b@3', 'update a@2->a@4', 'delete b@5']);
  expect(heldIn(informer.store)).toEqual(['a@4']);
  const failures = statuses.flatMap((status) => (status.type === 'error' ? [status.error] : []));
  expect(failures).toMatchObject([
    { verb: 'watch', status: 410 },
    { verb: 'list', status: 500 },
    { verb: 'watch', status: 500 },
    { verb: 'watch', status: 410 },
  ]);
});

it('4 a server that refuses connections is waited for, ever longer, without another list', async () => {
  const { clock, server, errors } = await play([list(1), watch(), watch()], {
    retry: { initial: 1, cap: 50 },
  });
  await server.refuseConnections();
  await clock.advance(1 + 2 + 4 + 8 + 16);
  expect(errors).toEqual(['CUT', ...Array<string>(5).fill('ECONNREFUSED')]);
  await server.acceptConnections();
  await clock.advance(31);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=1']);
  await clock.advance(1);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=1', 'WATCH rv=1']);
});

it('5 the waits are those that were asked for', async () => {
  const fails = refuse('LIST', 500, 'InternalError');
  const { clock, server } = await play([fails, fails, fails, fails, fails, list(1), watch()], {
    retry: { initial: 10, factor: 2, cap: 100 },
  });
  await clock.advance(10 + 20 + 40 + 80 + 100);
  const begun = server.requests[0]?.at ?? 0;
  expect(server.requests.map(({ at }) => at - begun)).toEqual([0, 10, 30, 70, 150, 250, 250]);
});

it('6 429 as the answer to a watch and as its event both cost one wait, and no list', async () => {
  const { clock, server, statuses } = await play([
    list(1),
    refuse('WATCH', 429, 'TooManyRequests'),
    watch(errorEvent(429, 'TooManyRequests'), end()),
    watch(),
  ]);
  await clock.advance(800 + 1_600);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=1', 'WATCH rv=1', 'WATCH rv=1']);
  expect(statuses.filter(({ type }) => type === 'wait')).toHaveLength(2);
});

it('7 429 four times, then a watch: one list and five watches', async () => {
  const busy = refuse('WATCH', 429, 'TooManyRequests');
  const { clock, server } = await play([list(1), busy, busy, busy, busy, watch()]);
  await clock.advance(800 + 1_600 + 3_200 + 6_400);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', ...Array<string>(5).fill('WATCH rv=1')]);
});

it('8 an internal error within a watch is waited for; three in a row lead to a list', async () => {
  const { clock, server } = await play([list(1), failsAtOnce, failsAtOnce, failsAtOnce, list(1), watch()]);
  await clock.advance(800 + 1_600);
  expect(server.asked.slice(1)).toEqual(['WATCH rv=1', 'WATCH rv=1', 'WATCH rv=1']);
  await clock.advance(3_200);
  expect(server.asked.slice(4)).toEqual(['LIST rv=1 NotOlderThan limit=500', 'WATCH rv=1']);
});

it('9 a size of pages that was asked for holds for every page of every list', async () => {
  const { clock, server, informer } = await play(
    [
      list(10),
      expires,
      page(11, 'two', ...pods('abcd', 5)),
      page(11, 'three', ...pods('efgh', 5)),
      list(11, ...pods('ij', 5)),
      watch(),
    ],
    { pageSize: 4 },
  );
  await clock.advance(2_000);
  expect(server.asked.slice(2, -1)).toEqual([
    'LIST rv=10 NotOlderThan limit=4',
    'LIST limit=4 continue=two',
    'LIST limit=4 continue=three',
  ]);
  expect(informer.store.size).toBe(10);
});

it('10 a relist without a size of pages is one in pages of 500', async () => {
  const { clock, server } = await play([list(10), expires, list(10), watch()]);
  await clock.advance(2_000);
  expect(server.asked[2]).toBe('LIST rv=10 NotOlderThan limit=500');
});

it('11 where the list at version 0 comes in pages, a relist does, too', async () => {
  const { clock, server } = await play([
    page(10, 'two', pod('a', 5)),
    list(10, pod('b', 5)),
    expires,
    list(10, pod('a', 5), pod('b', 5)),
    watch(),
  ]);
  await clock.advance(2_000);
  expect(server.asked).toEqual([
    'LIST rv=0 limit=500',
    'LIST limit=500 continue=two',
    'WATCH rv=10',
    'LIST rv=10 NotOlderThan limit=500',
    'WATCH rv=10',
  ]);
});

/** The versions of the lists, '' for none. */
const listedAt = (requests: readonly { type: string; query: Readonly<Record<string, string>> }[]): string[] =>
  requests.flatMap(({ type, query }) => (type === 'LIST' ? [query.resourceVersion ?? ''] : []));

it('12 the second list is at the version of the first', async () => {
  const { clock, server } = await play([list(10), expires, list(10), watch()]);
  await clock.advance(2_000);
  expect(listedAt(server.requests)).toEqual(['0', '10']);
});

it('13 a list that is expired is done again at once, with no version', async () => {
  const { clock, server, told } = await play([
    list(10, pod('a', 5)),
    expires,
    refuse('LIST', 410, 'Expired'),
    list(20, pod('a', 5)),
    watch(),
  ]);
  await clock.advance(2_000);
  expect(listedAt(server.requests)).toEqual(['0', '10', '']);
  expect(told).toEqual(['add a@5 initial', 'synced']);
});

it('14 a page that is expired begins the list again, the second time without a limit', async () => {
  const { clock, server, informer } = await play([
    list(10),
    expires,
    page(10, 'two', pod('a', 5)),
    refuse('LIST', 410, 'Expired'),
    page(10, 'two', pod('a', 5)),
    refuse('LIST', 410, 'Expired'),
    list(10, pod('a', 5), pod('b', 6)),
    watch(),
  ]);
  await clock.advance(2_000);
  expect(server.asked.slice(2, -1)).toEqual([
    'LIST rv=10 NotOlderThan limit=500',
    'LIST limit=500 continue=two',
    'LIST rv=10 NotOlderThan limit=500',
    'LIST limit=500 continue=two',
    'LIST rv=10 NotOlderThan',
  ]);
  expect(heldIn(informer.store)).toEqual(['a@5', 'b@6']);
});

it('15 a version that is too large, however the server says so, leads to a list with none', async () => {
  const message = 'Too large resource version: 20, current: 10';
  const { clock, server } = await play([
    list(20),
    expires,
    refuse('LIST', 504, 'Timeout', TOO_LARGE),
    list(30),
    expires,
    refuse('LIST', 504, 'Timeout', { details: { causes: [{ message: 'Too large resource version' }] } }),
    list(40),
    expires,
    refuse('LIST', 504, 'Timeout', { message }),
    list(50),
    watch(),
  ]);
  await clock.advance(6_000);
  expect(listedAt(server.requests)).toEqual(['0', '20', '', '30', '', '40', '']);
});

it.each([
  [undefined, 300, 599],
  [1, 1, 1],
  [1_800, 1_800, 3_599],
])('16 watches of %s s end by themselves after %d to %d s, at random', async (watchTimeout, least, most) => {
  const asked: (string | undefined)[] = [];
  for (const chance of [0, 0.9999]) {
    const { server } = await play([list(1), watch()], { watchTimeout, random: () => chance });
    asked.push(server.requests[1]?.query.timeoutSeconds);
  }
  expect(asked).toEqual([String(least), String(most)]);
});

it('17 the version is that of each event and bookmark, one after the other', async () => {
  const { clock, server, informer } = await play([list(5), watch()]);
  const versions: (string | undefined)[] = [];
  for (const event of [added(pod('a', 10)), modified(pod('a', 20)), deleted(pod('a', 30)), bookmark(40)]) {
    server.send(event);
    await clock.settle();
    versions.push(informer.resourceVersion);
  }
  expect(versions).toEqual(['10', '20', '30', '40']);
});

it('18 an object that the server cannot read any more is gone with the list that follows', async () => {
  const { clock, server, informer, told } = await play([
    list(3, pod('a', 1), pod('damaged', 2)),
    watch(after(2_000), errorEvent(500, 'StorageReadError'), end()),
    list(5, pod('a', 1)),
    watch(),
  ]);
  await clock.advance(2_000 + 800);
  expect(server.asked.slice(2)).toEqual(['LIST rv=3 NotOlderThan limit=500', 'WATCH rv=5']);
  expect(told.at(-1)).toBe('delete damaged@2 finalStateUnknown');
  expect(informer.resourceVersion).toBe('5');
});

it('19 what a streaming list and its watch bring is transformed once each', async () => {
  const transform = jest.fn((draft: KubernetesObject) => {
    draft.metadata = { ...draft.metadata, labels: { seen: 'yes' } };
  });
  const { notifications } = await play<KubernetesObject>(
    [stream(added(pod('a', 1)), added(pod('b', 2)), initialEnd(2), modified(pod('a', 3)))],
    { streaming: true, transform },
  );
  expect(notifications.map(({ object }) => object.metadata?.labels)).toEqual(Array(3).fill({ seen: 'yes' }));
  expect(transform).toHaveBeenCalledTimes(3);
});

it('20 a watch that ends before it said anything is too short, and waited for', async () => {
  const { clock, server, errors } = await play([list(1), watch(end()), watch()]);
  expect(errors).toEqual(['SHORT_WATCH']);
  await clock.advance(799);
  expect(server.asked).toHaveLength(2);
  await clock.advance(1);
  expect(server.asked).toHaveLength(3);
});

it('20 (stopped before) who has left hears of no such failure', async () => {
  const { clock, errors, unsubscribe } = await play([list(1), watch(after(500), end())]);
  unsubscribe();
  await clock.advance(1_000);
  expect(errors).toEqual([]);
});

it('21 events in any order of versions count; a Table, or an object of another kind, does not', async () => {
  const { informer, problems } = await play([
    list(10, pod('foo', 5), pod('bar', 6)),
    watch(
      line({
        type: 'ADDED',
        object: { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, rows: [] },
      }),
      deleted(pod('foo', 20)),
      modified(pod('bar', 55)),
      line({ type: 'ADDED', object: { kind: 'Service', apiVersion: 'v1', ...pod('svc', 56) } }),
      added(pod('baz', 32)),
    ),
  ]);
  expect(heldIn(informer.store)).toEqual(['bar@55', 'baz@32']);
  expect(informer.resourceVersion).toBe('32');
  expect(problems).toEqual(['UNREADABLE', 'UNREADABLE']);
});

it('22 a resync is told at each period, from the cache, and ends nothing', async () => {
  const { clock, server, told } = await play([list(1, pod('a', 1)), watch()], { resync: 1_000 });
  await clock.advance(2_000);
  expect(told.slice(2)).toEqual(['sync a@1', 'sync a@1']);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=1']);
});

it('23 who has had enough before it begins is told nothing, and asks for nothing', async () => {
  const { clock, server, informer } = await play([], { subscribed: false });
  const told: unknown[] = [];
  informer.notifications$.pipe(takeUntil(of('already'))).subscribe((notification) => told.push(notification));
  watching(informer).unsubscribe();
  await clock.advance(60_000);
  expect(told).toEqual([]);
  expect(server.asked).toEqual([]);
});

it.each(['v1', 'v1beta1', 'v2'])(
  '24 a Table of meta.k8s.io/%s is no list, a list of pods is',
  async (version) => {
    const table = { kind: 'Table', apiVersion: `meta.k8s.io/${version}`, metadata: { resourceVersion: '1' } };
    const { clock, told, errors } = await play([
      json('LIST', { ...table, rows: [] }),
      list(2, pod('a', 1)),
      watch(),
    ]);
    expect(errors).toEqual(['UNREADABLE']);
    expect(told).toEqual([]);
    await clock.advance(800);
    expect(told).toEqual(['add a@1 initial', 'synced']);
  },
);

it.each<[boolean, boolean, string[]]>([
  [true, true, ['STREAM']],
  [true, false, ['STREAM', 'LIST rv=0 limit=500', 'WATCH rv=1']],
  [false, true, ['LIST rv=0 limit=500', 'WATCH rv=1']],
  [false, false, ['LIST rv=0 limit=500', 'WATCH rv=1']],
])(
  '25 streaming lists wanted: %s, served: %s; only both makes it one',
  async (streamingList, served, asked) => {
    const paged: Step[] = [list(1), watch()];
    const refused = streamingList ? [refuse('STREAM', 422, 'Invalid'), ...paged] : paged;
    const steps = streamingList && served ? [stream(initialEnd(1))] : refused;
    const options: PlayOptions<KubernetesObject> = { streaming: true, streamingList };
    const { server, told } = await play(steps, options);
    expect(server.asked).toEqual(asked);
    expect(told).toEqual(['synced']);
  },
);

it('26 failures of other kinds count in the row of three; a second of health begins it anew', async () => {
  const failsWell = watch(after(1_500), errorEvent(500, 'InternalError'), end());
  const { clock, server } = await play([
    list(1),
    failsAtOnce,
    failsAtOnce,
    failsWell,
    failsAtOnce,
    watch(cut()),
    list(1),
    watch(),
  ]);
  await clock.advance(60_000);
  expect(server.asked).toEqual([
    'LIST rv=0 limit=500',
    ...Array<string>(5).fill('WATCH rv=1'),
    'LIST rv=1 NotOlderThan limit=500',
    'WATCH rv=1',
  ]);
});
