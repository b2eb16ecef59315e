import { firstValueFrom } from 'rxjs';
import { syncedWithin } from '../../operators/syncedWithin.ts';
import type { SyncTimeoutError } from '../../src/errors.ts';
import { pod } from '../testkit/objects.ts';
import { heldIn, onStage, type Played, play } from '../testkit/play.ts';
import {
  added,
  after,
  end,
  errorEvent,
  initialEnd,
  list,
  page,
  refuse,
  stream,
  watch,
} from '../testkit/steps.ts';

const FIELDS = 'metadata.name!=é+%,spec.nodeName=n 1&limit\\=3';
const LABELS = 'app in (x, y),!canary,k8s.io/tier=web';

it('C29 list, pages, watches, looks and relists all carry the same selectors', async () => {
  const { clock, server, informer, told } = await play(
    [
      page(100, 'more', pod('a', 90)),
      list(100),
      watch(after(300_000), end()),
      list(100, pod('a', 90)),
      watch(after(5_000), errorEvent(410, 'Expired'), end()),
      list(200, pod('a', 90)),
      watch(),
    ],
    { labelSelector: LABELS, fieldSelector: FIELDS },
  );
  await clock.advance(306_000);
  expect(server.requests.map(({ type }) => type)).toEqual([
    'LIST',
    'LIST',
    'WATCH',
    'LIST',
    'WATCH',
    'LIST',
    'WATCH',
  ]);
  const [first] = server.requests;
  expect(first?.query.fieldSelector).toBe(FIELDS);
  for (const { query, path } of server.requests) {
    expect([query.labelSelector, query.fieldSelector]).toEqual([first?.query.labelSelector, FIELDS]);
    expect(path).toBe('/api/v1/pods');
  }
  expect(first?.query.labelSelector?.replaceAll(' ', '')).toBe('!canary,appin(x,y),k8s.io/tier=web');
  expect(told).toEqual(['add a@90 initial', 'synced']);
  expect(heldIn(informer.store)).toEqual(['a@90']);
});

it('C29 the streaming list, too', async () => {
  const { clock, server } = await play(
    [stream(added(pod('a', 90)), initialEnd(100), after(1_500), end()), watch()],
    {
      streaming: true,
      labelSelector: { matchLabels: { app: 'x' } },
    },
  );
  await clock.advance(1_500);
  expect(server.asked).toEqual(['STREAM', 'WATCH rv=100']);
  for (const { query } of server.requests) expect(query.labelSelector).toBe('app=x');
});

it('C59 a list and its watches have one address', async () => {
  const { clock, server } = await play(
    [list(100, pod('a', 90)), watch(after(5_000), errorEvent(410), end()), list(200), watch()],
    { namespace: 'ns1' },
  );
  await clock.advance(5_000);
  expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set(['/api/v1/namespaces/ns1/pods']));
});

it('C59 a watch that is forbidden says so, and is not hidden by lists', async () => {
  const forbidden = refuse('WATCH', 403, 'Forbidden', { message: 'pods is forbidden' });
  const { clock, server, informer, told, statuses } = await play([
    list(100, pod('a', 90)),
    forbidden,
    forbidden,
    forbidden,
    forbidden,
  ]);
  await clock.advance(100_000);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', ...Array<string>(4).fill('WATCH rv=100')]);
  const errors = statuses.flatMap((status) => (status.type === 'error' ? [status] : []));
  expect(errors).toHaveLength(4);
  for (const { error, delay } of errors) {
    expect(error).toMatchObject({ status: 403, verb: 'watch', path: '/api/v1/pods', terminal: false });
    expect(error.message).toContain('pods is forbidden');
    expect(delay).toBe(30_000);
  }
  expect(informer.live).toBe(false);
  expect(told).toEqual(['add a@90 initial', 'synced']);
});

it('C60 what is forbidden at first says so at once, and is in sync as soon as it is allowed', async () => {
  const forbidden = refuse('LIST', 403, 'Forbidden');
  const stage = await onStage([forbidden, forbidden, list(50, pod('a', 40)), watch()]);
  const x: Played<unknown> = await play([], { stage });
  expect(x.statuses.find(({ type }) => type === 'error')).toMatchObject({
    error: { status: 403, verb: 'list', path: '/api/v1/pods' },
    delay: 30_000,
  });
  expect(x.errors).toEqual(['403 Forbidden']);
  expect(x.told).toEqual([]);

  // Another informer on another server goes its own way.
  const y = await play([list(10, pod('y', 9)), watch()]);
  expect(y.told).toEqual(['add y@9 initial', 'synced']);

  let rejected: unknown;
  const both = { x: x.informer, y: y.informer };
  syncedWithin(10_000, both, { context: x.informer.context }).subscribe({
    error: (error: unknown) => (rejected = error),
  });
  await x.clock.advance(10_000);
  expect(rejected).toMatchObject({
    code: 'SYNC_TIMEOUT',
    missing: { x: { state: 'waiting', delay: 30_000, lastError: { code: 'API_STATUS' } } },
    message: expect.stringMatching(
      /10 s: x \(it waits 30 s after failure 1: list \/api\/v1\/pods: 403 Forbidden/,
    ) as string,
  });
  expect(Object.keys((rejected as SyncTimeoutError).missing)).toEqual(['x']);

  await x.clock.advance(50_000);
  await expect(firstValueFrom(syncedWithin(10_000, both))).resolves.toBeUndefined();
  expect(x.informer.lastError).toBeUndefined();
  expect(x.server.requests.map(({ at }) => at)).toEqual([0, 30_000, 60_000, 60_000]);
  expect(x.told).toEqual(['add a@40 initial', 'synced']);
});
