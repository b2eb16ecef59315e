import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { pod } from '../testkit/objects.ts';
import { heldIn, type PlayOptions, play } from '../testkit/play.ts';
import {
  type Action,
  added,
  after,
  bookmark,
  deleted,
  end,
  initialEnd,
  list,
  modified,
  refuse,
  type Step,
  stream,
  watch,
} from '../testkit/steps.ts';

const playing = (steps: readonly Step[], options: PlayOptions<KubernetesObject> = {}) =>
  play<KubernetesObject>(steps, { streaming: true, ...options });

it.each<[string, Action[], string | undefined]>([
  ['nothing', [], undefined],
  ['an object', [added(pod('a', 1))], undefined],
  ['an object and the mark', [added(pod('a', 1)), initialEnd(2)], '2'],
])('27 the version after %s', async (_, actions, version) => {
  const { informer } = await playing([stream(...actions)]);
  expect(informer.resourceVersion).toBe(version);
});

it('28 without the mark nothing is stored, and nothing else asked for', async () => {
  const { clock, server, informer, told, unsubscribe } = await playing([
    stream(added(pod('a', 1)), added(pod('b', 2))),
  ]);
  await clock.advance(5_000);
  unsubscribe();
  expect(server.asked).toEqual(['STREAM']);
  expect(told).toEqual([]);
  expect(heldIn(informer.store)).toEqual([]);
});

it.each([
  [422, 'Invalid', 0],
  [500, 'InternalError', 800],
])('29 a streaming list that is refused with %d %s is done as a paged one', async (code, reason, wait) => {
  const { clock, server, told } = await playing([
    refuse('STREAM', code, reason),
    list(2, pod('a', 1)),
    watch(),
  ]);
  await clock.advance(wait);
  expect(server.asked).toEqual(['STREAM', 'LIST rv=0 limit=500', 'WATCH rv=2']);
  expect(told).toEqual(['add a@1 initial', 'synced']);
});

it('30 where streaming lists are not wanted none is asked for', async () => {
  const { server } = await playing([list(2, pod('a', 1)), watch()], { streamingList: false });
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=2']);
  for (const { query } of server.requests) expect(query).not.toHaveProperty('sendInitialEvents');
});

it('31 with the mark the objects are in the store, and the same request goes on as the watch', async () => {
  const { clock, server, informer } = await playing([
    stream(added(pod('a', 1)), added(pod('b', 2)), initialEnd(3)),
  ]);
  await clock.advance(60_000);
  expect(heldIn(informer.store)).toEqual(['a@1', 'b@2']);
  expect(informer.resourceVersion).toBe('3');
  expect(informer.live).toBe(true);
  expect(server.asked).toEqual(['STREAM']);
});

it('32 of what changes before the mark only the result is stored and told', async () => {
  const { informer, told } = await playing([
    stream(
      added(pod('a', 1)),
      added(pod('b', 2)),
      modified(pod('a', 3)),
      deleted(pod('b', 4)),
      initialEnd(5),
    ),
  ]);
  expect(heldIn(informer.store)).toEqual(['a@3']);
  expect(told).toEqual(['add a@3 initial', 'synced']);
});

it('33 429 is waited for, and a streaming list asked for again', async () => {
  const busy = refuse('STREAM', 429, 'TooManyRequests');
  const { clock, server, told } = await playing([busy, busy, stream(added(pod('a', 1)), initialEnd(2))]);
  await clock.advance(800 + 1_600);
  expect(server.asked).toEqual(['STREAM', 'STREAM', 'STREAM']);
  expect(told).toEqual(['add a@1 initial', 'synced']);
});

it('34 one that ends before its mark is dropped, and a paged list follows at once', async () => {
  const { server, informer, told } = await playing([
    stream(added(pod('ghost', 1)), end()),
    list(2, pod('a', 1)),
    watch(),
  ]);
  expect(server.asked).toEqual(['STREAM', 'LIST rv=0 limit=500', 'WATCH rv=2']);
  expect(heldIn(informer.store)).toEqual(['a@1']);
  expect(told).toEqual(['add a@1 initial', 'synced']);
});

it('35 after the mark the next request is a plain watch from the last version', async () => {
  const { clock, server } = await playing([
    stream(added(pod('a', 1)), initialEnd(2), added(pod('b', 3)), after(2_000), end()),
    watch(),
  ]);
  await clock.advance(2_000);
  expect(server.asked).toEqual(['STREAM', 'WATCH rv=3']);
  expect(server.requests[1]?.query).not.toHaveProperty('sendInitialEvents');
  expect(server.requests[1]?.query).not.toHaveProperty('resourceVersionMatch');
});

it('36 410 at the next watch is told, and what is held stays until a list is complete', async () => {
  const { clock, server, informer, told, errors } = await playing([
    stream(
      added(pod('p1', 1)),
      added(pod('p2', 2)),
      deleted(pod('p2', 2)),
      initialEnd(2),
      added(pod('p3', 3)),
      after(2_000),
      end(),
    ),
    refuse('WATCH', 410, 'Expired'),
    stream(added(pod('p1', 1)), after(5_000), added(pod('p3', 3)), initialEnd(9)),
  ]);
  await clock.advance(6_000);
  expect(errors).toEqual(['410 Expired']);
  expect(server.asked).toEqual(['STREAM', 'WATCH rv=3', 'STREAM rv=3']);
  expect(heldIn(informer.store)).toEqual(['p1@1', 'p3@3']);
  expect(informer.store.stale).toBe(true);
  await clock.advance(1_000);
  expect(told.slice(2)).toEqual(['add p3@3']);
  expect(informer.resourceVersion).toBe('9');
});

it('37 a bookmark whose annotation is anything but "true" is no mark', async () => {
  const { informer, told, unsubscribe } = await playing([
    stream(
      added(pod('a', 1)),
      bookmark(2, { 'k8s.io/initial-events-end': 'false' }),
      bookmark(3, { 'k8s.io/initial-events-end': 'True' }),
    ),
  ]);
  expect(told).toEqual([]);
  expect(heldIn(informer.store)).toEqual([]);
  unsubscribe();
});

it('38 a mark that does not come is not waited for longer than 10 s of silence, and 60 s in all', async () => {
  const { clock, server } = await playing([stream(added(pod('a', 1))), list(2, pod('a', 1)), watch()]);
  await clock.advance(9_999);
  expect(server.asked).toEqual(['STREAM']);
  await clock.advance(1);
  expect(server.asked[1]).toBe('LIST rv=0 limit=500');

  const busy = Array.from({ length: 20 }, (_, n) => [after(5_000), modified(pod('a', 2 + n))]).flat();
  const other = await playing([stream(added(pod('a', 1)), ...busy), list(30, pod('a', 20)), watch()]);
  await other.clock.advance(59_999);
  expect(other.server.asked).toEqual(['STREAM']);
  await other.clock.advance(1);
  expect(other.server.asked[1]).toBe('LIST rv=0 limit=500');
});
