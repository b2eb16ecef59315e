import { config, map, timer } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import type { Notification } from '../../src/store/notification.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, onStage, play, until, watching } from '../testkit/play.ts';
import { added, after, deleted, list, modified, reset, watch } from '../testkit/steps.ts';

it('C62 handlers that throw or reject get everything, are reported, and hurt nobody', async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown): unknown => unheard.push(error);
  process.on('unhandledRejection', hear);
  const rethrown: unknown[] = [];
  config.onUnhandledError = (error) => rethrown.push(error);
  atTheEnd(() => (config.onUnhandledError = null));

  const stage = await onStage([
    list(100, pod('a', 90), pod('b', 91), pod('c', 92)),
    watch(after(5_000), reset()),
    watch(modified(pod('c', 101))),
  ]);
  const played = await play<KubernetesObject>([], { stage, subscribed: false });
  const { informer, clock } = played;
  const h1: string[] = [];
  const handled = informer.notifications$
    .pipe(
      coalesce(
        ({ key, type }: Notification<KubernetesObject>) => {
          h1.push(`${type} ${key}`);
          if (key === 'default/a') throw new Error('a is not liked');
          return key === 'default/b' ? Promise.reject(new Error('nor is b')) : Promise.resolve();
        },
        { context: informer.context },
      ),
    )
    .subscribe();
  atTheEnd(() => handled.unsubscribe());
  const h2 = watching(informer);
  informer.status$.subscribe((status) => {
    if (status.type === 'error') throw new Error('the error handler fails, too');
  });
  await clock.advance(10_000);

  expect(h1).toEqual(['add default/a', 'add default/b', 'add default/c', 'update default/c']);
  expect(h2.told).toEqual([
    'add a@90 initial',
    'add b@91 initial',
    'add c@92 initial',
    'synced',
    'update c@92->c@101',
  ]);
  expect(h2.statuses.filter(({ type }) => type === 'problem')).toMatchObject([
    { error: { code: 'USER_FUNCTION', where: 'handler', key: 'default/a' } },
    { error: { code: 'USER_FUNCTION', where: 'handler', key: 'default/b' } },
  ]);
  expect(h2.errors).toEqual(['CUT']);
  await until(clock, () => rethrown.length > 0);
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});

it('C62 what fails in a handler that was given no context becomes a warning of the process', async () => {
  const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
  atTheEnd(() => warn.mockRestore());
  const { informer } = await play([list(100, pod('a', 90)), watch()]);
  const fails = (): never => {
    throw new Error('not liked');
  };
  const handled = informer.notifications$.pipe(coalesce(fails)).subscribe();
  atTheEnd(() => handled.unsubscribe());
  expect(warn.mock.calls).toEqual([
    ['handler failed for default/a: not liked', { type: 'UserFunctionError', code: 'USER_FUNCTION' }],
  ]);
});

it('C63 a slow handler holds nobody back: what waits for it is merged, and bounded by the keys', async () => {
  const names = Array.from({ length: 100 }, (_, i) => `p${i}`);
  const rounds = Array.from({ length: 60 }, (_, round) => [
    after(1_000),
    ...names.map((name, i) => modified(pod(name, 101 + round * 100 + i))),
  ]).flat();
  const stage = await onStage([list(100, ...names.map((name) => pod(name, 1))), watch(...rounds)]);
  const { informer, clock } = await play<KubernetesObject>([], { stage, subscribed: false });
  let running = 0;
  let most = 0;
  const calls: Notification<KubernetesObject>[] = [];
  const seenOf = new Map<string, string | undefined>();
  const slow = informer.notifications$
    .pipe(
      coalesce((notification) => {
        running += 1;
        most = Math.max(most, running);
        calls.push(notification);
        return timer(200, clock).pipe(map(() => (running -= 1)));
      }),
    )
    .subscribe();
  atTheEnd(() => slow.unsubscribe());
  const fast = watching(informer);

  for (let second = 1; second <= 60; second += 1) {
    await clock.advance(1_000);
    expect(informer.resourceVersion).toBe(String(100 + second * 100));
  }
  expect(fast.told).toHaveLength(100 + 1 + 6_000);
  expect(calls.length).toBeLessThanOrEqual(301);
  // No more waits than one notification a key.
  await clock.advance(101 * 200);
  expect(running).toBe(0);
  expect(most).toBe(1);
  expect(calls.length).toBeLessThanOrEqual(301 + 101);
  for (const notification of calls) {
    const { key, entry } = notification;
    if (notification.type === 'update') expect(notification.oldEntry.resourceVersion).toBe(seenOf.get(key));
    seenOf.set(key, entry.resourceVersion);
  }
  expect([...seenOf.values()]).toEqual(names.map((_, i) => String(6_001 + i)));
});

it('C65 an object that was handed out cannot be changed', async () => {
  interface Imaged extends KubernetesObject {
    image: string;
    spec: { containers: { image: string }[] };
  }
  const withImage = (version: number, image: string): Imaged => ({
    ...pod('a', version, { labels: { app: 'x' } }),
    image,
    spec: { containers: [{ image }] },
  });
  const stage = await onStage([
    list(100, withImage(90, 'x')),
    watch(after(1_000), modified(withImage(101, 'z'))),
  ]);
  const { informer, clock } = await play<Imaged>([], { stage, subscribed: false });
  const thrown: unknown[] = [];
  const h1 = informer.notifications$.subscribe(({ object, meta }) => {
    for (const write of [
      () => (object.image = 'y'),
      () => (meta.name = 'y'),
      () => Object.assign(meta.labels ?? {}, { app: 'y' }),
      () => object.spec.containers.pop(),
      () => Object.assign(object.spec.containers[0] ?? {}, { image: 'y' }),
      () => Object.assign(object.metadata ?? {}, { labels: {} }),
    ]) {
      try {
        write();
      } catch (error) {
        thrown.push(error);
      }
    }
  });
  atTheEnd(() => h1.unsubscribe());
  const images: unknown[] = [];
  const h2 = informer.notifications$.subscribe((notification) => {
    images.push(
      notification.type === 'update'
        ? [notification.old.image, notification.object.image]
        : notification.object.image,
    );
  });
  atTheEnd(() => h2.unsubscribe());
  await clock.settle();
  expect(informer.store.get('default/a')?.object).toMatchObject({
    image: 'x',
    metadata: { name: 'a', labels: { app: 'x' } },
    spec: { containers: [{ image: 'x' }] },
  });
  await clock.advance(1_000);
  expect(thrown).toHaveLength(12);
  expect(thrown.every((error) => error instanceof TypeError)).toBe(true);
  expect(images).toEqual(['x', ['x', 'z']]);
});

it('C66 who joins late gets what there is, then what changes, without gap or repetition', async () => {
  const played = await play([
    list(100, pod('a', 90), pod('b', 91)),
    watch(
      modified(pod('a', 101)),
      after(1_000),
      added(pod('c', 102)),
      deleted(pod('b', 103)),
      after(1_000),
      modified(pod('a', 104)),
    ),
  ]);
  const { informer, clock } = played;
  let synced = 0;
  const notifications$ = informer.notifications({ onSynced: () => (synced += 1) });
  const h2 = watching({ status$: informer.status$, notifications$ });
  expect(h2.told).toEqual(['add a@101 initial', 'add b@91 initial']);
  expect(synced).toBe(1);
  await clock.advance(1_000);
  expect(h2.told.slice(2)).toEqual(['add c@102', 'delete b@103']);
  h2.unsubscribe();
  await clock.advance(1_000);
  expect(h2.told).toHaveLength(4);
  expect(played.told.at(-1)).toBe('update a@101->a@104');
});

it('C66 who joins while its objects are told to it, in the middle of a change, misses nothing', async () => {
  const played = await play([
    list(100, pod('a', 90), pod('b', 91)),
    watch(after(1_000), modified(pod('a', 101)), deleted(pod('b', 102)), added(pod('c', 103))),
  ]);
  const { informer, clock } = played;
  const late: ReturnType<typeof watching>[] = [];
  const joiner = informer.notifications$.subscribe(({ type }) => {
    if (type === 'update') late.push(watching(informer));
  });
  atTheEnd(() => joiner.unsubscribe());
  await clock.advance(1_000);
  expect(late[0]?.told).toEqual(['add a@101 initial', 'add b@91 initial', 'delete b@102', 'add c@103']);
});
