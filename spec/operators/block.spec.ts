import fc from 'fast-check';
import {
  concat,
  NEVER,
  Observable,
  of,
  type SchedulerLike,
  Subject,
  timer,
  VirtualTimeScheduler,
} from 'rxjs';
import { type BlockOptions, block } from '../../operators/block.ts';
import { createContext, type PipelineContext } from '../../src/context.ts';
import { InvalidOptionError } from '../../src/errors.ts';
import type { Notification } from '../../src/store/notification.ts';
import { createStore } from '../../src/store/store.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import { History, happenings, Listener } from '../store/history.ts';
import type { Widget } from '../store/objects.ts';
import { add, byHand, update } from './handling.ts';
import { advance, shown, statusesOf, stillContext, typesOf } from './pipeline.ts';

/** Virtual time, and what happened to the flow when. */
function onClock() {
  const scheduler = new VirtualTimeScheduler();
  const context = createContext({ scheduler });
  const flows: string[] = [];
  context.flow.listen((paused) => flows.push(`${scheduler.now()} ${paused ? 'stops' : 'flows'}`));
  const statuses = statusesOf(context);
  const blocks = () =>
    statuses.flatMap((status) => {
      if (status.type === 'blocked') return [`blocked for ${status.limit}`];
      return status.type === 'unblocked' ? [`${status.reason} after ${status.lasted}`] : [];
    });
  /** Works until then. */
  const until = (time: number): void => {
    advance(scheduler, time - scheduler.frame);
  };
  return { scheduler, context, statuses, flows, blocks, until };
}

describe('block', () => {
  const OPTIONS = { capacity: 4, highWater: 3, lowWater: 1, maxPause: 100 };

  /** One whose handler takes so long. */
  function blocker(takes: number, options: Partial<BlockOptions> = {}) {
    const clock = onClock();
    const source$ = new Subject<Notification<Widget>>();
    const handled: string[] = [];
    const handler = (told: Notification<Widget>) => {
      handled.push(shown(told));
      return timer(takes, clock.scheduler);
    };
    const subscription = source$
      .pipe(block(handler, { ...OPTIONS, context: clock.context, ...options }))
      .subscribe();
    const tell = (...names: string[]): void => {
      for (const name of names) source$.next(add(name, 1));
    };
    return { ...clock, source$, handled, subscription, tell };
  }

  it('stops the reading from the high-water mark until the low-water mark, and says so', () => {
    const { tell, until, flows, blocks, context } = blocker(10);
    tell('a', 'b', 'c');
    expect(flows).toEqual([]);
    tell('d');
    expect(context.flow.paused).toBe(true);
    until(19);
    expect(context.flow.paused).toBe(true);
    until(50);
    expect(flows).toEqual(['0 stops', '20 flows']);
    expect(blocks()).toEqual(['blocked for 100', 'caught up after 20']);
  });

  it('stops it for a bounded time, then merges by key what comes above the capacity', () => {
    const { tell, until, flows, blocks, context, source$, handled } = blocker(1000);
    tell('a', 'b', 'c', 'd');
    until(100);
    expect(flows).toEqual(['0 stops', '100 flows']);
    expect(blocks()).toEqual(['blocked for 100', 'time is over after 100']);
    tell('e', 'f');
    for (let version = 1; version < 10; version += 1) source$.next(update('f', version, version + 1));
    expect([...context.backlogs]).toMatchObject([{ level: 'full', length: 5, lost: 9 }]);
    expect(flows).toHaveLength(2);
    until(10_000);
    expect(handled.slice(-2)).toEqual(['add e1', 'add f10']);
  });

  it('stops it again only after the low-water mark', () => {
    const { tell, until, flows } = blocker(1000);
    tell('a', 'b', 'c', 'd');
    until(1500);
    tell('e', 'f');
    until(4000);
    expect(flows).toEqual(['0 stops', '100 flows']);
    until(6000);
    tell('g', 'h', 'i', 'j', 'k');
    expect(flows.slice(2)).toEqual(['6000 stops']);
  });

  it.each([
    ['unsubscribes', ({ subscription }: ReturnType<typeof blocker>) => subscription.unsubscribe()],
    ['has been told everything', ({ source$ }: ReturnType<typeof blocker>) => source$.complete()],
    ['ends with an error', ({ source$ }: ReturnType<typeof blocker>) => source$.error(new Error('x'))],
  ])('lets it go on when it %s', (_, end) => {
    const blocked = blocker(1000);
    const { tell, flows, blocks, until, scheduler } = blocked;
    blocked.subscription.add(() => undefined);
    tell('a', 'b', 'c', 'd');
    until(5);
    try {
      end(blocked);
      expect(flows).toEqual(['0 stops', '5 flows']);
      expect(blocks()).toEqual(['blocked for 100', 'gone after 5']);
    } finally {
      blocked.subscription.unsubscribe();
    }
    expect(scheduler.actions.filter(({ delay }) => delay === 100)).toEqual([]);
  });

  it('stops nothing for what it is told after the end of its source', () => {
    const { tell, source$, flows, context } = blocker(1000);
    tell('a', 'b');
    source$.complete();
    tell('c', 'd', 'e');
    expect([flows, [...context.backlogs].length]).toEqual([[], 1]);
  });

  it('lets the reading go on when the last of several blockers does', () => {
    const { context, flows, until, scheduler } = onClock();
    const source$ = new Subject<Notification<Widget>>();
    for (const takes of [10, 20]) {
      source$.pipe(block(() => timer(takes, scheduler), { ...OPTIONS, context })).subscribe();
    }
    for (const name of ['a', 'b', 'c', 'd']) source$.next(add(name, 1));
    until(200);
    expect(flows).toEqual(['0 stops', '40 flows']);
  });

  it('says nothing of a handler that keeps up, even with room for one', () => {
    const context = stillContext();
    const statuses = statusesOf(context);
    const source$ = new Subject<Notification<Widget>>();
    source$.pipe(block(shown, { capacity: 1, context })).subscribe();
    source$.next(add('a', 1));
    source$.next(add('b', 1));
    expect(statuses).toHaveLength(1);
  });

  it.each([
    ['context', {}],
    ['maxPause', { context: stillContext(), maxPause: 0 }],
    ['capacity', { context: stillContext(), capacity: 0 }],
  ])('throws at the call: %s', (option, options) => {
    const thrown = thrownBy(() => block(shown, options as BlockOptions));
    expect(thrown).toMatchObject({ code: 'INVALID_OPTION', option } satisfies Partial<InvalidOptionError>);
  });

  it('hands out by hand as the others do', () => {
    const { tell, begun, done } = byHand(block, OPTIONS);
    tell(add('a', 1), update('a', 1, 2), add('b', 1));
    done('a');
    done('a');
    expect(begun).toEqual(['add a1', 'update a1 a2', 'add b1']);
  });

  describe('never deadlocks', () => {
    const handlers = fc.record({
      /** How long each takes; `Infinity`: for ever. */
      takes: fc.constantFrom(0, 1, 7, 40, Infinity),
      concurrency: fc.integer({ min: 1, max: 3 }),
      capacity: fc.integer({ min: 1, max: 6 }),
      maxPause: fc.integer({ min: 1, max: 50 }),
      leaves: fc.option(fc.integer({ min: 1, max: 500 })),
    });
    /** How much is read at a time, as a relist or a chunk of a watch is. */
    const chunks = fc.array(fc.array(happenings, { minLength: 1, maxLength: 12 }), {
      minLength: 1,
      maxLength: 20,
    });

    it('whatever the blockers do: everything is read in a bounded time, and told to those that handle it', () => {
      fc.assert(
        fc.property(fc.array(handlers, { minLength: 1, maxLength: 4 }), chunks, (blockers, given) => {
          const { scheduler, context, statuses, until } = onClock();
          const store = createStore<Widget>();
          const source$ = new Subject<Notification<Widget>>();
          const listeners = blockers.map(({ takes, leaves, ...options }) => {
            const listener = new Listener();
            const handler = (told: Notification<Widget>): Observable<unknown> => {
              listener.take(told);
              return takes === Infinity ? concat(of(1), NEVER) : timer(takes, scheduler);
            };
            const subscription = source$.pipe(block(handler, { ...options, context })).subscribe();
            if (leaves !== null) scheduler.schedule(() => subscription.unsubscribe(), leaves);
            return { listener, isDue: takes !== Infinity && leaves === null };
          });
          const reader = read(source$, new History(store), given, context, scheduler);
          // Each stops it for its time at most, then once it has caught up again: that is after a chunk at the earliest.
          const longest = given.length * (1 + blockers.length * 50);
          until(longest);
          expect(reader.left).toBe(0);
          until(longest + 100_000);
          expect(context.flow.paused).toBe(false);
          expect(typesOf(statuses)).not.toContain('problem');
          const expected = new Map(store.list().map((entry) => [entry.key, entry]));
          for (const { listener, isDue } of listeners) {
            if (isDue) expect(new Map([...listener.known])).toEqual(expected);
          }
        }),
      );
    });
  });
});

/** Reads a chunk each millisecond in which the flow is not stopped. */
function read(
  source$: Subject<Notification<Widget>>,
  history: History,
  given: readonly Parameters<History['happen']>[0][][],
  { flow }: PipelineContext,
  scheduler: SchedulerLike,
) {
  const chunks = [...given];
  const reader = { left: chunks.length };
  scheduler.schedule(function () {
    if (!flow.paused) {
      for (const happening of chunks.shift() ?? []) {
        for (const told of history.happen(happening)) source$.next(told);
      }
      reader.left = chunks.length;
    }
    if (chunks.length > 0) this.schedule(undefined, 1);
  }, 1);
  return reader;
}
