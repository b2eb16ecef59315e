import { type Observable, Subject } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import { where } from '../../operators/where.ts';
import { createInformerFactory } from '../../src/informer/factory.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import type { Notification } from '../../src/store/notification.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, heldIn, onStage, play, watching } from '../testkit/play.ts';
import { added, after, errorEvent, late, list, modified, refuse, reset, watch } from '../testkit/steps.ts';

const first = list(10, pod('a', 1));

/** How a stream goes on, as text. */
function courseOf(source: Observable<unknown>) {
  const course: string[] = [];
  const subscription = source.subscribe({
    next: (value) => course.push(String(value)),
    error: (error: unknown) => course.push(`error ${(error as Error).message}`),
    complete: () => course.push('complete'),
  });
  atTheEnd(() => subscription.unsubscribe());
  return { course, subscription };
}

/** When one with this resync is told a sync. */
function syncsOf(
  informer: Pick<Informer<KubernetesObject>, 'notifications'>,
  clock: { now(): number },
  resync: number,
) {
  const times: number[] = [];
  const subscription = informer.notifications({ resync }).subscribe(({ type }) => {
    if (type === 'sync') times.push(clock.now());
  });
  atTheEnd(() => subscription.unsubscribe());
  return times;
}

it('64 each subscriber has a resync of its own, or none', async () => {
  const { clock, informer } = await play<KubernetesObject>([first, watch()]);
  const [never, two, three] = [0, 2_000, 3_000].map((resync) => syncsOf(informer, clock, resync));
  await clock.advance(7_000);
  expect([never, two, three]).toEqual([[], [2_000, 4_000, 6_000], [3_000, 6_000]]);
});

it('65 a period counts from the subscription on, before the start or after it, and no other changes with it', async () => {
  const { clock, informer } = await play<KubernetesObject>([first, watch()], {
    subscribed: false,
    resync: 100_000,
  });
  const minute = syncsOf(informer, clock, 60_000);
  informer.start();
  await clock.advance(10_000);
  const [less, seconds] = [syncsOf(informer, clock, 55_000), syncsOf(informer, clock, 5_000)];
  await clock.advance(60_000);
  expect(minute).toEqual([60_000]);
  expect(less).toEqual([65_000]);
  expect(seconds).toHaveLength(12);
  const { told } = watching(informer);
  await clock.advance(30_000);
  expect(told.filter((each) => each.startsWith('sync'))).toHaveLength(1);
});

it('66 what only a list shows is told as a change, to who has a resync and to who has none', async () => {
  const { clock, informer } = await play([
    list(10, pod('a', 1), pod('b', 2)),
    watch(after(1_000), reset()),
    watch(errorEvent(410, 'Expired')),
    list(20, pod('a', 1), pod('b', 12), pod('c', 13)),
    watch(),
  ]);
  const without = watching(informer);
  const with1 = watching({
    status$: informer.status$,
    notifications$: informer.notifications({ resync: 1_000 }),
  });
  await clock.advance(1_999);
  const changes = ['update b@2->b@12', 'add c@13'];
  expect(without.told.slice(2)).toEqual(changes);
  expect(with1.told.slice(2)).toEqual(['sync a@1', 'sync b@2', ...changes]);
  await clock.advance(1);
  expect(with1.told.slice(6)).toEqual(['sync a@1', 'sync b@12', 'sync c@13']);
  expect(without.told).toHaveLength(4);
});

it('67 a list that fails is told at once, as the error it is', async () => {
  const { statuses } = await play([refuse('LIST', 403, 'Forbidden', { message: 'Access Denied' })]);
  expect(statuses.find(({ type }) => type === 'error')).toMatchObject({
    error: { code: 'API_STATUS', verb: 'list', status: 403, serverMessage: 'Access Denied' },
    attempt: 1,
  });
});

it('68 who joins while the informer is live gets what there is and what comes; the others notice nothing', async () => {
  const { clock, server, informer, told } = await play([list(10, pod('a', 1), pod('b', 2)), watch()]);
  const handled: string[] = [];
  const free$ = new Subject<void>();
  let synced = false;
  const blocked = informer.notifications({ onSynced: () => (synced = true) }).pipe(
    coalesce(
      ({ type, key }: Notification<KubernetesObject>) => {
        handled.push(`${type} ${key}`);
        return free$;
      },
      { context: informer.context },
    ),
  );
  const { subscription } = courseOf(blocked);
  server.send(added(pod('c', 11)));
  await clock.settle();
  expect(told).toEqual(['add a@1 initial', 'add b@2 initial', 'synced', 'add c@11']);
  expect([handled, synced]).toEqual([['add default/a'], false]);
  free$.complete();
  expect(handled).toEqual(['add default/a', 'add default/b', 'add default/c']);
  expect(synced).toBe(true);
  subscription.unsubscribe();
});

it('69 who leaves is told nothing more, and whoever stays is told everything', async () => {
  const { clock, server, informer, told } = await play([first, watch()]);
  const left = watching(informer);
  left.unsubscribe();
  server.send(added(pod('b', 11)));
  await clock.settle();
  expect(left.told).toEqual(['add a@1 initial']);
  expect(told.at(-1)).toBe('add b@11');
});

it('70 one handler that subscribes twice is told twice, and leaves one by one', async () => {
  const { clock, server, informer } = await play([first, watch()], { subscribed: false });
  const calls: string[] = [];
  const handler = ({ key }: { key: string }): unknown => calls.push(key);
  const one = informer.notifications$.subscribe(handler);
  const two = informer.notifications$.subscribe(handler);
  await clock.settle();
  expect(calls).toEqual(['default/a', 'default/a']);
  one.unsubscribe();
  server.send(added(pod('b', 11)));
  await clock.settle();
  expect(calls.slice(2)).toEqual(['default/b']);
  two.unsubscribe();
  await clock.settle();
  expect(informer.phase).toEqual({ type: 'stopped' });
});

it('71 leaving twice is leaving once', async () => {
  const { clock, server, informer, told } = await play([first, watch()]);
  const left = watching(informer);
  left.unsubscribe();
  left.unsubscribe();
  server.send(added(pod('b', 11)));
  await clock.settle();
  expect(informer.live).toBe(true);
  expect(told.at(-1)).toBe('add b@11');
});

it('72 who joins after the stop begins it anew, with a list; who leaves then does nothing', async () => {
  const { clock, server, informer, unsubscribe } = await play([first, watch(), first, watch()]);
  informer.stop();
  await clock.settle();
  unsubscribe();
  expect(informer.phase).toEqual({ type: 'stopped' });
  const { told } = watching(informer);
  await clock.settle();
  expect(told).toEqual(['add a@1 initial', 'synced']);
  expect(server.asked.slice(2)).toEqual(['LIST rv=10 NotOlderThan limit=500', 'WATCH rv=10']);
});

it('73 a handler that throws each time is given everything, without a pause, and the informer is in sync', async () => {
  const { clock, informer, problems, told } = await play([
    late(1_000, list(10, pod('a', 1), pod('b', 2), pod('c', 3))),
    watch(),
  ]);
  const handled: string[] = [];
  courseOf(
    informer.notifications$.pipe(
      coalesce(
        ({ key }: Notification<KubernetesObject>) => {
          handled.push(key);
          throw new Error('again');
        },
        { context: informer.context },
      ),
    ),
  );
  await clock.advance(1_000);
  expect(handled).toEqual(['default/a', 'default/b', 'default/c']);
  expect(problems).toEqual(Array(3).fill('USER_FUNCTION'));
  expect(told.at(-1)).toBe('synced');
});

/** A handler that takes as long as it takes. */
async function withHandlerAtWork() {
  const { clock, informer } = await play([first, watch()]);
  const done: string[] = [];
  let finish: (error?: Error) => void = () => undefined;
  const work = ({ key }: Notification<KubernetesObject>): Promise<string> =>
    new Promise((resolve, reject) => {
      finish = (error) => {
        done.push(key);
        if (error === undefined) resolve(key);
        else reject(error);
      };
    });
  const handled = courseOf(informer.notifications$.pipe(coalesce(work, { context: informer.context })));
  await clock.settle();
  return { ...handled, clock, informer, done, finish: (error?: Error) => finish(error) };
}

it('74 who leaves while its handler is at work leaves at once; the handler ends, well or not, unheard', async () => {
  const { clock, course, done, finish, subscription } = await withHandlerAtWork();
  subscription.unsubscribe();
  finish(new Error('too late'));
  await clock.settle();
  expect(done).toEqual(['default/a']);
  expect(course).toEqual([]);
});

it('74 (stopped) the stream of a handler completes when that has ended its work', async () => {
  const { clock, course, finish, informer } = await withHandlerAtWork();
  informer.stop();
  await clock.settle();
  expect(course).toEqual([]);
  finish();
  await clock.settle();
  expect(course).toEqual(['default/a', 'complete']);
});

it('74 (never started) who has left before it begins has left', async () => {
  const { server, informer } = await play([], { subscribed: false });
  const { course, subscription } = courseOf(informer.notifications$);
  subscription.unsubscribe();
  informer.stop();
  expect(course).toEqual([]);
  expect(server.asked).toEqual([]);
});

it('75 an index given at the start knows what came later, one added while running is complete at once', async () => {
  const byTeam = ({ metadata }: KubernetesObject): string[] => [metadata?.labels?.team ?? ''];
  const { clock, server, informer } = await play<KubernetesObject>([first, watch()], {
    indexers: { team: byTeam },
  });
  server.send(
    added(pod('b', 11, { labels: { team: 'red' } })),
    added(pod('c', 12, { labels: { team: 'blue' } })),
  );
  await clock.settle();
  expect(informer.store.byIndex('team', 'red').map(({ name }) => name)).toEqual(['b']);
  informer.store.addIndexers({ letter: ({ metadata }) => [metadata?.name === 'a' ? 'a' : 'b'] });
  expect(informer.store.indexValues('letter').sort()).toEqual(['a', 'b']);
  expect(informer.store.byIndex('letter', 'b').map(({ name }) => name)).toEqual(['b', 'c']);
});

it('76 handlers see what the transform makes of each object', async () => {
  const { informer, told } = await play<KubernetesObject>(
    [list(10, pod('pod1', 1)), watch(added(pod('pod2', 11)))],
    {
      transform: (draft: KubernetesObject) => {
        draft.metadata = { ...draft.metadata, name: draft.metadata?.name?.toUpperCase() ?? '' };
      },
    },
  );
  expect(told).toEqual(['add POD1@1 initial', 'synced', 'add POD2@11']);
  expect(heldIn(informer.store)).toEqual(['POD1@1', 'POD2@11']);
});

it('76 (its state) it is stopped, then runs, then is stopped', async () => {
  const { clock, informer } = await play([first, watch()], { subscribed: false });
  expect(informer.phase.type).toBe('stopped');
  informer.start();
  await clock.settle();
  expect(informer.phase.type).toBe('live');
  informer.stop();
  expect(informer.phase.type).toBe('stopped');
});

it('76 (another transform) who shares an informer cannot give it another transform', async () => {
  const { clock, server } = await onStage([]);
  const informers = createInformerFactory(server.cluster, { scheduler: clock });
  informers.for('v1', 'Pod');
  expect(() => informers.for('v1', 'Pod', { transform: () => undefined })).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION', option: 'transform' }) as Error,
  );
});

it('83 who follows the objects that match is told when they come to match and no longer do', async () => {
  const web = { labels: { app: 'web' } };
  const { server, clock, informer } = await play([list(10, pod('a', 1), pod('b', 2, web)), watch()]);
  const matching$ = informer.notifications$.pipe(
    where(({ meta }) => meta.labels?.['app'] === 'web', { context: informer.context }),
  );
  const { told } = watching({ status$: informer.status$, notifications$: matching$ });
  server.send(
    modified(pod('a', 11)),
    modified(pod('a', 12, web)),
    modified(pod('a', 13, web)),
    modified(pod('a', 14)),
  );
  await clock.settle();
  expect(told).toEqual(['add b@2 initial', 'add a@12', 'update a@12->a@13', 'delete a@13']);
});
