import fc from 'fast-check';
import { map, of, repeat, Subject, take } from 'rxjs';
import { applyToStore } from '../../operators/applyToStore.ts';
import { mergeByKey } from '../../operators/mergeByKey.ts';
import { createContext } from '../../src/context.ts';
import type { Batch, Delta, Holdable } from '../../src/queue/delta.ts';
import type { Notification } from '../../src/store/notification.ts';
import { createStore, type WritableStore } from '../../src/store/store.ts';
import type { Widget } from '../store/objects.ts';
import {
  added,
  at,
  batch,
  deleted,
  failure,
  list,
  many,
  recorded,
  shown,
  slowContext,
  statusesOf,
  sync,
  testScheduler,
  updated,
} from './pipeline.ts';

type In = Batch<Widget> & Partial<Holdable>;

const indexed = () =>
  createStore<Widget>({
    indexers: { color: ({ colors }) => colors, version: (_, meta) => [meta.resourceVersion ?? ''] },
  });

const BATCHES: Record<string, In> = {
  l: list(9, at('a', 1), at('b', 1)),
  k: list(20, at('b', 2), at('c', 1)),
  '1': batch(added(at('a', 1))),
  '2': batch(updated(at('a', 2))),
  '3': batch(deleted(at('a', 3))),
  s: batch(sync('a')),
  m: { type: 'Bookmark', version: '30' },
  r: batch(deleted(at('a', 3)), added(at('a', 4, { uid: 'another' }))),
};

const TOLD = {
  a: 'add a1',
  A: 'add a1 initial',
  B: 'add b1 initial',
  C: 'add c1',
  u: 'update a1 a2',
  v: 'update b1 b2',
  d: 'delete a3',
  D: 'delete a1 unknown',
  n: 'add a4',
  s: 'sync a1',
};

/** Expects these notifications of these batches. */
function expectTold(batches: string, told: string, sub: string, unsub?: string): void {
  const store = indexed();
  const scheduler = testScheduler();
  const context = createContext({ scheduler });
  scheduler.run(({ hot, expectObservable, expectSubscriptions }) => {
    const source = hot(batches, BATCHES);
    expectObservable(source.pipe(applyToStore(store, { context }), map(shown)), unsub).toBe(told, TOLD);
    expectSubscriptions(source.subscriptions).toBe(sub);
  });
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('applyToStore', () => {
  it('tells what each write changed', () => {
    expectTold(
      '-1-2-3-|', //
      '-a-u-d-|',
      '^------!',
    );
  });

  it('tells the objects of the first list as initial, and the difference of the next', () => {
    expectTold(
      '-l--------k----|', //
      '-(AB)-----(DvC)|',
      '^--------------!',
    );
  });

  it('tells a delete and an add where another object took the name', () => {
    expectTold(
      '-1-r---|', //
      '-a-(dn)|',
      '^------!',
    );
  });

  it('tells nothing for what changed nothing: the same state, an unknown delete, the same list, a bookmark', () => {
    expectTold(
      '-1-1-m-|', //
      '-a-----|',
      '^------!',
    );
    expectTold(
      '-3-|', //
      '---|',
      '^--!',
    );
    expectTold(
      '-l-----l-|', //
      '-(AB)----|',
      '^--------!',
    );
  });

  it('tells a resync of what is stored', () => {
    expectTold(
      '-s-1-s-|', //
      '---a-s-|',
      '^------!',
    );
  });

  it('passes errors, and leaves the source when unsubscribed', () => {
    expectTold(
      '-1-#', //
      '-a-#',
      '^--!',
    );
    expectTold(
      '-1-2-3-|', //
      '-a------',
      '^-!     ',
      '--!     ',
    );
  });

  describe('the store', () => {
    it('shows each state, in each index too, when it is told', () => {
      const store = indexed();
      const source$ = new Subject<In>();
      const seen: unknown[] = [];
      source$.pipe(applyToStore(store)).subscribe((told) => {
        const { key, entry, revision } = told;
        const there = told.type !== 'delete';
        seen.push(told.type);
        expect(store.get(key)).toBe(there ? entry : undefined);
        expect(store.byIndex('color', entry.object.colors[0] ?? '')).toEqual(there ? [entry] : []);
        expect(store.byIndex('version', entry.resourceVersion ?? '')).toEqual(there ? [entry] : []);
        if (told.type === 'update')
          expect(store.byIndex('version', told.oldEntry.resourceVersion ?? '')).toEqual([]);
        expect(store.revision).toBe(revision);
      });
      source$.next(list(1, at('b', 1, { colors: ['blue'] })));
      source$.next(batch(added(at('a', 2, { colors: ['red'] }))));
      source$.next(batch(updated(at('a', 3, { colors: ['green'] }))));
      source$.next(batch(deleted(at('a', 4, { colors: ['green'] }))));
      source$.next(list(9, at('b', 8, { colors: ['black'] })));
      expect(seen).toEqual(['add', 'add', 'update', 'delete', 'update']);
    });

    it('shows a whole list before anything of it is told', () => {
      const store = indexed();
      const sizes: number[] = [];
      of(list(1, ...many(3)))
        .pipe(applyToStore(store))
        .subscribe(() => sizes.push(store.size));
      expect(sizes).toEqual([3, 3, 3]);
    });

    it('has the version of a bookmark', () => {
      const store = indexed();
      of(BATCHES['l'] as In, BATCHES['m'] as In)
        .pipe(applyToStore(store))
        .subscribe();
      expect(store.resourceVersion).toBe('30');
    });

    it('has the version up to which everything is in it, whatever the queue merged', () => {
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fc.constantFrom('put', 'anew', 'delete', 'turn'), fc.constantFrom('w0', 'w1')), {
            maxLength: 30,
          }),
          (happenings) => {
            const { context, settle, turn } = slowContext();
            const store = indexed();
            const source$ = new Subject<Delta<Widget>>();
            /** By version: the states of the server. */
            const states = [new Map(many(20, 0).map((entry) => [entry.key, entry]))];
            const versions: number[] = [];
            const ahead: string[] = [];
            source$.pipe(mergeByKey({ context }), applyToStore(store, { context })).subscribe(() => {
              const version = Number(store.resourceVersion);
              versions.push(version);
              for (const key of ['w0', 'w1']) {
                const held = store.get(key);
                if (!states.slice(version).some((state) => state.get(key) === held))
                  ahead.push(`${key} ${version}`);
              }
            });
            source$.next({ type: 'Replaced', version: '0', entries: [...(states[0]?.values() ?? [])] });
            for (const [what, name] of happenings) {
              if (what === 'turn') {
                turn();
                continue;
              }
              const version = states.length;
              const state = new Map(states.at(-1));
              const entry = at(name, version, what === 'anew' ? { uid: `uid ${version}` } : {});
              states.push(state);
              if (what === 'delete') state.delete(name);
              else state.set(name, entry);
              source$.next(what === 'delete' ? deleted(entry) : updated(entry));
            }
            settle();
            expect(ahead).toEqual([]);
            expect(versions).toEqual([...versions].sort((a, b) => a - b));
            expect(store.resourceVersion).toBe(String(states.length - 1));
            jest.restoreAllMocks();
          },
        ),
      );
    });

    it('is stale at the end, and when nobody listens any more', () => {
      const store = indexed();
      const source$ = new Subject<In>();
      const subscription = source$.pipe(applyToStore(store)).subscribe();
      expect(store.stale).toBe(true);
      source$.next(list(1));
      expect(store.stale).toBe(false);
      subscription.unsubscribe();
      expect(store.stale).toBe(true);

      of(list(2)).pipe(applyToStore(store)).subscribe();
      expect(store.stale).toBe(true);
    });
  });

  it('reports each list that was applied, after its difference was told', () => {
    const context = createContext();
    const statuses = statusesOf(context);
    const log: string[] = [];
    context.status.status$.subscribe(({ type }) => log.push(type));
    of(BATCHES['l'] as In, BATCHES['k'] as In)
      .pipe(applyToStore(indexed(), { context }), map(shown))
      .subscribe((told) => log.push(told));
    expect(log.slice(1)).toEqual([
      'add a1 initial',
      'add b1 initial',
      'applied',
      'delete a1 unknown',
      'update b1 b2',
      'add c1',
      'applied',
    ]);
    expect(statuses.slice(1)).toEqual([
      { type: 'applied', items: 2, version: '9' },
      { type: 'applied', items: 2, version: '20' },
    ]);
  });

  describe('with a list that takes several slices', () => {
    function slowly(store: WritableStore<Widget> = indexed()) {
      const slow = slowContext();
      const source$ = new Subject<In>();
      const { log, subscription } = recorded(source$.pipe(applyToStore(store, slow)), shown);
      return { ...slow, store, source$, log, subscription };
    }

    it('shows nothing of it before all of it, then tells in slices', () => {
      const { store, source$, log, turn, settle } = slowly();
      source$.next(list(1, ...many(600)));
      expect(store.size).toBe(0);
      while (store.size === 0) {
        expect(log).toEqual([]);
        expect(turn()).toBe(true);
      }
      expect([store.size, log.length]).toEqual([600, 16]);
      turn();
      expect(log).toHaveLength(32);
      settle();
      expect(log).toHaveLength(600);
    });

    it('holds back what follows, in its order', () => {
      const { source$, log, settle } = slowly();
      source$.next(list(1, ...many(40)));
      source$.next(batch(updated(at('w39', 2))));
      source$.next({ type: 'Bookmark', version: '3' });
      source$.next(list(4, at('w0', 4)));
      source$.next(batch(deleted(at('w0', 5))));
      source$.complete();
      expect(log.length).toBeLessThan(40);
      settle();
      expect(log.slice(39, 42)).toEqual(['add w391 initial', 'update w391 w392', 'delete w11 unknown']);
      expect(log.slice(-3)).toEqual(['update w01 w04', 'delete w05', 'complete']);
    });

    it('holds the source meanwhile', () => {
      const { source$, settle } = slowly();
      const release = jest.fn();
      const hold = jest.fn(() => release);
      source$.next({ ...list(1, ...many(40)), hold });
      source$.next({ ...batch(added(at('a', 1))), hold });
      expect([hold.mock.calls.length, release.mock.calls.length]).toEqual([1, 0]);
      settle();
      expect([hold.mock.calls.length, release.mock.calls.length]).toEqual([1, 1]);
    });

    it('works with the queue in front of it: what waits is merged', () => {
      const { context, settle } = slowContext();
      const source$ = new Subject<Delta<Widget>>();
      const notifications$ = source$.pipe(mergeByKey({ context }), applyToStore(indexed(), { context }));
      const { log } = recorded(notifications$, shown);
      source$.next(list(1, ...many(40)));
      for (const version of [2, 3, 4]) source$.next(updated(at('w3', version)));
      source$.next(added(at('z', 5)));
      source$.next(deleted(at('z', 6)));
      source$.complete();
      settle();
      expect(log.slice(40)).toEqual(['update w31 w34', 'complete']);
    });

    it('passes an error after what waits', () => {
      const { source$, log, settle } = slowly();
      source$.next(list(1, ...many(20)));
      source$.next(batch(added(at('z', 1))));
      source$.error(failure);
      settle();
      expect(log.slice(-3)).toEqual(['add w191 initial', 'add z1', 'error x']);
    });

    it.each([
      ['put in place', 600, 0],
      ['told', 40, 16],
    ])('does nothing more when unsubscribed while it is %s', (_, items, told) => {
      const { store, source$, log, settle, turnUntil, subscription } = slowly();
      source$.next(list(1, ...many(items)));
      source$.next(batch(added(at('z', 2))));
      turnUntil(() => log.length === told);
      subscription.unsubscribe();
      settle();
      expect(log).toHaveLength(told);
      expect(store.has('z')).toBe(false);
      expect(store.size).toBe(told === 0 ? 0 : items);
      expect(store.stale).toBe(true);
    });

    it('marks the objects of the first list only as initial, though others wait behind it', () => {
      const { source$, log, settle } = slowly();
      source$.next(list(1, ...many(20)));
      source$.next(list(2, at('z', 2)));
      settle();
      expect(log.at(-1)).toBe('add z2');
    });

    it('tells of each change the revision that first shows it, though the store is written meanwhile', () => {
      const { context, turnUntil, settle } = slowContext();
      const store = indexed();
      const revisions = new Set<number>();
      of(list(1, ...many(40)))
        .pipe(applyToStore(store, { context }))
        .subscribe(({ revision }) => revisions.add(revision));
      turnUntil(() => revisions.size > 0);
      store.apply(added(at('by hand', 1)));
      settle();
      expect([...revisions]).toEqual([1]);
    });
  });

  describe('a handler', () => {
    it('that makes the source emit does not mix up the order of a key', () => {
      const source$ = new Subject<In>();
      const log: string[] = [];
      source$.pipe(applyToStore(indexed())).subscribe((told) => {
        log.push(shown(told));
        if (told.type === 'delete') source$.next(batch(updated(at('a', 5, { uid: 'another' }))));
      });
      source$.next(BATCHES['1'] as In);
      source$.next(BATCHES['r'] as In);
      expect(log).toEqual(['add a1', 'delete a3', 'add a4', 'update a4 a5']);
    });

    it('that unsubscribes ends all writing, in the middle of a batch and of what waits', () => {
      const store = indexed();
      const source$ = new Subject<In>();
      const subscription = source$.pipe(applyToStore(store)).subscribe((told: Notification<Widget>) => {
        if (told.type !== 'delete') return;
        source$.next(batch(added(at('z', 1))));
        source$.next({ type: 'Bookmark', version: '99' });
        subscription.unsubscribe();
      });
      source$.next(BATCHES['1'] as In);
      source$.next(BATCHES['r'] as In);
      expect(store.resourceVersion).not.toBe('99');
      expect(store.list()).toEqual([]);
      expect(source$.observed).toBe(false);
    });

    it('that hears of a list and unsubscribes ends what waits behind it', () => {
      const { context, settle } = slowContext();
      const store = indexed();
      const source$ = new Subject<In>();
      const subscription = source$.pipe(applyToStore(store, { context })).subscribe();
      context.status.status$.subscribe(({ type }) => {
        if (type === 'applied') subscription.unsubscribe();
      });
      source$.next(list(1, ...many(20)));
      source$.next(batch(added(at('z', 1))));
      settle();
      expect(store.has('z')).toBe(false);
    });

    it('that subscribes again begins anew', () => {
      const source$ = new Subject<In>();
      const notifications$ = source$.pipe(applyToStore(indexed()));
      const again: string[] = [];
      const join = () => notifications$.subscribe((told) => again.push(shown(told)));
      const subscription = notifications$.subscribe(() => {
        subscription.unsubscribe();
        join();
      });
      source$.next(BATCHES['l'] as In);
      source$.next(BATCHES['2'] as In);
      source$.next(BATCHES['k'] as In);
      // The store had the first list already; the difference of the next one is that of a first list again.
      expect(again).toEqual(['update a1 a2', 'delete a2 unknown', 'update b1 b2', 'add c1 initial']);
    });
  });

  it('leaves a synchronous endless source when it has enough, and writes nothing more', () => {
    const store = indexed();
    let version = 0;
    const endless$ = of(0).pipe(
      repeat(),
      map(() => batch(updated(at('a', (version += 1))))),
    );
    const { log } = recorded(endless$.pipe(applyToStore(store), take(2)), shown);
    expect(log).toEqual(['add a1', 'update a1 a2', 'complete']);
    expect(store.get('a')?.resourceVersion).toBe('2');
  });

  it('has two subscriptions know nothing of each other', () => {
    const source$ = new Subject<In>();
    const one = recorded(source$.pipe(applyToStore(indexed())), shown);
    source$.next(BATCHES['l'] as In);
    const two = recorded(source$.pipe(applyToStore(indexed())), shown);
    source$.next(list(10, at('a', 1), at('b', 1)));
    expect(one.log).toEqual(['add a1 initial', 'add b1 initial']);
    expect(two.log).toEqual(['add a1 initial', 'add b1 initial']);
  });
});
