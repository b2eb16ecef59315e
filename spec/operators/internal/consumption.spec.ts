import fc from 'fast-check';
import { NEVER, Subject, tap, timer, VirtualTimeScheduler } from 'rxjs';
import { applyToStore } from '../../../operators/applyToStore.ts';
import { block } from '../../../operators/block.ts';
import { coalesce } from '../../../operators/coalesce.ts';
import { dropNewest } from '../../../operators/dropNewest.ts';
import { dropOldest } from '../../../operators/dropOldest.ts';
import { mergeByKey } from '../../../operators/mergeByKey.ts';
import { shareNotifications } from '../../../operators/shareNotifications.ts';
import { throwIfFull } from '../../../operators/throwIfFull.ts';
import { createContext, type PipelineContext } from '../../../src/context.ts';
import type { Delta } from '../../../src/queue/delta.ts';
import type { Notification } from '../../../src/store/notification.ts';
import { createStore } from '../../../src/store/store.ts';
import { thrownBy } from '../../kubernetes/thrown.ts';
import { History, happenings, Listener } from '../../store/history.ts';
import type { Widget } from '../../store/objects.ts';
import { add, byHand, type Delivery, gone, update } from '../handling.ts';
import {
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
  typesOf,
  updated,
} from '../pipeline.ts';

const POLICIES: readonly (readonly [string, Delivery])[] = [
  ['coalesce', coalesce],
  ['dropOldest', dropOldest],
  ['dropNewest', dropNewest],
  ['throwIfFull', throwIfFull],
  ['block', block],
];
const KEEPING = POLICIES.filter(([name]) => name !== 'throwIfFull');

afterEach(() => {
  jest.restoreAllMocks();
});

/** A store that is told to subscribers, and a way to change it. */
function shared(context: PipelineContext) {
  const store = createStore<Widget>();
  const deltas$ = new Subject<Delta<Widget>>();
  const notifications$ = deltas$.pipe(
    mergeByKey({ context }),
    applyToStore(store, { context }),
    shareNotifications(store, { context }),
  );
  const emit = (...deltas: Delta<Widget>[]): void => {
    for (const delta of deltas) deltas$.next(delta);
  };
  return { store, notifications$, emit };
}

/** A handler that is done with the first of what it handles when told so. */
function handler() {
  const begun: string[] = [];
  const ends: Subject<never>[] = [];
  const handle = (told: Notification<Widget>): Subject<never> => {
    begun.push(shown(told));
    const end$ = new Subject<never>();
    ends.push(end$);
    return end$;
  };
  return { begun, handle, done: () => ends.shift()?.complete() };
}

describe.each(POLICIES)('%s', (name, delivery) => {
  describe('of what the store holds', () => {
    it('takes one after the other, which takes up no room', () => {
      const context = stillContext();
      const { notifications$, emit } = shared(context);
      const { begun, handle, done } = handler();
      const { log } = recorded(notifications$.pipe(delivery(handle, { capacity: 2, context })));
      emit(list(1, ...many(1000)));
      expect([...context.backlogs]).toMatchObject([{ length: 1, handed: 1, lost: 0 }]);
      emit(updated(at('w0', 2)), updated(at('w1', 2)), updated(at('w500', 2)));
      expect([...context.backlogs]).toMatchObject([
        name === 'coalesce' ? { length: 2, lost: 1 } : { length: 3, lost: 0 },
      ]);
      expect(log).toEqual([]);
      for (let left = 1100; left > 0; left -= 1) done();
      expect(begun).toHaveLength(1002 - (name === 'coalesce' ? 1 : 0));
      expect(begun).toContain('add w5002 initial');
    });

    it('takes as many at a time as it handles, and one more', () => {
      const context = stillContext();
      const { notifications$, emit } = shared(context);
      const { begun, handle } = handler();
      notifications$.pipe(delivery(handle, { concurrency: 3, context })).subscribe();
      emit(list(1, ...many(1000)));
      expect(begun).toHaveLength(3);
      expect([...context.backlogs]).toMatchObject([{ length: 1 }]);
    });

    it('goes on where what waits of it was deleted', () => {
      const context = stillContext();
      const { notifications$, emit } = shared(context);
      const { begun, handle, done } = handler();
      notifications$.pipe(delivery(handle, { context })).subscribe();
      emit(list(1, ...many(4)));
      emit(deleted(at('w1', 2)));
      for (let left = 10; left > 0; left -= 1) done();
      expect(begun.filter((told) => !told.includes('w1'))).toEqual([
        'add w01 initial',
        'add w21 initial',
        'add w31 initial',
      ]);
    });

    it('has its turn also where others change all the time', () => {
      const context = stillContext();
      const { notifications$, emit } = shared(context);
      const { begun, handle, done } = handler();
      notifications$.pipe(delivery(handle, { context })).subscribe();
      emit(list(1, ...many(20)));
      for (let version = 2; version < 100; version += 1) {
        emit(updated(at('w0', version)));
        done();
        if (version % 2 === 0) done();
      }
      expect(begun.filter((told) => told.includes('initial'))).toHaveLength(20);
    });
  });

  describe('gives way', () => {
    const waiting = (delivered: (told: Notification<Widget>) => unknown, count: number) => {
      const slow = slowContext();
      const { context } = slow;
      const source$ = new Subject<Notification<Widget>>();
      const first$ = new Subject<never>();
      const handled: string[] = [];
      const handle = (told: Notification<Widget>) => {
        handled.push(told.key);
        return handled.length === 1 ? first$ : delivered(told);
      };
      source$
        .pipe(delivery(handle, { context, capacity: Infinity, highWater: Infinity, lowWater: 1 }))
        .subscribe();
      for (let index = 0; index <= count; index += 1) source$.next(add(`w${index}`, 1));
      slow.settle();
      expect(handled).toHaveLength(1);
      return { ...slow, handled, first$ };
    };

    it('while it catches up with what is done at once', () => {
      const { handled, first$, turn, settle } = waiting(() => 'done', 100);
      first$.complete();
      expect(handled.length).toBeLessThan(5);
      const before = handled.length;
      turn();
      expect(handled.length - before).toBe(1);
      settle();
      expect(handled).toHaveLength(101);
    });

    it('while it catches up with promises that are resolved at once', async () => {
      const { handled, first$, turn } = waiting(() => Promise.resolve(), 100);
      first$.complete();
      for (let left = 1000; left > 0; left -= 1) await Promise.resolve();
      expect(handled.length).toBeLessThan(5);
      while (turn()) for (let left = 10; left > 0; left -= 1) await Promise.resolve();
      expect(handled).toHaveLength(101);
    });
  });

  it('is known to the context as long as it lasts', () => {
    const context = stillContext();
    const source$ = new Subject<Notification<Widget>>();
    const subscription = source$.pipe(delivery(() => NEVER, { context })).subscribe();
    const mine = source$.pipe(delivery(() => NEVER, { context, name: 'mine', capacity: 8 })).subscribe();
    expect([...context.backlogs]).toMatchObject([{ name }, { name: 'mine' }]);
    subscription.unsubscribe();
    mine.unsubscribe();
    expect([...context.backlogs]).toEqual([]);
    source$.pipe(delivery(shown, { context })).subscribe();
    source$.complete();
    expect([...context.backlogs]).toEqual([]);
  });

  it('knows for how long the oldest has waited', () => {
    const scheduler = new VirtualTimeScheduler();
    const context = createContext({ scheduler });
    const source$ = new Subject<Notification<Widget>>();
    source$.pipe(delivery(() => NEVER, { context })).subscribe();
    source$.next(add('a', 1));
    const lag = () => [...context.backlogs].map((backlog) => backlog.lag);
    expect(lag()).toEqual([0]);
    scheduler.frame = 5;
    source$.next(update('a', 1, 2));
    scheduler.frame = 8;
    source$.next(add('b', 1));
    scheduler.frame = 12;
    expect(lag()).toEqual([7]);
  });

  it('tells each level once, down from the high-water mark to the low-water mark', () => {
    const levels: unknown[] = [];
    const { tell, done, context } = byHand(delivery, { highWater: 3, lowWater: 1, capacity: 8 });
    context.status.status$.subscribe((status) => {
      if (status.type === 'backlog') levels.push([status.backlog.level, status.backlog.length]);
    });
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    tell(...names.slice(0, 3).map((key) => add(key, 1)));
    expect(levels).toEqual([]);
    tell(...names.slice(3, 6).map((key) => add(key, 1)));
    expect(levels).toEqual([['high', 3]]);
    for (const key of names.slice(0, 3)) done(key);
    expect(levels).toHaveLength(1);
    done('d');
    expect(levels).toEqual([
      ['high', 3],
      ['low', 1],
    ]);
    tell(add('g', 1), add('h', 1));
    expect(levels.at(-1)).toEqual(['high', 3]);
  });

  it.each([
    ['concurrency', { concurrency: 0 }],
    ['highWater', { highWater: 0 }],
    ['highWater', { highWater: 1.5 }],
    ['lowWater', { highWater: 4, lowWater: 4 }],
    ['lowWater', { lowWater: -1 }],
    ...(name === 'coalesce'
      ? []
      : ([
          ['capacity', { capacity: 0 }],
          ['capacity', { capacity: 1.5 }],
          ['highWater', { capacity: 2, highWater: 3 }],
        ] as const)),
  ] as const)('throws at the call: %s', (option, options) => {
    expect(thrownBy(() => delivery(shown, { context: stillContext(), ...options }))).toMatchObject({
      code: 'INVALID_OPTION',
      option,
    });
  });
});

describe.each(KEEPING)('%s', (_, delivery) => {
  it('leads each handler to the last state of each key, one key at a time, whatever it takes', () => {
    const steps = fc.array(fc.tuple(happenings, fc.nat(3)), { minLength: 10, maxLength: 60 });
    const options = fc.record({
      capacity: fc.integer({ min: 1, max: 5 }),
      concurrency: fc.constantFrom(1, 2, 3, Infinity),
    });
    fc.assert(
      fc.property(steps, options, fc.array(fc.nat(6), { minLength: 1 }), (during, given, takes) => {
        const scheduler = new VirtualTimeScheduler();
        const context = createContext({ scheduler });
        const store = createStore<Widget>();
        const history = new History(store);
        const source$ = new Subject<Notification<Widget>>();
        const listener = new Listener();
        const handled = new Set<string>();
        let calls = 0;
        const handle = (told: Notification<Widget>) => {
          expect(handled.has(told.key)).toBe(false);
          handled.add(told.key);
          listener.take(told);
          calls += 1;
          return timer(takes[calls % takes.length] ?? 0, scheduler).pipe(
            tap({ complete: () => handled.delete(told.key) }),
          );
        };
        const statuses = statusesOf(context);
        let completed = false;
        source$
          .pipe(delivery(handle, { ...given, context }))
          .subscribe({ complete: () => (completed = true) });
        let came = 0;
        for (const [happening, pause] of during) {
          for (const told of history.happen(happening)) {
            came += 1;
            source$.next(told);
          }
          advance(scheduler, pause);
          const [{ length, handed, lost } = { length: 0, handed: 0, lost: 0 }] = context.backlogs;
          expect([handed, length + handed + lost]).toEqual([calls, came]);
        }
        source$.complete();
        scheduler.maxFrames = Infinity;
        scheduler.flush();
        expect(completed).toBe(true);
        expect(typesOf(statuses)).not.toContain('problem');
        expect(new Map([...listener.known].sort())).toEqual(
          new Map(
            store
              .list()
              .map((entry) => [entry.key, entry] as const)
              .sort(),
          ),
        );
      }),
    );
  });
});

it('counts what came and went unseen', () => {
  const { tell, context } = byHand(coalesce, {});
  tell(add('a', 1), add('b', 1), gone('b', 2));
  expect([...context.backlogs]).toMatchObject([{ length: 0, lost: 2, handed: 1 }]);
});
