import { type Observable, throwError, timer } from 'rxjs';
import type { InformerError } from '../../src/errors.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { pod } from '../testkit/objects.ts';
import { heldIn, onStage, play } from '../testkit/play.ts';
import {
  added,
  after,
  bookmark,
  deleted,
  end,
  hangUp,
  list,
  modified,
  refuse,
  silence,
  watch,
} from '../testkit/steps.ts';

const MINUTE = 60_000;

it('C01 a connection that no byte comes from any more is given up, and followed from where it was', async () => {
  const { clock, server, informer, told, errors } = await play(
    [list(100, pod('a', 90)), watch(after(1_000), modified(pod('a', 101))), watch(added(pod('b', 102)))],
    { watchTimeout: 10 },
  );
  await clock.advance(2_000);
  const [dead] = server.sockets;
  await clock.advance(17_000);

  expect(errors).toEqual(['STALLED']);
  expect(dead?.destroyed).toBe(true);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=100', 'WATCH rv=101']);
  expect(told).toEqual(['add a@90 initial', 'synced', 'update a@90->a@101', 'add b@102']);
  expect(heldIn(informer.store)).toEqual(['a@101', 'b@102']);
});

it('C01 without an option the limit is that of the watch and five seconds', async () => {
  const { clock, errors } = await play([list(100), watch(), watch()]);
  await clock.advance(5 * MINUTE);
  expect(errors).toEqual([]);
  await clock.advance(10_000);
  expect(errors).toEqual(['STALLED']);
});

it('C01 an answer that never begins counts as silent, too', async () => {
  const { clock, server, errors } = await play([list(100), silence('WATCH'), watch()], { watchTimeout: 10 });
  await clock.advance(20_000);
  expect(errors).toEqual(['STALLED']);
  expect(server.asked.slice(1)).toEqual(['WATCH rv=100', 'WATCH rv=100']);
});

it('C02 a watch that is busy is not cut', async () => {
  const updates = Array.from({ length: 24 }, (_, i) => [after(5_000), modified(pod('a', 101 + i))]).flat();
  const { clock, server, told, errors } = await play([list(100, pod('a', 90)), watch(...updates)]);
  await clock.advance(2 * MINUTE);

  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=100']);
  expect(told.filter((word) => word.startsWith('update'))).toHaveLength(24);
  expect(errors).toEqual([]);
});

it('C02 each chunk starts the idle time anew, bookmarks and halves of lines among them', async () => {
  const line = JSON.stringify({ type: 'MODIFIED', object: pod('a', 200) });
  const { clock, server, told, errors } = await play(
    [
      list(100, pod('a', 90)),
      watch(
        ...[1, 2, 3, 4].flatMap((i) => [after(12_000), bookmark(100 + i)]),
        after(12_000),
        { type: 'body', bytes: Buffer.from(line.slice(0, 30)) },
        after(12_000),
        { type: 'body', bytes: Buffer.from(`${line.slice(30)}\n`) },
      ),
    ],
    { watchTimeout: 10 },
  );
  await clock.advance(80_000);
  expect(server.asked).toHaveLength(2);
  expect(told).toEqual(['add a@90 initial', 'synced', 'update a@90->a@200']);
  expect(errors).toEqual([]);
});

it('C04 after the machine slept the stream is opened again from the last version', async () => {
  const { clock, server, informer, told } = await play([
    list(100, pod('a', 90), pod('b', 91)),
    watch(after(1_000), modified(pod('a', 101))),
    watch(after(100), deleted(pod('b', 110)), added(pod('c', 111))),
  ]);
  await clock.advance(2_000);
  expect(informer.live).toBe(true);

  clock.jump(5 * MINUTE);
  expect(informer.live).toBe(false);
  await clock.advance(5_000);
  expect(server.asked.slice(1)).toEqual(['WATCH rv=100', 'WATCH rv=101']);
  expect(informer.live).toBe(true);
  await clock.advance(100);
  expect(told.slice(2)).toEqual(['synced', 'update a@90->a@101', 'delete b@110', 'add c@111']);
  expect(heldIn(informer.store)).toEqual(['a@101', 'c@111']);
});

it('C04 (version gone meanwhile) a list makes up for what was missed', async () => {
  const { clock, server, informer, told } = await play([
    list(100, pod('a', 90), pod('b', 91)),
    watch(after(1_000), modified(pod('a', 101))),
    refuse('WATCH', 410, 'Expired'),
    list(120, pod('a', 101), pod('c', 111)),
    watch(),
  ]);
  await clock.advance(2_000);
  clock.jump(5 * MINUTE);
  await clock.advance(5_000);
  expect(server.asked.at(-1)).toBe('WATCH rv=120');
  expect(told.slice(3)).toEqual(['update a@90->a@101', 'delete b@91 finalStateUnknown', 'add c@111']);
  expect(informer.live).toBe(true);
});

it.each([
  ['asked for and not answered', silence('WATCH')],
  ['answered and silent', watch()],
])('C04 (no byte came) a watch that was %s is opened again the same way', async (_, first) => {
  const { clock, server, told } = await play([list(100, pod('a', 90)), first, watch(added(pod('c', 111)))]);
  clock.jump(5 * MINUTE);
  await clock.advance(5_000);
  expect(server.asked.slice(1)).toEqual(['WATCH rv=100', 'WATCH rv=100']);
  expect(told.at(-1)).toBe('add c@111');
});

it('C04 (no byte came) a watch that is closed before its first byte is opened again', async () => {
  const { clock, server, told } = await play([
    list(100, pod('a', 90)),
    hangUp('WATCH'),
    watch(added(pod('c', 111))),
  ]);
  await clock.advance(2_000);
  expect(server.asked.slice(1)).toEqual(['WATCH rv=100', 'WATCH rv=100']);
  expect(told.at(-1)).toBe('add c@111');
});

const swallowed = [modified(pod('a', 101)), modified(pod('a', 102)), added(pod('b', 103))];

it('C06 what a proxy swallowed is told by the next watch, from the version processed last', async () => {
  const { clock, server, told, errors } = await play([
    list(100, pod('a', 90)),
    watch(after(90_000), end()),
    watch(...swallowed.flatMap((action) => [action, after(10)])),
  ]);
  await clock.advance(91_000);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=100', 'WATCH rv=100']);
  expect(told).toEqual([
    'add a@90 initial',
    'synced',
    'update a@90->a@101',
    'update a@101->a@102',
    'add b@103',
  ]);
  expect(errors).toEqual([]);
});

it('C06 (all in one burst) what a proxy held back until it closes is told once', async () => {
  const { clock, server, told, errors } = await play([
    list(100, pod('a', 90)),
    watch(after(90_000), ...swallowed, end()),
    watch(),
  ]);
  await clock.advance(91_000);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=100', 'WATCH rv=103']);
  expect(told.slice(2)).toEqual(['update a@90->a@101', 'update a@101->a@102', 'add b@103']);
  expect(errors).toEqual([]);
});

it('C07 ten minutes without a server are waited for, and visible all the time', async () => {
  const { clock, server, informer, told, errors, statuses } = await play([
    list(100, pod('a', 90), pod('b', 91)),
    watch(),
  ]);
  await clock.advance(5_000);
  await server.refuseConnections();
  await clock.advance(10 * MINUTE);

  expect(heldIn(informer.store)).toEqual(['a@90', 'b@91']);
  expect(informer.live).toBe(false);
  expect(informer.store.stale).toBe(true);
  expect(informer.silence).toBeGreaterThan(9 * MINUTE);
  const waits = statuses.flatMap((status) => (status.type === 'error' ? [status.delay] : []));
  expect(waits.slice(0, 8)).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]);
  expect(new Set(waits.slice(8))).toEqual(new Set([30_000]));
  expect(errors.length).toBeGreaterThan(20);

  server.expect(refuse('WATCH', 410, 'Expired'), list(300, pod('a', 90), pod('c', 250)), watch());
  await server.acceptConnections();
  await clock.advance(30_000);
  expect(told.slice(3)).toEqual(['delete b@91 finalStateUnknown', 'add c@250']);
  expect(informer.live).toBe(true);
  expect(informer.store.stale).toBe(false);
});

it('C07 (retry limit of the user) it fails for good, says so, and can be started again', async () => {
  const stage = await onStage([list(100, pod('a', 90)), watch()]);
  const { clock, server } = stage;
  const notifier = (error: InformerError, failures: number): Observable<unknown> =>
    failures > 3 ? throwError(() => error) : timer(1_000, clock);
  const played = await play<KubernetesObject>([], { stage, retry: { notifier } });
  await server.refuseConnections();
  await clock.advance(MINUTE);

  expect(played.end).toMatchObject({ type: 'failed', error: { reason: 'ECONNREFUSED' } });
  expect(played.informer.phase).toMatchObject({ type: 'failed', error: { reason: 'ECONNREFUSED' } });
  expect(played.statuses.filter(({ type }) => type === 'failed')).toHaveLength(1);
  expect(played.informer.store.stale).toBe(true);

  await server.acceptConnections();
  server.expect(list(200, pod('a', 150)), watch());
  played.informer.start();
  await clock.settle();
  expect(heldIn(played.informer.store)).toEqual(['a@150']);
  expect(played.informer.live).toBe(true);
});
