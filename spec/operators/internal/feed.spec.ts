import { type Observable, Subject, take, VirtualTimeScheduler } from 'rxjs';
import { applyToStore } from '../../../operators/applyToStore.ts';
import { coalesce } from '../../../operators/coalesce.ts';
import type { NotificationsOptions } from '../../../operators/internal/notificationsOptions.ts';
import { mergeByKey } from '../../../operators/mergeByKey.ts';
import { shareNotifications } from '../../../operators/shareNotifications.ts';
import { createContext, type PipelineContext } from '../../../src/context.ts';
import type { Delta } from '../../../src/queue/delta.ts';
import { holdOf, type Notification } from '../../../src/store/notification.ts';
import { createStore } from '../../../src/store/store.ts';
import { thrownBy } from '../../kubernetes/thrown.ts';
import type { Widget } from '../../store/objects.ts';
import {
  added,
  advance,
  at,
  deleted,
  list,
  many,
  recorded,
  shown,
  slowContext,
  statusesOf,
  stillContext,
  updated,
} from '../pipeline.ts';

function shared(context: PipelineContext = stillContext()) {
  const store = createStore<Widget>();
  const deltas$ = new Subject<Delta<Widget>>();
  const statuses = statusesOf(context);
  const source$ = deltas$.pipe(mergeByKey({ context }), applyToStore(store, { context }));
  const shared$ = shareNotifications(store, { context })(source$);
  return {
    context,
    store,
    deltas$,
    shared$,
    problems: () => statuses.flatMap((status) => (status.type === 'problem' ? [status.error.message] : [])),
    emit: (...deltas: Delta<Widget>[]): void => {
      for (const delta of deltas) deltas$.next(delta);
    },
    /** What one is told; `synced` where it is called. */
    join: (options: NotificationsOptions = {}) => {
      const log: string[] = [];
      const onSynced = (): void => {
        log.push('synced');
        options.onSynced?.();
      };
      const told = recorded(shared$.with({ ...options, onSynced }), (notification) => {
        log.push(shown(notification));
        return '';
      });
      return { log, ended: () => told.log.at(-1), subscription: told.subscription };
    },
  };
}

/** One that wants no more of the store after each, until `pull`. */
function holding(notifications$: Observable<Notification<Widget>>) {
  const log: string[] = [];
  let pull = (): void => undefined;
  const subscription = notifications$.subscribe({
    next(told) {
      log.push(shown(told));
      pull = holdOf(told)?.() ?? pull;
    },
    complete: () => log.push('complete'),
  });
  return { log, pull: () => pull(), subscription };
}

/** A handler that is done when the spec says so. */
function byHand() {
  const handled: string[] = [];
  const done$ = new Subject<void>();
  const handler = (told: Notification<Widget>): Observable<void> => {
    handled.push(shown(told));
    return done$.pipe(take(1));
  };
  return { handled, handler, done: () => done$.next() };
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a subscriber of its own synced', () => {
  it('is told when it has all that the store held, before what changes then', () => {
    const { emit, join } = shared();
    const early = join();
    expect(early.log).toEqual([]);
    emit(list(1, at('a', 1), at('b', 1)), added(at('c', 2)));
    expect(early.log).toEqual(['add a1 initial', 'add b1 initial', 'synced', 'add c2']);
    expect(join().log).toEqual(['add a1 initial', 'add b1 initial', 'add c2 initial', 'synced']);
  });

  it('is told of an empty store, too', () => {
    const { emit, join } = shared();
    const early = join();
    emit(list(1));
    expect([early.log, join().log]).toEqual([['synced'], ['synced']]);
  });

  it('is not told by a relist again', () => {
    const { emit, join } = shared();
    const { log } = join();
    emit(list(1, at('a', 1)), list(2, at('a', 2)));
    expect(log).toEqual(['add a1 initial', 'synced', 'update a1 a2']);
  });

  it('is told when it has pulled all of it, whoever else is in sync by then', () => {
    const { emit, shared$, join } = shared();
    let synced = 0;
    const { log, pull } = holding(shared$.with({ onSynced: () => (synced += 1) }));
    const other = join();
    emit(list(1, at('a', 1), at('b', 1)));
    expect([other.log.at(-1), log, synced]).toEqual(['synced', ['add a1 initial'], 0]);
    pull();
    expect([log.length, synced]).toEqual([2, 0]);
    pull();
    expect(synced).toBe(1);
  });

  it('is told when a handler was given the last of it', () => {
    const { emit, shared$, context } = shared();
    let synced = 0;
    const { handler, handled, done } = byHand();
    shared$
      .with({ onSynced: () => (synced += 1) })
      .pipe(coalesce(handler, { context }))
      .subscribe();
    emit(list(1, at('a', 1), at('b', 1)));
    expect([handled.length, synced]).toEqual([1, 0]);
    done();
    expect([handled.length, synced]).toEqual([2, 1]);
  });

  it('is told before the end of the source, where that comes meanwhile', () => {
    const { emit, shared$, deltas$, join } = shared();
    join();
    emit(list(1, at('a', 1)));
    const log: string[] = [];
    const slow = holding(shared$.with({ onSynced: () => log.push('synced') }));
    deltas$.complete();
    expect([log, slow.log]).toEqual([[], ['add a1 initial']]);
    slow.pull();
    expect([log, slow.log]).toEqual([['synced'], ['add a1 initial', 'complete']]);
  });

  it('that leaves inside the replay is not told', () => {
    const { context, settle } = slowContext();
    const { emit, join } = shared(context);
    join();
    emit(list(1, ...many(40)));
    settle();
    const { log, subscription } = join();
    subscription.unsubscribe();
    settle();
    expect(log).toHaveLength(16);
    expect(log).not.toContain('synced');
  });

  it('may leave in it: it is told nothing more', () => {
    const { emit, shared$ } = shared();
    for (const initial of [true, false]) {
      const { log, subscription } = recorded(
        shared$.with({ initial, onSynced: () => subscription.unsubscribe() }),
        shown,
      );
      emit(list(1, at('a', 1)), updated(at('a', 2)));
      expect(log).toEqual(initial ? ['add a1 initial'] : []);
    }
  });

  it('may make another leave in it, that is not told then', () => {
    for (const initial of [true, false]) {
      const { emit, join } = shared();
      const others: { unsubscribe(): void }[] = [];
      join({
        onSynced() {
          for (const other of others) other.unsubscribe();
        },
      });
      const other = join({ initial });
      others.push(other.subscription);
      emit(list(1, at('a', 1)));
      expect(other.log).toEqual([]);
    }
  });

  it('may throw in it: that is a problem, and hurts nobody', () => {
    const { emit, join, problems } = shared();
    const onSynced = (): void => {
      throw new Error('mine');
    };
    const [one, two, other] = [join({ onSynced }), join({ initial: false, onSynced }), join()];
    emit(list(1, at('a', 1)), added(at('b', 2)));
    expect(one.log).toEqual(['add a1 initial', 'synced', 'add b2']);
    expect(two.log).toEqual(['synced', 'add b2']);
    expect(other.log).toEqual(one.log);
    expect(problems()).toEqual(['onSynced failed: mine', 'onSynced failed: mine']);
  });
});

describe('a subscriber without the store', () => {
  it('is told only what changes after it joined', () => {
    const { emit, join } = shared();
    const early = join({ initial: false });
    emit(list(1, at('a', 1), at('b', 1)));
    expect(early.log).toEqual(['synced']);
    emit(updated(at('a', 2)));
    const late = join({ initial: false });
    expect(late.log).toEqual(['synced']);
    emit(updated(at('b', 3)), deleted(at('a', 4)), added(at('c', 5)));
    expect(early.log.slice(1)).toEqual(['update a1 a2', 'update b1 b3', 'delete a4', 'add c5']);
    expect(late.log.slice(1)).toEqual(['update b1 b3', 'delete a4', 'add c5']);
  });

  it('reads the store with no gap when it is called, whatever is being told then', () => {
    const { context, settle, turn } = slowContext();
    const { emit, shared$, store, join } = shared(context);
    const readers: { known: Map<string, string>; revision: number }[] = [];
    const read = (): void => {
      const reader = { known: new Map<string, string>(), revision: -1 };
      readers.push(reader);
      shared$
        .with({
          initial: false,
          onSynced() {
            reader.revision = store.revision;
            for (const { key, resourceVersion = '' } of store.list()) reader.known.set(key, resourceVersion);
          },
        })
        .subscribe((told) => {
          expect(told.revision).toBeGreaterThan(reader.revision);
          const { key, entry } = told;
          const { resourceVersion = '' } = entry;
          if (told.type === 'add') expect(reader.known.has(key)).toBe(false);
          if (told.type === 'update') expect(reader.known.get(key)).toBe(told.oldEntry.resourceVersion);
          if (told.type === 'delete') expect(reader.known.delete(key)).toBe(true);
          else reader.known.set(key, resourceVersion);
        });
    };
    // One that joins in the middle of a delete and an add of one name, too.
    shared$.subscribe(({ key, type }) => {
      if (key === 'w0' && type === 'delete') read();
    });
    read();
    emit(list(1, ...many(40)));
    settle();
    emit(list(2, ...many(39, 2).slice(1), at('w0', 2, { uid: 'another' })));
    turn();
    read();
    emit(updated(at('w5', 3)), deleted(at('w7', 3)), added(at('z', 3)));
    turn();
    read();
    settle();
    join();
    settle();
    const now = new Map(store.list().map(({ key, resourceVersion = '' }) => [key, resourceVersion]));
    expect(readers).toHaveLength(4);
    for (const { known } of readers) expect([...known].sort()).toEqual([...now].sort());
  });

  it('keeps `synced` of the informer waiting for nobody, and ends with the source', () => {
    const { emit, join, deltas$, context } = shared();
    const statuses = statusesOf(context);
    const { log, ended } = join({ initial: false });
    emit(list(1, at('a', 1)));
    expect(statuses.filter(({ type }) => type === 'synced')).toHaveLength(1);
    deltas$.complete();
    expect([log, ended()]).toEqual([['synced'], 'complete']);
  });

  it('is told nothing by a run that ends before its first list', () => {
    const { join, deltas$ } = shared();
    const { log, ended } = join({ initial: false });
    deltas$.complete();
    expect([log, ended()]).toEqual([[], 'complete']);
  });
});

describe('a subscriber with a resync', () => {
  /** Time goes on by hand; no slice is ever over. */
  function inTime() {
    const scheduler = new VirtualTimeScheduler();
    const context = createContext({ scheduler, random: () => 0 });
    return {
      ...shared(context),
      advance: (milliseconds: number) => {
        advance(scheduler, milliseconds);
      },
      scheduler,
    };
  }

  it('is told what is stored at each period, and nobody else is', () => {
    const { emit, join, advance } = inTime();
    const { log } = join({ resync: 30_000 });
    const other = join();
    emit(list(1, at('a', 1), at('b', 1)));
    advance(29_999);
    expect(log).toHaveLength(3);
    advance(1);
    expect(log.slice(3)).toEqual(['sync a1', 'sync b1']);
    emit(deleted(at('a', 2)), added(at('c', 3)));
    advance(30_000);
    expect(log.slice(5)).toEqual(['delete a2', 'add c3', 'sync b1', 'sync c3']);
    expect(other.log.filter((told) => told.startsWith('sync '))).toEqual([]);
  });

  it('has a period of its own', () => {
    const { emit, join, advance } = inTime();
    const [quick, slow] = [join({ resync: 10 }), join({ resync: 25 })];
    emit(list(1, at('a', 1)));
    advance(50);
    const syncs = ({ log }: typeof quick) => log.filter((told) => told === 'sync a1').length;
    expect([syncs(quick), syncs(slow)]).toEqual([5, 2]);
  });

  it('is told nothing of it before the first list, and in place of the store', () => {
    const { emit, shared$, advance } = inTime();
    const { log, pull } = holding(shared$.with({ resync: 10 }));
    advance(10);
    expect(log).toEqual([]);
    emit(list(1, at('a', 1), at('b', 1)));
    advance(20);
    expect(log).toEqual(['add a1 initial']);
    pull();
    pull();
    advance(10);
    expect(log).toEqual(['add a1 initial', 'add b1 initial', 'sync a1']);
  });

  it('pulls it, and is not told twice what it is still being told', () => {
    const { emit, shared$, advance } = inTime();
    const { log, pull } = holding(shared$.with({ initial: false, resync: 10 }));
    emit(list(1, at('a', 1), at('b', 1), at('c', 1)));
    advance(10);
    expect(log).toEqual(['sync a1']);
    advance(100);
    expect(log).toEqual(['sync a1']);
    emit(updated(at('a', 2)), updated(at('b', 2)), deleted(at('c', 2)));
    expect(log.slice(1)).toEqual(['update a1 a2', 'update b1 b2', 'delete c2']);
    pull();
    expect(log.slice(4)).toEqual(['sync b2']);
    pull();
    expect(log).toHaveLength(5);
    advance(10);
    expect(log.slice(5)).toEqual(['sync a2']);
  });

  it('is told nothing of it of what waits for its handler', () => {
    const { emit, shared$, advance, context } = inTime();
    const { handler, handled, done } = byHand();
    shared$.with({ resync: 10 }).pipe(coalesce(handler, { context })).subscribe();
    emit(list(1, at('a', 1), at('b', 1), at('c', 1)));
    done();
    done();
    expect(handled).toEqual(['add a1 initial', 'add b1 initial', 'add c1 initial']);
    emit(updated(at('a', 2)));
    advance(10);
    done();
    done();
    done();
    done();
    expect(handled.slice(3)).toEqual(['update a1 a2', 'sync b1', 'sync c1']);
  });

  it('is told a state as the same only after it was told it as a change', () => {
    const { context, settle, turnUntil, scheduler } = slowContext();
    const { emit, join } = shared(context);
    const { log } = join({ resync: 10 });
    emit(list(1, ...many(40)));
    settle();
    emit(list(2, ...many(20, 2), at('z', 2)));
    turnUntil(() => log.length > 41);
    scheduler.maxFrames = 10;
    scheduler.flush();
    settle();
    const before = log.slice(41);
    expect(before).toHaveLength(20 + 21 + 21);
    expect(before.slice(0, 41).filter((told) => told.startsWith('sync'))).toEqual([]);
    expect(before.at(-1)).toBe('sync z2');
  });

  it('may leave inside of it, and leaves no timer', () => {
    const { emit, shared$, advance, scheduler } = inTime();
    const { log, subscription } = recorded(shared$.with({ resync: 10 }), (told) => {
      if (told.type === 'sync') subscription.unsubscribe();
      return shown(told);
    });
    emit(list(1, at('a', 1), at('b', 1)));
    advance(100);
    expect(log).toEqual(['add a1 initial', 'add b1 initial', 'sync a1']);
    expect(scheduler.actions).toHaveLength(0);
  });

  it('gives way, and is told nothing after it left', () => {
    const { context, settle, turns, scheduler } = slowContext();
    const { emit, join } = shared(context);
    const { log, subscription } = join({ initial: false, resync: 10 });
    emit(list(1, ...many(40)));
    settle();
    scheduler.maxFrames = 10;
    scheduler.flush();
    expect(log).toHaveLength(1 + 16);
    subscription.unsubscribe();
    settle();
    expect([log.length, turns.length]).toEqual([17, 0]);
  });

  it('does not wait for the rest of it when the source ends', () => {
    const { emit, shared$, advance, deltas$ } = inTime();
    const { log, pull } = holding(shared$.with({ resync: 10 }));
    emit(list(1, at('a', 1), at('b', 1)));
    pull();
    pull();
    advance(10);
    deltas$.complete();
    pull();
    expect(log).toEqual(['add a1 initial', 'add b1 initial', 'sync a1', 'complete']);
  });
});

describe('the options of a subscriber', () => {
  it.each<[string, NotificationsOptions]>([
    ['initial', { initial: 1 as never }],
    ['onSynced', { onSynced: 'x' as never }],
    ['resync', { resync: -1 }],
    ['resync', { resync: 0.5 }],
    ['resync', { resync: 2 ** 31 }],
    ['resync', { resync: '5' as never }],
    ['options', 5 as never],
  ])('are checked at the call: %s', (option, options) => {
    expect(thrownBy(() => shared().shared$.with(options))).toMatchObject({ code: 'INVALID_OPTION', option });
  });
});
