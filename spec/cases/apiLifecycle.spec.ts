import { failure, pod } from '../testkit/objects.ts';
import { heldIn, play } from '../testkit/play.ts';
import {
  added,
  after,
  body,
  deleted,
  end,
  errorEvent,
  json,
  list,
  refuse,
  resources,
  type Step,
  watch,
} from '../testkit/steps.ts';

const WIDGET = { apiVersion: 'example.com/v1', kind: 'Widget' } as const;
const PATH = { resource: { plural: 'widgets', namespaced: true } } as const;
const NOT_FOUND = '404 page not found\n';
const widgets = resources('example.com/v1', { name: 'widgets', kind: 'Widget', namespaced: true });

it.each([
  ['list', { ...WIDGET, ...PATH }, body('LIST', NOT_FOUND, 404), []],
  ['discovery', WIDGET, body('GET', NOT_FOUND, 404), [widgets]],
  ['discovery without the kind', WIDGET, resources('example.com/v1'), [widgets]],
] as const)('C36 a kind that is not installed yet is waited for (%s)', async (_, options, missing, found) => {
  const { clock, server, told, statuses } = await play(
    [missing, missing, ...found, list(10), watch(after(1_000), added(pod('a', 11)))],
    options,
  );
  expect(told).toEqual([]);
  await clock.advance(62_000);
  const errors = statuses.flatMap((status) => (status.type === 'error' ? [status] : []));
  expect(errors).toHaveLength(2);
  for (const { error, delay } of errors) {
    expect(error.terminal).toBe(false);
    expect(error.message).toMatch(/404|knows no kind/);
    expect(delay).toBe(30_000);
  }
  expect(server.requests.slice(0, 3).map(({ at }) => at)).toEqual([0, 30_000, 60_000]);
  expect(told).toEqual(['synced', 'add a@11']);
});

it('C37 a kind that is removed and comes back', async () => {
  const gone = (type: 'WATCH' | 'LIST'): Step => body(type, NOT_FOUND, 404);
  const { clock, server, informer, told } = await play(
    [
      list(100, pod('a', 90), pod('b', 91)),
      watch(after(5_000), deleted(pod('a', 101)), deleted(pod('b', 102)), end()),
      gone('WATCH'),
      gone('LIST'),
      list(500, pod('a', 499, { uid: 'U9' })),
      watch(),
    ],
    { ...WIDGET, ...PATH },
  );
  await clock.advance(5_000);
  expect(told.slice(3)).toEqual(['delete a@101', 'delete b@102']);
  expect(informer.store.size).toBe(0);
  await clock.advance(60_000);
  expect(server.requests.slice(2).map(({ at }) => at)).toEqual([5_000, 35_000, 65_000, 65_000]);
  expect(told.slice(5)).toEqual(['add a@499']);
  expect(informer.store.get('default/a')?.uid).toBe('U9');
});

it('C37 its owner can stop this informer alone, in the report itself', async () => {
  const { clock, server, informer, ...seen } = await play([
    list(100),
    watch(after(5_000), end()),
    refuse('WATCH', 404),
  ]);
  const other = await play([list(10), watch(after(60_000), added(pod('y', 11)))]);
  informer.status$.subscribe((status) => {
    if (status.type === 'error') informer.stop();
  });
  await clock.advance(100_000);
  await other.clock.advance(100_000);
  expect(server.asked).toHaveLength(3);
  expect(informer.phase).toEqual({ type: 'stopped' });
  expect(other.told).toEqual(['synced', 'add y@11']);
  expect(seen).toBeDefined();
});

it('C37 without DELETED events the store is kept, as stale, until there is a good list', async () => {
  const { clock, informer, told } = await play([
    list(100, pod('a', 90)),
    watch(after(5_000), end()),
    refuse('WATCH', 404),
    refuse('LIST', 404),
    list(500),
    watch(),
  ]);
  await clock.advance(64_000);
  expect(heldIn(informer.store)).toEqual(['a@90']);
  expect(informer.store.stale).toBe(true);
  await clock.advance(1_000);
  expect(told.slice(2)).toEqual(['delete a@90 finalStateUnknown']);
  expect(informer.store.stale).toBe(false);
});

const WEBHOOK = [
  500,
  'InternalError',
  { message: 'conversion webhook for example.com/v1, Kind=Widget failed' },
] as const;

it.each([
  ['in answer', refuse('WATCH', ...WEBHOOK)],
  ['in the stream', watch(errorEvent(...WEBHOOK), end())],
])('C39 while a conversion webhook fails (%s) nothing is deleted', async (_, failing) => {
  const { clock, server, informer, told, statuses } = await play(
    [
      list(100, pod('a', 90), pod('b', 91)),
      watch(after(5_000), end()),
      failing,
      failing,
      failing,
      refuse('LIST', ...WEBHOOK),
      refuse('LIST', ...WEBHOOK),
      list(300, pod('a', 90), pod('b', 91)),
      watch(),
    ],
    { ...WIDGET, ...PATH },
  );
  await clock.advance(120_000);
  const errors = statuses.flatMap((status) => (status.type === 'error' ? [status] : []));
  expect(errors.map(({ delay }) => delay)).toEqual([800, 1_600, 3_200, 6_400, 12_800]);
  for (const { error } of errors) {
    expect(error).toMatchObject({ status: 500, terminal: false });
    expect(error.message).toContain('conversion webhook for example.com/v1');
  }
  expect(heldIn(informer.store)).toEqual(['a@90', 'b@91']);
  expect(told).toEqual(['add a@90 initial', 'add b@91 initial', 'synced']);
  expect(server.asked.at(-1)).toBe('WATCH rv=300');
});

const METRICS = {
  apiVersion: 'metrics.k8s.io/v1beta1',
  kind: 'PodMetrics',
  resource: { plural: 'pods', namespaced: true },
} as const;
const usage = (name: string, cpu: string): object => ({ metadata: { name, namespace: 'default' }, cpu });
const metrics = (...items: object[]): Step => json('LIST', { kind: 'PodMetricsList', metadata: {}, items });

it('C40 what has no versions cannot be watched: one terminal error that says so', async () => {
  const played = await play([metrics(usage('a', '1'))], METRICS);
  const { clock, server, statuses } = played;
  await clock.advance(100_000);
  expect(server.asked).toEqual(['LIST rv=0 limit=500']);
  expect(played.end).toMatchObject({
    type: 'failed',
    error: { code: 'WATCH_NOT_SUPPORTED', terminal: true },
  });
  expect(statuses.filter(({ type }) => type === 'error')).toHaveLength(1);
});

it('C40 the same where a watch is answered with 405', async () => {
  const played = await play([list(10, pod('a', 9)), refuse('WATCH', 405, 'MethodNotAllowed')]);
  await played.clock.advance(100_000);
  expect(played.end).toMatchObject({ error: { code: 'WATCH_NOT_SUPPORTED', terminal: true } });
  expect(played.end).toMatchObject({ error: { message: expect.stringContaining('405') as string } });
  expect(played.errors).toHaveLength(1);
  expect(played.server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=10']);
});

it('C40 (polled) adds, changes of content and absences are told', async () => {
  const { clock, server, told } = await play(
    [
      metrics(usage('a', '1'), usage('b', '1')),
      metrics(usage('a', '1'), usage('b', '2')),
      json('LIST', failure(500), 500),
      metrics(usage('a', '1')),
    ],
    { ...METRICS, poll: 30_000 },
  );
  await clock.advance(60_000 + 800);
  expect(told.map((word) => word.replaceAll('@', ''))).toEqual([
    'add a initial',
    'add b initial',
    'synced',
    'update b->b',
    'delete b finalStateUnknown',
  ]);
  expect(server.asked.join()).not.toMatch(/undefined|null|NaN/);
  expect(server.requests.map(({ at }) => at)).toEqual([0, 30_000, 60_000, 60_800]);
});
