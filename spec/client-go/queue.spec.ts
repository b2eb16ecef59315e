import { Subject } from 'rxjs';
import { applyToStore } from '../../operators/applyToStore.ts';
import { mergeByKey } from '../../operators/mergeByKey.ts';
import { shareNotifications } from '../../operators/shareNotifications.ts';
import type { Entry } from '../../src/codec/codec.ts';
import { createContext } from '../../src/context.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import type { Batch, Delta } from '../../src/queue/delta.ts';
import { DeltaQueue } from '../../src/queue/deltaQueue.ts';
import { createStore } from '../../src/store/store.ts';
import {
  added,
  at,
  deleted,
  list,
  many,
  recorded,
  shown,
  slowContext,
  sync,
  updated,
} from '../operators/pipeline.ts';
import type { Widget } from '../store/objects.ts';
import { pod } from '../testkit/objects.ts';
import { heldIn, play } from '../testkit/play.ts';
import * as step from '../testkit/steps.ts';

/** `Added a1`, two deltas of one batch joined by `, `; `Replaced 100: a1 b2`. */
function inWords(batch: Batch<Widget>): string {
  const state = ({ key, resourceVersion = '' }: Entry<Widget>): string => `${key}${resourceVersion}`;
  switch (batch.type) {
    case 'Key':
      return batch.deltas
        .map((delta) => `${delta.type} ${delta.type === 'Sync' ? delta.key : state(delta.entry)}`)
        .join(', ');
    case 'Replaced':
      return `Replaced ${batch.version ?? ''}: ${batch.entries.map(state).join(' ')}`;
    case 'Bookmark':
      return `Bookmark ${batch.version}`;
  }
}

/** Everything that a queue hands out after all of this was put into it. */
function queued(...deltas: Delta<Widget>[]): string[] {
  const queue = new DeltaQueue<Widget>();
  for (const delta of deltas) queue.push(delta);
  const popped: string[] = [];
  for (let batch = queue.pop(); batch !== undefined; batch = queue.pop()) popped.push(inWords(batch));
  return popped;
}

/** The queue, and the cache behind it, with what that holds from before. */
function pipeline(...held: Entry<Widget>[]) {
  const { context, settle, turnUntil } = slowContext();
  const store = createStore<Widget>();
  if (held.length > 0) store.replace(list(1, ...held)).commit();
  const deltas$ = new Subject<Delta<Widget>>();
  const notifications$ = deltas$.pipe(
    mergeByKey({ context }),
    applyToStore(store, { context }),
    shareNotifications(store, { context }),
  );
  const { log } = recorded(notifications$, shown);
  context.status.status$.subscribe(({ type }) => {
    if (type === 'synced') log.push(type);
  });
  return { deltas$, log, settle, store, turnUntil };
}

/** What a store tells that holds this, and is given that while its queue is busy. */
function toldOf(held: Entry<Widget>[], ...deltas: Delta<Widget>[]): string[] {
  const context = createContext({ random: () => 0 });
  const store = createStore<Widget>();
  store.replace(list(1, ...held)).commit();
  const deltas$ = new Subject<Delta<Widget>>();
  let release: (() => void) | undefined;
  const busy$ = new Subject<Batch<Widget>>();
  const { log, subscription } = recorded(busy$.pipe(applyToStore(store, { context })), shown);
  subscription.add(
    deltas$.pipe(mergeByKey({ context })).subscribe((batch) => {
      // The first one is only there to keep the queue busy while the others come.
      if (release === undefined) release = batch.hold();
      else busy$.next(batch);
    }),
  );
  deltas$.next({ type: 'Bookmark', version: '1' });
  for (const delta of deltas) deltas$.next(delta);
  release?.();
  subscription.unsubscribe();
  return log;
}

afterEach(() => {
  jest.restoreAllMocks();
});

it('40 an add and the updates behind it that wait are one add, in the newest state', () => {
  expect(queued(added(at('foo', 10)), updated(at('foo', 12)), updated(at('foo', 15)))).toEqual([
    'Added foo15',
  ]);
});

it('41 a delete that waits comes before the list behind it', () => {
  expect(queued(deleted(at('old', 5)), list(10, at('new', 6)))).toEqual([
    'Deleted old5',
    'Replaced 10: new6',
  ]);
});

it.each<[string, Delta<Widget>[], string[]]>([
  ['added', [added(at('foo', 10))], ['add foo10', 'delete foo10 unknown']],
  [
    'added and updated',
    [added(at('foo', 10)), updated(at('foo', 11))],
    ['add foo11', 'delete foo11 unknown'],
  ],
  ['added and deleted', [added(at('foo', 10)), deleted(at('foo', 12))], []],
])('42 what was only %s in the queue is deleted by a list without it, once at most', (_, waiting, told) => {
  expect(toldOf([], ...waiting, list(20))).toEqual(told);
});

it('43 a list deletes what it has not, and says nothing of what did not change', () => {
  const held = [at('foo', 5), at('bar', 6), at('baz', 7)];
  expect(toldOf(held, deleted(at('baz', 10)), list(20, at('foo', 5)))).toEqual([
    'delete baz10',
    'delete bar6 unknown',
  ]);
  expect(toldOf(held, added(at('baz', 10)), list(20, at('foo', 5)))).toEqual([
    'update baz7 baz10',
    'delete bar6 unknown',
    'delete baz10 unknown',
  ]);
});

it('44 an object that comes and goes while it waits is told to nobody', () => {
  expect(queued(added(at('foo', 5)), deleted(at('foo', 6)))).toEqual(['Deleted foo6']);
  expect(toldOf([], added(at('foo', 5)), deleted(at('foo', 6)))).toEqual([]);
});

it('45 a resync yields to the update that waits', () => {
  expect(queued(updated(at('foo', 6)), sync('foo'))).toEqual(['Updated foo6']);
  expect(toldOf([at('foo', 5)], updated(at('foo', 6)), sync('foo'))).toEqual(['update foo5 foo6']);
});

it('46 a resync yields to the delete that waits', () => {
  expect(queued(deleted(at('foo', 10)), sync('foo'))).toEqual(['Deleted foo10']);
  expect(toldOf([at('foo', 5)], deleted(at('foo', 10)), sync('foo'))).toEqual(['delete foo10']);
});

describe('47 in sync is', () => {
  it('47 nothing that was never listed, whatever events came', () => {
    const { deltas$, settle, log } = pipeline();
    deltas$.next(added(at('a', 1)));
    settle();
    expect(log).toEqual([]);
  });

  it('47 an empty list', () => {
    const { deltas$, settle, log } = pipeline();
    deltas$.next(list(1));
    settle();
    expect(log).toEqual(['synced']);
  });

  it('47 a list when all of it was told, and not before', () => {
    const { deltas$, log, settle, turnUntil } = pipeline();
    deltas$.next(list(1, ...many(40)));
    turnUntil(() => log.length > 0);
    expect(log.length).toBeLessThan(40);
    expect(log).not.toContain('synced');
    settle();
    expect(log).toHaveLength(41);
    expect(log.at(-1)).toBe('synced');
  });
});

it('48 over a store of an earlier run the first list is what there is; what went is not told as deleted', () => {
  const { deltas$, log, settle, store } = pipeline(at('foo', 1), at('bar', 1), at('baz', 1));
  settle();
  expect(log).toEqual([]);
  deltas$.next(list(2, at('foo', 1)));
  settle();
  expect(log).toEqual(['add foo1 initial', 'synced']);
  expect([...store.keys()]).toEqual(['foo']);
});

it('49 a key that was handed out goes to the end of the line; one that waits keeps its place', () => {
  const queue = new DeltaQueue<Widget>();
  for (const delta of [added(at('foo', 10)), added(at('bar', 1)), updated(at('foo', 11))]) queue.push(delta);
  for (const delta of [updated(at('foo', 13)), added(at('zab', 30))]) queue.push(delta);
  const popped = [queue.pop()];
  queue.push(updated(at('foo', 14)));
  for (let batch = queue.pop(); batch !== undefined; batch = queue.pop()) popped.push(batch);
  const words = popped.map((batch) => batch && inWords(batch));
  expect(words).toEqual(['Added foo13', 'Added bar1', 'Added zab30', 'Updated foo14']);
});

it('50 every object is transformed once, those that only a list shows as deleted, too', async () => {
  const { clock, notifications } = await play<KubernetesObject>(
    [
      step.list(10, pod('a', 1), pod('b', 2)),
      step.watch(
        step.modified(pod('a', 11)),
        step.deleted(pod('a', 12)),
        step.after(2_000),
        step.errorEvent(410),
      ),
      step.list(20),
      step.watch(),
    ],
    {
      resync: 1_500,
      transform: (draft: KubernetesObject) => {
        const times = draft.metadata?.labels?.times ?? '';
        draft.metadata = { ...draft.metadata, labels: { times: `${times}x` } };
      },
    },
  );
  await clock.advance(2_000);
  const seen = notifications.map(
    ({ type, key, object }) => `${type} ${key} ${object.metadata?.labels?.times ?? ''}`,
  );
  expect(seen).toEqual([
    'add default/a x',
    'add default/b x',
    'update default/a x',
    'delete default/a x',
    'sync default/b x',
    'delete default/b x',
  ]);
});

it('51 the delete of an object that nobody knows passes the queue and is told to nobody', () => {
  expect(queued(deleted(at('foo', 5)))).toEqual(['Deleted foo5']);
  expect(toldOf([at('bar', 1)], deleted(at('foo', 5)))).toEqual([]);
});

it('53 a key function that fails for one object is reported, and the events around it count', async () => {
  const { informer, problems, told } = await play<KubernetesObject>(
    [
      step.list(1),
      step.watch(...['ok1', 'ok2', 'bad1', 'bad2', 'ok3'].map((name, n) => step.added(pod(name, n + 2)))),
    ],
    {
      key: ({ meta }) => {
        if (meta.name?.startsWith('bad') === true) throw new Error('no key');
        return meta.name ?? '';
      },
    },
  );
  expect(heldIn(informer.store)).toEqual(['ok1@2', 'ok2@3', 'ok3@6']);
  expect(told.slice(1)).toEqual(['add ok1@2', 'add ok2@3', 'add ok3@6']);
  expect(problems).toEqual(['USER_FUNCTION', 'USER_FUNCTION']);
});

it('54 a list is one thing that waits, with its version; an empty one, too', () => {
  expect(queued(list(10, at('a', 1), at('b', 2)))).toEqual(['Replaced 10: a1 b2']);
  expect(queued(list(10))).toEqual(['Replaced 10: ']);
});

it('55 a resync waits key by key, so that each yields to what waits for its key', () => {
  expect(queued(sync('a'), sync('b'), updated(at('b', 2)))).toEqual(['Sync a', 'Updated b2']);
  expect(toldOf([at('a', 1), at('b', 1)], sync('a'), sync('b'), updated(at('b', 2)))).toEqual([
    'sync a1',
    'update b1 b2',
  ]);
});
