import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { pod } from '../testkit/objects.ts';
import { heldIn, play } from '../testkit/play.ts';
import { added, after, bookmark, deleted, end, errorEvent, list, modified, watch } from '../testkit/steps.ts';

/** A watch that lives well and ends with an expired version, so that a list follows at once. */
const expires = watch(after(2_000), errorEvent(410, 'Expired'), end());

it('57 a list is told as deletes, then updates and adds, when all of it is in the store', async () => {
  const { clock, informer, told } = await play([
    list(10, pod('1', 1), pod('2', 2), pod('3', 3)),
    expires,
    list(20, pod('1', 1), pod('2', 12), pod('4', 14)),
    watch(),
  ]);
  const shown: string[][] = [];
  informer.notifications$.subscribe(() => shown.push(heldIn(informer.store)));
  shown.length = 0;
  await clock.advance(2_000);
  // 1 is as it was, and not told.
  expect(told.slice(4)).toEqual(['delete 3@3 finalStateUnknown', 'update 2@2->2@12', 'add 4@14']);
  expect(shown).toEqual(Array(3).fill(['1@1', '2@12', '4@14']));
});

it('58 only the adds of the very first list are initial', async () => {
  const { clock, told } = await play([
    list(10, pod('a', 1)),
    expires,
    list(20, pod('a', 11), pod('b', 12)),
    watch(),
  ]);
  await clock.advance(2_000);
  expect(told).toEqual(['add a@1 initial', 'synced', 'update a@1->a@11', 'add b@12']);
});

const EVENTS = [
  added(pod('b', 101)),
  modified(pod('b', 102)),
  deleted(pod('b', 103)),
  bookmark(110),
] as const;

it.each<[string, ((draft: KubernetesObject) => void) | undefined]>([
  ['as they come', undefined],
  [
    'without their versions',
    (draft) => {
      draft.metadata = { name: draft.metadata?.name ?? '' };
    },
  ],
])(
  '59 the version of the store is that of the list, each event and bookmark (objects %s)',
  async (_, transform) => {
    const { clock, server, informer } = await play<KubernetesObject>(
      [list(100, pod('a', 90)), watch(), watch()],
      { transform },
    );
    const versions = [informer.store.resourceVersion];
    for (const event of EVENTS) {
      server.send(event);
      await clock.settle();
      versions.push(informer.store.resourceVersion);
    }
    expect(versions).toEqual(['100', '101', '102', '103', '110']);
    await clock.advance(2_000);
    server.send(end());
    await clock.settle();
    expect(server.asked.at(-1)).toBe('WATCH rv=110');
  },
);

it('60 of three objects one of which fails, the others are told, and the failure says which', async () => {
  const { informer, statuses, told } = await play<KubernetesObject>(
    [list(1), watch(added(pod('1', 2)), added(pod('2', 3)), added(pod('3', 4)))],
    {
      transform: (draft: KubernetesObject) => {
        if (draft.metadata?.name === '2') throw new Error('not this one');
      },
    },
  );
  expect(told.slice(1)).toEqual(['add 1@2', 'add 3@4']);
  expect(heldIn(informer.store)).toEqual(['1@2', '3@4']);
  expect(statuses.filter(({ type }) => type === 'problem')).toMatchObject([
    { count: 1, error: { code: 'USER_FUNCTION', where: 'transform', key: 'default/2' } },
  ]);
});

it('61 a resync transforms nothing again, whatever changes around it', async () => {
  const transform = jest.fn((draft: KubernetesObject) => {
    draft.metadata = { ...draft.metadata, labels: { n: `${draft.metadata?.labels?.n ?? ''}x` } };
  });
  const changes = Array.from({ length: 4 }, (_, n) => [after(700), modified(pod('a', 11 + n))]).flat();
  const { clock, notifications } = await play<KubernetesObject>([list(10, pod('a', 1)), watch(...changes)], {
    resync: 1_000,
    transform,
  });
  await clock.advance(3_000);
  expect(notifications.filter(({ type }) => type === 'sync')).toHaveLength(3);
  expect(new Set(notifications.map(({ object }) => object.metadata?.labels?.n))).toEqual(new Set(['x']));
  expect(transform).toHaveBeenCalledTimes(5);
});

it('62 updates lead from the state told before to a newer one, and never back', async () => {
  const names = ['a', 'b', 'c', 'd'];
  const from = names.map((name) => pod(name, 1));
  const to = names.map((name) => pod(name, 11));
  const { clock, notifications, informer } = await play([
    list(10, ...from),
    watch(...to.slice(0, 2).map(modified), ...from.slice(0, 2).map(modified), after(2_000), errorEvent(410)),
    list(20, ...to),
    watch(...from.map(modified), ...to.map(modified)),
  ]);
  await clock.advance(2_000);
  const updates = notifications.flatMap((told) =>
    told.type === 'update'
      ? [`${told.entry.name} ${told.oldEntry.resourceVersion}->${told.entry.resourceVersion}`]
      : [],
  );
  expect(updates).toEqual(names.map((name) => `${name} 1->11`));
  expect(heldIn(informer.store)).toEqual(names.map((name) => `${name}@11`));
});

it('63 a delete has key and object, whether it was seen or only its result', async () => {
  const { clock, notifications } = await play<KubernetesObject>([
    list(10, pod('seen', 1), pod('unseen', 2)),
    watch(deleted(pod('seen', 11)), after(2_000), errorEvent(410)),
    list(20),
    watch(),
  ]);
  await clock.advance(2_000);
  const deletes = notifications.filter(({ type }) => type === 'delete');
  expect(deletes.map(({ key, object }) => [key, object.metadata?.name])).toEqual([
    ['default/seen', 'seen'],
    ['default/unseen', 'unseen'],
  ]);
});
