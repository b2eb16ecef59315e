import { defer, finalize, map, NEVER, Observable, of, Subject, Subscription, take, throwError } from 'rxjs';
import { applyToStore } from '../../operators/applyToStore.ts';
import { mergeByKey } from '../../operators/mergeByKey.ts';
import { shareNotifications } from '../../operators/shareNotifications.ts';
import { createContext, type PipelineContext } from '../../src/context.ts';
import type { Delta } from '../../src/queue/delta.ts';
import type { Notification } from '../../src/store/notification.ts';
import { createStore, type WritableStore } from '../../src/store/store.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import type { Widget } from '../store/objects.ts';
import {
  added,
  at,
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
  typesOf,
  updated,
} from './pipeline.ts';

/** A store that counts who listens to it. */
function listenedStore() {
  const store = createStore<Widget>();
  let listeners = 0;
  const onReplaced = store.onReplaced.bind(store);
  store.onReplaced = (listener) => {
    const remove = onReplaced(listener);
    let there = 1;
    listeners += 1;
    return () => {
      remove();
      listeners -= there;
      there = 0;
    };
  };
  return { store, listeners: () => listeners };
}

/** A pipeline behind a subject, from the queue to the subscribers. */
function shared(options: { context?: PipelineContext; linger?: number } = {}) {
  const { context = createContext(), linger } = options;
  const { store, listeners } = listenedStore();
  const statuses = statusesOf(context);
  const counts = { subscribed: 0, unsubscribed: 0 };
  let source$ = new Subject<Delta<Widget>>();
  const deltas$ = defer(() => {
    counts.subscribed += 1;
    source$ = new Subject();
    return source$.pipe(finalize(() => (counts.unsubscribed += 1)));
  });
  const notifications$ = deltas$.pipe(
    mergeByKey({ context }),
    applyToStore(store, { context }),
    shareNotifications(store, { linger, context }),
  );
  return {
    context,
    store,
    listeners,
    statuses,
    counts,
    notifications$,
    emit: (...deltas: Delta<Widget>[]): void => {
      for (const delta of deltas) source$.next(delta);
    },
    /** The deltas of the present run. */
    source: () => source$,
    join: () => recorded(notifications$, shown),
  };
}

const synced = (statuses: Parameters<typeof typesOf>[0]): number =>
  typesOf(statuses).filter((type) => type === 'synced').length;

afterEach(() => {
  jest.restoreAllMocks();
});

describe('shareNotifications', () => {
  describe('one list, one watch', () => {
    const DELTAS: Record<string, Delta<Widget>> = {
      l: list(1, at('a', 1)),
      u: updated(at('a', 2)),
    };
    const TOLD = { A: 'add a1 initial', B: 'add a2 initial', u: 'update a1 a2' };
    type Run = Parameters<Parameters<ReturnType<typeof testScheduler>['run']>[0]>[0];

    function inTime(
      linger: number,
      test: (run: Run, share: (deltas$: Observable<Delta<Widget>>) => Observable<string>) => void,
    ): void {
      const scheduler = testScheduler();
      const context = createContext({ scheduler });
      const store = createStore<Widget>();
      const share = (deltas$: Observable<Delta<Widget>>) =>
        deltas$.pipe(
          mergeByKey({ context }),
          applyToStore(store, { context }),
          shareNotifications(store, { linger, context }),
          map(shown),
        );
      scheduler.run((run) => {
        test(run, share);
      });
    }

    it('subscribes to the source once, from the first to the last subscriber', () => {
      inTime(0, ({ hot, expectObservable, expectSubscriptions }, share) => {
        const source = hot('  --l---u-----');
        const deltas$ = source.pipe(map((letter) => DELTAS[letter] as Delta<Widget>));
        const sub = '         ^---------! ';
        const shared$ = share(deltas$);
        expectObservable(shared$, '^-------!   ').toBe('--A---u---', TOLD);
        expectObservable(shared$, '---^------! ').toBe('---A--u---', TOLD);
        expectObservable(shared$, '-------^-!  ').toBe('-------B--', TOLD);
        expectSubscriptions(source.subscriptions).toBe(sub);
      });
    });

    it('keeps the source for a while after the last one has left', () => {
      inTime(3, ({ hot, expectObservable, expectSubscriptions }, share) => {
        const source = hot('  --l---u--------');
        const deltas$ = source.pipe(map((letter) => DELTAS[letter] as Delta<Widget>));
        const sub = '         ^----------!   ';
        const shared$ = share(deltas$);
        expectObservable(shared$, '^---!          ').toBe('--A--      ', TOLD);
        // Within the linger: no new list, and nothing missed.
        expectObservable(shared$, '------^-!      ').toBe('------(Au) ', TOLD);
        expectSubscriptions(source.subscriptions).toBe(sub);
      });
    });

    it('begins anew after the linger, with a list first', () => {
      inTime(2, ({ cold, expectObservable, expectSubscriptions }, share) => {
        const source = cold(' --l---------');
        const deltas$ = source.pipe(map((letter) => DELTAS[letter] as Delta<Widget>));
        const subs = ['                   ^-----!        ', '                   --------^----! '];
        const shared$ = share(deltas$);
        expectObservable(shared$, '^---!          ').toBe('--A--', TOLD);
        expectObservable(shared$, '--------^--!   ').toBe('----------A', TOLD);
        expectSubscriptions(source.subscriptions).toBe(subs);
      });
    });

    it.each([
      ['error', '#'],
      ['completion', '|'],
    ])('passes the %s to all, and begins anew for who comes after it', (_, end) => {
      inTime(0, ({ cold, expectObservable, expectSubscriptions }, share) => {
        const source = cold(`--l--${end}`);
        const deltas$ = source.pipe(map((letter) => DELTAS[letter] as Delta<Widget>));
        const shared$ = share(deltas$);
        expectObservable(shared$, '^              ').toBe(`--A--${end}`, TOLD);
        expectObservable(shared$, '---^           ').toBe(`---A-${end}`, TOLD);
        expectObservable(shared$, '--------^      ').toBe(`----------A--${end}`, TOLD);
        expectSubscriptions(source.subscriptions).toBe([
          '                        ^----!         ',
          '                        --------^----! ',
        ]);
      });
    });

    it('keeps no timer of the linger after the source has ended', () => {
      const scheduler = testScheduler();
      const context = createContext({ scheduler });
      const store = createStore<Widget>();
      scheduler.run(({ cold, expectObservable, flush }) => {
        const share = shareNotifications<Widget>(store, { linger: 1000, context });
        expectObservable(cold<Notification<Widget>>('--|').pipe(share)).toBe('--|');
        expectObservable(cold<Notification<Widget>>('--#').pipe(share)).toBe('--#');
        flush();
      });
      expect(scheduler.now()).toBeLessThan(1000);
    });
  });

  describe('a late subscriber', () => {
    it('gets every stored object as an initial add, then what changes', () => {
      const { emit, join } = shared();
      const early = join();
      emit(list(1, at('a', 1), at('b', 1)), updated(at('b', 2)));
      const late = join();
      emit(deleted(at('a', 3)), added(at('c', 4)));
      expect(early.log).toEqual(['add a1 initial', 'add b1 initial', 'update b1 b2', 'delete a3', 'add c4']);
      expect(late.log).toEqual(['add a1 initial', 'add b2 initial', 'delete a3', 'add c4']);
    });

    it('gets nothing before the first list is there, then all of it', () => {
      const { emit, join, source } = shared();
      join();
      const late = join();
      expect(late.log).toEqual([]);
      expect(source().observed).toBe(true);
      emit(list(1, at('a', 1)));
      expect(late.log).toEqual(['add a1 initial']);
    });

    it('is told resyncs like everybody', () => {
      const { emit, join } = shared();
      join();
      emit(list(1, at('a', 1)));
      const late = join();
      emit(sync('a'));
      expect(late.log).toEqual(['add a1 initial', 'sync a1']);
    });

    it('can have had enough in the middle of it', () => {
      const { emit, join, notifications$, counts } = shared();
      join();
      emit(list(1, ...many(5)));
      expect(recorded(notifications$.pipe(take(2)), shown).log).toEqual([
        'add w01 initial',
        'add w11 initial',
        'complete',
      ]);
      expect(counts).toEqual({ subscribed: 1, unsubscribed: 0 });
    });
  });

  describe('while a subscriber is told the store', () => {
    function slowly() {
      const slow = slowContext();
      return { ...slow, ...shared({ context: slow.context }) };
    }

    it('gives way between slices', () => {
      const { emit, join, turn, turnUntil } = slowly();
      const early = join();
      emit(list(1, ...many(40)));
      turnUntil(() => early.log.length > 0);
      expect(early.log).toHaveLength(16);
      turn();
      expect(early.log).toHaveLength(32);
      turn();
      expect(early.log).toHaveLength(40);
    });

    it('folds live changes into what is still to be told, and passes those of what was told', () => {
      const { emit, join, settle } = slowly();
      const early = join();
      emit(list(1, ...many(40)));
      settle();
      const late = join();
      expect(late.log).toHaveLength(16);
      emit(
        updated(at('w0', 2)),
        updated(at('w30', 2)),
        deleted(at('w31', 2)),
        deleted(at('w32', 2)),
        added(at('w32', 3, { uid: 'another' })),
        deleted(at('w1', 2)),
        added(at('z', 2)),
        sync('w2'),
        sync('w33'),
      );
      expect(late.log.slice(16)).toEqual(['update w01 w02', 'delete w12', 'add z2', 'sync w21']);
      expect(early.log.slice(40, 43)).toEqual(['update w01 w02', 'update w301 w302', 'delete w312']);
      settle();
      const rest = late.log.slice(20);
      expect(rest).toHaveLength(40 - 16 - 1);
      expect(rest).toContain('add w302 initial');
      expect(rest).toContain('add w323 initial');
      expect(rest).toContain('add w331 initial');
      expect(rest.filter((told) => told.includes('w31'))).toEqual([]);
      // From now on it is live.
      emit(updated(at('w30', 3)), added(at('w31', 4)));
      expect(late.log.slice(-2)).toEqual(['update w302 w303', 'add w314']);
    });

    it('lets one join during the difference of a relist: it has the list, not the difference', () => {
      const { emit, join, turnUntil, settle } = slowly();
      const early = join();
      emit(list(1, ...many(40)));
      settle();
      emit(list(2, ...many(40, 2)));
      turnUntil(() => early.log.length > 40);
      expect(early.log.length).toBeLessThan(80);
      const inTheMiddle = join();
      settle();
      expect(early.log).toHaveLength(80);
      expect(inTheMiddle.log).toEqual(many(40).map(({ key }) => `add ${key}2 initial`));
    });

    it('lets a relist come in between: each is told the rest, or the difference', () => {
      const { emit, join, settle } = slowly();
      join();
      emit(list(1, ...many(40)));
      settle();
      const late = join();
      emit(list(2, ...many(39, 2)));
      settle();
      const known = new Map<string, string>();
      for (const told of late.log) {
        const [type, first = '', second = ''] = told.split(' ');
        const key = first.slice(0, -1);
        if (type === 'add') {
          expect(known.has(key)).toBe(false);
          known.set(key, first);
        } else if (type === 'update') {
          expect(known.get(key)).toBe(first);
          known.set(key, second);
        } else known.delete(key);
      }
      expect([...known.values()].sort()).toEqual(
        many(39)
          .map(({ key }) => `${key}2`)
          .sort(),
      );
    });

    it.each([
      ['completion', 'complete'],
      ['error', 'error x'],
    ])('tells the rest before the %s of the source', (_, end) => {
      const { emit, join, settle, source, statuses } = slowly();
      const { log } = join();
      emit(list(1, ...many(40)));
      settle();
      const late = join();
      if (end === 'complete') source().complete();
      else source().error(failure);
      expect(log.at(-1)).toBe(end);
      expect(late.log).toHaveLength(16);
      settle();
      expect(late.log).toHaveLength(41);
      expect(late.log.at(-1)).toBe(end);
      expect(synced(statuses)).toBe(1);
    });

    it('tells who unsubscribed nothing more', () => {
      const { emit, join, settle, turnUntil, turns } = slowly();
      const { log, subscription } = join();
      emit(list(1, ...many(40)));
      turnUntil(() => log.length > 0);
      subscription.unsubscribe();
      settle();
      expect(log).toHaveLength(16);
      expect(turns).toEqual([]);
    });

    it('has a new run wait for its own list, while one of the run before is still told the rest', () => {
      const { emit, join, settle, source, counts } = slowly();
      join();
      emit(list(1, ...many(40)));
      settle();
      const late = join();
      source().complete();
      const next = join();
      settle();
      expect(late.log).toHaveLength(41);
      expect(next.log).toEqual([]);
      emit(list(2, at('a', 2)));
      settle();
      expect(next.log).toEqual(['add a2 initial']);
      next.subscription.unsubscribe();
      expect(counts).toEqual({ subscribed: 2, unsubscribed: 2 });
    });
  });

  describe('a subscriber that holds what it is told of the store', () => {
    /** One that wants no more of the store after each add, until `pull`. */
    function holding(notifications$: Observable<Notification<Widget>>) {
      const log: string[] = [];
      let pull = (): void => undefined;
      const subscription = notifications$.subscribe({
        next(told) {
          log.push(shown(told));
          if (told.type === 'add' && told.hold !== undefined) pull = told.hold();
        },
        complete: () => log.push('complete'),
      });
      return { log, pull: () => pull(), subscription };
    }

    it('pulls it one by one, while changes of what it was told pass and the others are folded in', () => {
      const { emit, notifications$ } = shared();
      const { log, pull } = holding(notifications$);
      emit(list(1, at('a', 1), at('b', 1), at('c', 1), at('d', 1)));
      expect(log).toEqual(['add a1 initial']);
      emit(updated(at('a', 2)), updated(at('b', 2)), deleted(at('c', 2)), added(at('e', 2)), sync('d'));
      expect(log).toEqual(['add a1 initial', 'update a1 a2', 'add e2']);
      pull();
      pull();
      pull();
      expect(log.slice(3)).toEqual(['add b2 initial', 'add d1 initial']);
      emit(updated(at('d', 3)));
      expect(log.at(-1)).toBe('update d1 d3');
    });

    it('delays neither the others nor `synced`, only its own end', () => {
      const { emit, notifications$, join, statuses, source } = shared();
      const { log, pull } = holding(notifications$);
      const other = join();
      emit(list(1, at('a', 1), at('b', 1)));
      expect(other.log).toEqual(['add a1 initial', 'add b1 initial']);
      expect(synced(statuses)).toBe(1);
      source().complete();
      expect(other.log.at(-1)).toBe('complete');
      expect(log).toEqual(['add a1 initial']);
      pull();
      expect(log).toEqual(['add a1 initial', 'add b1 initial']);
      pull();
      expect(log.at(-1)).toBe('complete');
      expect(synced(statuses)).toBe(1);
    });

    it('is waited for by `synced` where it holds only for a moment', () => {
      const { emit, notifications$, statuses } = shared();
      const reported: number[] = [];
      notifications$.subscribe((told) => {
        if (told.type === 'add') told.hold?.()();
        reported.push(synced(statuses));
      });
      emit(list(1, at('a', 1), at('b', 1)));
      expect(reported).toEqual([0, 0]);
      expect(synced(statuses)).toBe(1);
    });

    it('may hold several times over: it goes on when all are released', () => {
      const { emit, notifications$ } = shared();
      const releases: (() => void)[] = [];
      const log: string[] = [];
      notifications$.subscribe((told) => {
        log.push(shown(told));
        if (told.type === 'add' && told.hold !== undefined) releases.push(told.hold(), told.hold());
      });
      emit(list(1, at('a', 1), at('b', 1)));
      releases[0]?.();
      releases[0]?.();
      expect(log).toHaveLength(1);
      releases[1]?.();
      expect(log).toHaveLength(2);
    });

    it('gives way while it pulls, and is told nothing after it left', () => {
      const slow = slowContext();
      const { emit, notifications$, join } = shared({ context: slow.context });
      join();
      emit(list(1, ...many(40)));
      slow.settle();
      const late = holding(notifications$);
      late.subscription.unsubscribe();
      late.pull();
      slow.settle();
      expect(late.log).toEqual(['add w01 initial']);
    });
  });

  describe('a handler', () => {
    it('may join another in the middle of anything: it gets the store, and nothing twice', () => {
      const { emit, notifications$ } = shared();
      const joined: string[][] = [];
      notifications$.subscribe(() => {
        joined.push(recorded(notifications$.pipe(take(100)), shown).log);
      });
      const after = recorded(notifications$, shown);
      emit(list(1, at('a', 1)));
      emit(updated(at('a', 2)));
      emit(sync('a'));
      emit(deleted(at('a', 3)));
      expect(joined).toEqual([
        ['add a1 initial', 'update a1 a2', 'sync a2', 'delete a3'],
        ['add a2 initial', 'sync a2', 'delete a3'],
        ['add a2 initial', 'delete a3'],
        [],
      ]);
      expect(after.log).toEqual(['add a1 initial', 'update a1 a2', 'sync a2', 'delete a3']);
    });

    it('may join another between the delete and the add of one name', () => {
      const { emit, notifications$ } = shared();
      let joined: string[] = [];
      notifications$.subscribe((told) => {
        if (told.type === 'delete') joined = recorded(notifications$, shown).log;
      });
      emit(list(1, at('a', 1)));
      emit(list(2, at('a', 2, { uid: 'another' })));
      expect(joined).toEqual(['add a2 initial']);
    });

    it('may make another leave, before and after the first list', () => {
      const { emit, notifications$, join, statuses } = shared();
      const others: Subscription[] = [];
      notifications$.subscribe(() => {
        for (const other of others) other.unsubscribe();
      });
      const second = join();
      others.push(second.subscription);
      emit(list(1, at('a', 1)));
      expect(second.log).toEqual([]);
      expect(synced(statuses)).toBe(1);

      const third = join();
      others.push(third.subscription);
      emit(updated(at('a', 2)));
      expect(third.log).toEqual(['add a1 initial']);
    });

    it('may end it all in the middle of the first list', () => {
      const { emit, notifications$, counts, listeners, store, statuses } = shared();
      const log: string[] = [];
      const subscription = notifications$.subscribe((told) => {
        log.push(shown(told));
        subscription.unsubscribe();
      });
      emit(list(1, at('a', 1), at('b', 1)));
      expect(log).toEqual(['add a1 initial']);
      expect(counts).toEqual({ subscribed: 1, unsubscribed: 1 });
      expect([listeners(), store.stale, synced(statuses)]).toEqual([0, true, 0]);
    });

    it('may leave and join again: a new run begins', () => {
      const { emit, notifications$, counts } = shared();
      const again: string[] = [];
      const rejoin = () => notifications$.subscribe((told) => again.push(shown(told)));
      const subscription = notifications$.subscribe(() => {
        subscription.unsubscribe();
        rejoin();
      });
      emit(list(1, at('a', 1)));
      expect([again, counts]).toEqual([[], { subscribed: 2, unsubscribed: 1 }]);
      emit(list(2, at('a', 2)));
      expect(again).toEqual(['add a2 initial']);
    });

    it('that hears of the end may join again: a new run begins', () => {
      const { emit, notifications$, counts, source } = shared();
      const again: string[] = [];
      const rejoin = () => notifications$.subscribe((told) => again.push(shown(told)));
      notifications$.subscribe({
        complete: () => rejoin(),
      });
      const other = recorded(notifications$, shown);
      emit(list(1, at('a', 1)));
      source().complete();
      expect(other.log).toEqual(['add a1 initial', 'complete']);
      emit(list(2, at('a', 1), at('b', 2)));
      expect(again).toEqual(['add a1 initial', 'add b2 initial']);
      expect(counts).toEqual({ subscribed: 2, unsubscribed: 1 });
    });

    it('that throws hurts nobody else', () => {
      const thrown: (() => void)[] = [];
      jest.spyOn(globalThis, 'setTimeout').mockImplementation(((report: () => void) => {
        thrown.push(report);
      }) as never);
      const { emit, notifications$, join } = shared();
      notifications$.subscribe(() => {
        throw new Error('handler');
      });
      const { log } = join();
      emit(list(1, at('a', 1)), updated(at('a', 2)));
      expect(log).toEqual(['add a1 initial', 'update a1 a2']);
      expect(thrown).toHaveLength(2);
      expect(thrown[0]).toThrow('handler');
    });
  });

  describe('a new run with the store of an earlier one', () => {
    it('waits for its first list, and tells all of it as initial, changed or not', () => {
      const { emit, join, store } = shared();
      const first = join();
      emit(list(1, at('a', 1), at('b', 1)));
      first.subscription.unsubscribe();

      const second = join();
      const third = join();
      expect(store.size).toBe(2);
      expect([second.log, third.log]).toEqual([[], []]);
      emit(list(2, at('a', 1), at('c', 2)));
      expect(second.log).toEqual(['add a1 initial', 'add c2 initial']);
      expect(third.log).toEqual(['add a1 initial', 'add c2 initial']);
    });

    it('is not begun by a list that somebody else writes before', () => {
      const { join, store, emit } = shared();
      store.replace(list(1, at('a', 1))).commit();
      const { log } = join();
      expect(log).toEqual([]);
      emit(list(1, at('a', 1)));
      expect(log).toEqual(['add a1 initial']);
    });
  });

  describe('synced', () => {
    it('is reported once, when all who waited have been told the list', () => {
      const { context, settle, turn, turnUntil } = slowContext();
      const { emit, join, statuses } = shared({ context });
      const one = join();
      const two = join();
      emit(list(1, ...many(30)));
      turnUntil(() => two.log.length > 0);
      expect(synced(statuses)).toBe(0);
      turn();
      expect([one.log.length, two.log.length, synced(statuses)]).toEqual([30, 30, 1]);
      join();
      emit(list(2, ...many(20, 2)));
      settle();
      expect(synced(statuses)).toBe(1);
    });

    it('does not wait for who joined later, nor for who left', () => {
      const { context, turn, turnUntil, settle } = slowContext();
      const { emit, join, statuses } = shared({ context });
      const leaver = join();
      const stayer = join();
      emit(list(1, ...many(30)));
      turnUntil(() => stayer.log.length > 0);
      join();
      leaver.subscription.unsubscribe();
      expect(synced(statuses)).toBe(0);
      turn();
      expect([stayer.log.length, synced(statuses)]).toEqual([30, 1]);
      settle();
      expect(synced(statuses)).toBe(1);
    });

    it('is reported where the only one who waited leaves, while another has joined', () => {
      const { context, turnUntil, settle } = slowContext();
      const { emit, join, statuses } = shared({ context });
      const first = join();
      emit(list(1, ...many(30)));
      turnUntil(() => first.log.length > 0);
      join();
      first.subscription.unsubscribe();
      settle();
      expect(synced(statuses)).toBe(1);
    });

    it('is reported where nobody waits, in the linger', () => {
      const scheduler = testScheduler();
      const context = createContext({ scheduler });
      const { emit, join, statuses } = shared({ context, linger: 1000 });
      join().subscription.unsubscribe();
      emit(list(1, at('a', 1)));
      expect(synced(statuses)).toBe(1);
      expect(join().log).toEqual(['add a1 initial']);
    });

    it('is not reported of a run that has ended', () => {
      const { context, turnUntil, settle } = slowContext();
      const { emit, join, statuses, source } = shared({ context });
      const only = join();
      emit(list(1, ...many(30)));
      turnUntil(() => only.log.length > 0);
      only.subscription.unsubscribe();
      settle();
      expect(synced(statuses)).toBe(0);

      const next = join();
      emit(list(2, ...many(30)));
      turnUntil(() => next.log.length > 0);
      source().error(failure);
      settle();
      expect(synced(statuses)).toBe(0);
    });

    it('is reported of each run', () => {
      const { emit, join, statuses } = shared();
      join().subscription.unsubscribe();
      join();
      emit(list(1));
      expect(synced(statuses)).toBe(1);
    });
  });

  describe('the store', () => {
    it('is listened to until the first list only', () => {
      const { emit, join, listeners } = shared();
      expect(listeners()).toBe(0);
      join();
      join();
      expect(listeners()).toBe(1);
      emit(list(1));
      expect(listeners()).toBe(0);
    });

    it.each(['unsubscribed', 'completed', 'failed'])('is not listened to any more when all is %s', (how) => {
      const { join, listeners, source } = shared();
      const { subscription } = join();
      expect(listeners()).toBe(1);
      if (how === 'unsubscribed') subscription.unsubscribe();
      else if (how === 'completed') source().complete();
      else source().error(failure);
      expect(listeners()).toBe(0);
    });

    it('is not listened to for who is gone before it begins', () => {
      const { notifications$, listeners, counts } = shared();
      new Observable<Notification<Widget>>((subscriber) => {
        subscriber.complete();
        return notifications$.subscribe(subscriber);
      }).subscribe();
      expect([listeners(), counts.subscribed]).toEqual([0, 0]);
    });
  });

  it('shows each state in the store when it is told, also of what was folded in', () => {
    const { context, settle } = slowContext();
    const { emit, notifications$, store } = shared({ context });
    let told = 0;
    const check = ({ key, type, entry, revision }: Notification<Widget>): void => {
      told += 1;
      expect(store.get(key)).toBe(type === 'delete' ? undefined : entry);
      expect(store.revision).toBeGreaterThanOrEqual(revision);
    };
    notifications$.subscribe(check);
    emit(list(1, ...many(40)));
    settle();
    notifications$.subscribe(check);
    emit(updated(at('w39', 2)), deleted(at('w38', 2)), updated(at('w0', 2)));
    settle();
    expect(told).toBe(40 + 3 + 39 + 1);
  });

  it('takes a synchronous source that ends at once', () => {
    const store: WritableStore<Widget> = createStore();
    const notifications$ = of(list(1, at('a', 1))).pipe(applyToStore(store), shareNotifications(store));
    expect(recorded(notifications$, shown).log).toEqual(['add a1 initial', 'complete']);
    expect(recorded(notifications$, shown).log).toEqual(['add a1 initial', 'complete']);
    const failed$ = throwError(() => failure).pipe(shareNotifications(store));
    expect(recorded(failed$, shown).log).toEqual(['error x']);
  });

  it('shares nothing between two uses of one operator', () => {
    const store: WritableStore<Widget> = createStore();
    const share = shareNotifications(store);
    let subscribed = 0;
    const source$ = defer(() => {
      subscribed += 1;
      return NEVER;
    });
    source$.pipe(share).subscribe();
    source$.pipe(share).subscribe();
    expect(subscribed).toBe(2);
  });

  it.each([-1, NaN, Infinity, 2 ** 31, '5' as never])('throws at the call for a linger of %p', (linger) => {
    expect(thrownBy(() => shareNotifications(createStore(), { linger }))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'linger',
    });
  });
});
