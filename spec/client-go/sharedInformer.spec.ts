import { type Observable, Subject } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import { createInformerFactory } from '../../src/informer/factory.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import type { Notification } from '../../src/store/notification.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, heldIn, onStage, play, watching } from '../testkit/play.ts';
import { added, late, list, refuse, watch } from '../testkit/steps.ts';

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

it('67 a list that fails is told at once, as the error it is', async () => {
  const { statuses } = await play([refuse('LIST', 403, 'Forbidden', { message: 'Access Denied' })]);
  expect(statuses.find(({ type }) => type === 'error')).toMatchObject({
    error: { code: 'API_STATUS', verb: 'list', status: 403, serverMessage: 'Access Denied' },
    attempt: 1,
  });
});

it('68 who joins while the informer is live gets what there is and what comes; the others notice nothing', async () => {
  const { clock, server, informer, told } = await play([first, watch()]);
  const handled: string[] = [];
  const free$ = new Subject<void>();
  const blocked = informer.notifications$.pipe(
    coalesce(
      ({ type, key }: Notification<KubernetesObject>) => {
        handled.push(`${type} ${key}`);
        return free$;
      },
      { context: informer.context },
    ),
  );
  const { subscription } = courseOf(blocked);
  server.send(added(pod('b', 11)));
  await clock.settle();
  expect(told).toEqual(['add a@1 initial', 'synced', 'add b@11']);
  expect(handled).toEqual(['add default/a']);
  free$.complete();
  expect(handled).toEqual(['add default/a', 'add default/b']);
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
