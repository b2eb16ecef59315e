import fc from 'fast-check';
import {
  concat,
  finalize,
  NEVER,
  type Observable,
  of,
  Subject,
  throwError,
  VirtualTimeScheduler,
} from 'rxjs';
import { type HandleOptions, handle } from '../../operators/handle.ts';
import type { Handlers } from '../../operators/internal/handlerCall.ts';
import type { Outcome } from '../../operators/internal/handling.ts';
import { createContext } from '../../src/context.ts';
import type { InformerError } from '../../src/errors.ts';
import { addOf, deleteOf, type Notification, replayedOf, syncOf } from '../../src/store/notification.ts';
import { createStore } from '../../src/store/store.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import { History, happenings } from '../store/history.ts';
import type { Widget } from '../store/objects.ts';
import { add, gone, resync, update } from './handling.ts';
import { advance, at, failure, recorded } from './pipeline.ts';

/** A promise that is settled when the spec says so, and then at once. */
class Late implements PromiseLike<string> {
  #resolve: (value: string) => unknown = () => undefined;
  #reject: (error: unknown) => unknown = () => undefined;

  // biome-ignore lint/suspicious/noThenProperty: so that nothing has to be awaited
  readonly then = ((resolve, reject) => {
    this.#resolve = resolve ?? this.#resolve;
    this.#reject = resolve && reject ? reject : this.#reject;
    return this;
  }) as PromiseLike<string>['then'];

  resolve(value = 'done'): void {
    this.#resolve(value);
  }

  reject(error: unknown): void {
    this.#reject(error);
  }
}

const outcomeShown = ({ key, type, attempt, ...outcome }: Outcome<unknown>): string => {
  const what = `${type} ${key} #${attempt}`;
  if (outcome.error === undefined) return `${what}: ${String(outcome.result)}`;
  const again = outcome.retryIn === undefined ? '' : `, again in ${outcome.retryIn}`;
  return `${what}: ${outcome.error.code}${again}`;
};

const version = ({ metadata }: Widget) => `${metadata.name}${metadata.resourceVersion ?? ''}`;

/** Handlers that write down what they are called with, and return what the spec says next. */
function stage(options: HandleOptions = {}, results: (() => unknown)[] = []) {
  const scheduler = new VirtualTimeScheduler();
  const context = createContext({ scheduler, random: () => 0 });
  const source$ = new Subject<Notification<Widget>>();
  const calls: string[] = [];
  const signals: AbortSignal[] = [];
  const problems: InformerError[] = [];
  context.status.status$.subscribe((status) => {
    if (status.type === 'problem') problems.push(status.error);
  });
  const called = (signal: AbortSignal, ...words: (string | number)[]): unknown => {
    calls.push(`${scheduler.now()} ${words.join(' ')}`);
    signals.push(signal);
    return (results.shift() ?? (() => 'ok'))();
  };
  const handlers: Handlers<Widget> = {
    onAdd: (object, { signal, attempt, initial }) =>
      called(signal, 'add', version(object), `#${attempt}`, ...(initial ? ['initial'] : [])),
    onUpdate: (old, object, { signal, attempt }) =>
      called(signal, 'update', version(old), version(object), `#${attempt}`),
    onDelete: (object, { signal, attempt, finalStateUnknown }) =>
      called(signal, 'delete', version(object), `#${attempt}`, ...(finalStateUnknown ? ['unknown'] : [])),
    onSync: (object, { signal, attempt }) => called(signal, 'sync', version(object), `#${attempt}`),
  };
  const { log, subscription } = recorded(source$.pipe(handle(handlers, { ...options, context })), (outcome) =>
    [scheduler.now(), outcomeShown(outcome)].join(' '),
  );
  const tell = (...notifications: Notification<Widget>[]): void => {
    for (const notification of notifications) source$.next(notification);
  };
  /** Lets time pass until this moment. */
  const until = (time: number): void => {
    advance(scheduler, time - scheduler.frame);
  };
  const facts = () => [...context.backlogs][0];
  return { context, source$, calls, signals, problems, log, subscription, tell, until, facts };
}

const no = () => {
  throw failure;
};

describe('handle', () => {
  it('calls a handler by the type of each notification, and says what became of it', () => {
    const { tell, calls, log, source$ } = stage();
    tell(add('a', 1, true), update('a', 1, 2), resync('a', 2), gone('a', 3));
    tell(deleteOf(at('b', 1), 1, true));
    source$.complete();
    expect(calls).toEqual([
      '0 add a1 #1 initial',
      '0 update a1 a2 #1',
      '0 sync a2 #1',
      '0 delete a3 #1',
      '0 delete b1 #1 unknown',
    ]);
    expect(log).toEqual([
      '0 add a #1: ok',
      '0 update a #1: ok',
      '0 sync a #1: ok',
      '0 delete a #1: ok',
      '0 delete b #1: ok',
      'complete',
    ]);
  });

  it('gives a handler key and entry, and calls it as a method', () => {
    class Seen {
      readonly all: unknown[] = [];
      onAdd(object: Widget, { key, entry }: { readonly key: string; readonly entry: unknown }): void {
        this.all.push(object, key, entry);
      }
    }
    const seen = new Seen();
    const told = add('a', 1);
    of(told).pipe(handle(seen)).subscribe();
    expect(seen.all).toEqual([told.object, 'a', told.entry]);
  });

  it('passes over what there is no handler for, also in what is merged', () => {
    const end$ = new Subject<never>();
    const deleted: string[] = [];
    const source$ = new Subject<Notification<Widget>>();
    const onDelete = ({ metadata }: Widget) => {
      deleted.push(metadata.name);
      return end$;
    };
    const { log } = recorded(source$.pipe(handle({ onDelete })), outcomeShown);
    for (const told of [add('a', 1), gone('a', 6), add('a', 1), update('a', 1, 2), gone('a', 6)]) {
      source$.next(told);
    }
    end$.complete();
    expect([deleted, log]).toEqual([['a'], ['delete a #1: undefined']]);
  });

  it('does not hold what nobody handles', () => {
    const source$ = new Subject<Notification<Widget>>();
    const context = createContext();
    const onAdd = () => NEVER;
    source$.pipe(handle({ onAdd }, { context })).subscribe();
    const hold = jest.fn(() => () => undefined);
    source$.next(syncOf(at('a', 1), 1, hold));
    expect(hold).not.toHaveBeenCalled();
    source$.next(replayedOf(at('a', 1), 1, hold));
    source$.next(replayedOf(at('b', 1), 1, hold));
    expect(hold).toHaveBeenCalledTimes(2);
    expect([...context.backlogs]).toMatchObject([{ name: 'handle', handed: 1, length: 1 }]);
  });

  it('waits for promises, observables and async iterables, and has their last value', async () => {
    async function* both() {
      yield await Promise.resolve(1);
      yield 2;
    }
    const results: unknown[] = [Promise.resolve('x'), of(1, 2), both(), ['array'], undefined];
    const log: string[] = [];
    const onAdd = () => results.shift();
    await new Promise<void>((complete) => {
      of(...['a', 'b', 'c', 'd', 'e'].map((name) => add(name, 1)))
        .pipe(handle({ onAdd }))
        .subscribe({ next: (outcome) => log.push(outcomeShown(outcome)), complete });
    });
    expect(log).toEqual([
      'add a #1: x',
      'add b #1: 2',
      'add c #1: 2',
      'add d #1: array',
      'add e #1: undefined',
    ]);
  });

  describe('a failure', () => {
    it.each<[string, () => unknown]>([
      ['thrown', no],
      ['rejected', () => ({ then: (_: unknown, reject: (error: unknown) => void) => reject(failure) })],
      ['errored', () => throwError(() => failure)],
    ])('that is %s is told on the status with key and attempt, and ends nothing', (_, failing) => {
      const { tell, log, problems, calls, until } = stage({}, [failing]);
      tell(add('a', 1), add('b', 1), update('a', 1, 2));
      until(1_000_000);
      expect(calls).toEqual(['0 add a1 #1', '0 add b1 #1', '0 update a1 a2 #1']);
      expect(log[0]).toBe('0 add a #1: USER_FUNCTION');
      expect(problems).toMatchObject([
        { code: 'USER_FUNCTION', where: 'handler', key: 'a', attempt: 1, cause: failure },
      ]);
    });

    it('is tried again after longer and longer waits, anew after a success', () => {
      const { tell, log, problems, calls, until } = stage({ retry: true }, [no, no, no]);
      tell(add('a', 1));
      until(1_000);
      tell(update('a', 1, 2));
      expect(calls).toEqual([
        '0 add a1 #1',
        '5 add a1 #2',
        '15 add a1 #3',
        '35 add a1 #4',
        '1000 update a1 a2 #1',
      ]);
      expect(log.slice(0, 4)).toEqual([
        '0 add a #1: USER_FUNCTION, again in 5',
        '5 add a #2: USER_FUNCTION, again in 10',
        '15 add a #3: USER_FUNCTION, again in 20',
        '35 add a #4: ok',
      ]);
      expect(problems.map(({ message }) => message)).toEqual([
        'handler failed for a: x',
        'handler failed for a, attempt 2: x',
        'handler failed for a, attempt 3: x',
      ]);
    });

    it('waits as told, for up to twice the time by chance', () => {
      const scheduler = new VirtualTimeScheduler();
      const context = createContext({ scheduler, random: () => 0.5 });
      context.status.status$.subscribe();
      const source$ = new Subject<Notification<Widget>>();
      const retry = { initial: 100, factor: 3, cap: 400 };
      const { log } = recorded(source$.pipe(handle({ onAdd: no }, { retry, context })), outcomeShown);
      source$.next(add('a', 1));
      scheduler.maxFrames = 1_700;
      scheduler.flush();
      expect(log).toEqual(
        [150, 450, 600, 600].map((delay, index) => `add a #${index + 1}: USER_FUNCTION, again in ${delay}`),
      );
    });

    it('lets others pass while it waits', () => {
      const { tell, calls, until, facts } = stage({ retry: true }, [no]);
      tell(add('a', 1), add('b', 1));
      expect(facts()).toMatchObject({ failing: 1, length: 1, handed: 2, lost: 0 });
      until(5);
      expect(calls).toEqual(['0 add a1 #1', '0 add b1 #1', '5 add a1 #2']);
      expect(facts()).toMatchObject({ failing: 0, length: 0, handed: 3, lost: 0 });
    });

    const merged: [string, Notification<Widget>[], string[]][] = [
      ['an add that changed: an add', [add('a', 1), update('a', 1, 2), update('a', 2, 3)], ['add a3 #2']],
      [
        'an update that changed: from what was handled',
        [update('a', 1, 2), update('a', 2, 3)],
        ['update a1 a3 #2'],
      ],
      ['an update that was deleted: the delete', [update('a', 1, 2), gone('a', 3)], ['delete a3 #2']],
      ['an add that was deleted: the delete', [add('a', 1), gone('a', 3)], ['delete a3 #2']],
      [
        'what is another one: the delete and the add',
        [add('a', 1), gone('a', 2), addOf(at('a', 3, { uid: 'other' }), 3, false)],
        ['delete a2 #2', 'add a3 #1'],
      ],
      ['a resync that changed: the change', [resync('a', 1), update('a', 1, 2)], ['update a1 a2 #2']],
      ['a change that was told again: the change', [update('a', 1, 2), resync('a', 2)], ['update a1 a2 #2']],
    ];
    it.each(merged)('is merged with what comes meanwhile: %s', (_, told, calls) => {
      const staged = stage({ retry: true }, [no]);
      staged.tell(...told);
      staged.until(100);
      expect(staged.calls.slice(1)).toEqual(calls.map((call) => `5 ${call}`));
    });

    it.each(['dropOldest', 'dropNewest', 'throwIfFull'] as const)(
      'is merged by key also with %s',
      (policy) => {
        const { tell, calls, until } = stage({ retry: true, policy }, [no]);
        tell(add('a', 1), update('a', 1, 2), add('b', 1), update('a', 2, 3));
        until(100);
        expect(calls).toEqual(['0 add a1 #1', '0 add b1 #1', '5 add a3 #2']);
      },
    );

    it('is tried once more, at once, when the source ends', () => {
      const { source$, tell, log, until } = stage({ retry: true }, [no, no, no, no]);
      tell(add('a', 1), add('b', 1));
      until(2);
      source$.complete();
      expect(log).toEqual([
        '0 add a #1: USER_FUNCTION, again in 5',
        '0 add b #1: USER_FUNCTION, again in 5',
        '2 add a #2: USER_FUNCTION',
        '2 add b #2: USER_FUNCTION',
        'complete',
      ]);
    });

    it.each(['coalesce', 'dropOldest', 'dropNewest', 'throwIfFull'] as const)(
      'is tried again after the end with what waits for its key: an add is still one (%s)',
      (policy) => {
        const busy$ = new Subject<never>();
        const { source$, tell, calls, log } = stage({ retry: true, policy }, [() => busy$]);
        tell(add('a', 1), update('a', 1, 2));
        source$.complete();
        busy$.error(failure);
        expect(calls).toEqual(['0 add a1 #1', '0 add a2 #2']);
        expect(log).toEqual(['0 add a #1: USER_FUNCTION, again in 0', '0 add a #2: ok', 'complete']);
      },
    );

    it('keeps nobody waiting where who hears of it ends it all', () => {
      const { source$, tell, context, log } = stage({ retry: { initial: 60_000 } }, [no, no]);
      context.status.status$.subscribe(({ type }) => {
        if (type === 'problem') source$.complete();
      });
      tell(add('a', 1));
      expect(log).toEqual(['0 add a #1: USER_FUNCTION', 'complete']);
      expect([...context.backlogs]).toEqual([]);
    });

    it('does not come back once unsubscribed', () => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask'] });
      try {
        const calls: string[] = [];
        const context = createContext();
        const onAdd = (_: Widget, { key }: { readonly key: string }) => {
          calls.push(key);
          throw failure;
        };
        context.status.status$.subscribe();
        const subscription = concat(of(add('a', 1)), NEVER)
          .pipe(handle({ onAdd }, { retry: true, context }))
          .subscribe();
        expect(jest.getTimerCount()).toBe(1);
        subscription.unsubscribe();
        expect([jest.getTimerCount(), calls]).toEqual([0, ['a']]);
      } finally {
        jest.useRealTimers();
      }
    });

    it('whose outcome makes somebody leave is the last', () => {
      const scheduler = new VirtualTimeScheduler();
      const context = createContext({ scheduler });
      const source$ = new Subject<Notification<Widget>>();
      const subscription = source$
        .pipe(handle({ onAdd: no }, { retry: true, timeout: 5, context }))
        .subscribe(() => {
          subscription.unsubscribe();
        });
      context.status.status$.subscribe();
      source$.next(add('a', 1));
      expect([source$.observed, [...context.backlogs]]).toEqual([false, []]);
      scheduler.flush();
      expect(scheduler.now()).toBe(0);
    });
  });

  describe('a time limit', () => {
    it('is told on the status and aborts the signal; others go on, its key does not', () => {
      const late = new Late();
      const { tell, until, calls, log, problems, signals, facts } = stage({ timeout: 10 }, [() => late]);
      tell(add('a', 1), update('a', 1, 2), add('b', 1), update('a', 2, 3));
      until(9);
      expect([log, signals[0]?.aborted]).toEqual([[], false]);
      until(10);
      expect(log).toEqual(['10 add a #1: HANDLER_TIMEOUT', '10 add b #1: ok']);
      const [error] = problems;
      expect(error).toMatchObject({ code: 'HANDLER_TIMEOUT', key: 'a', attempt: 1, limit: 10 });
      expect([signals[0]?.aborted, signals[0]?.reason]).toEqual([true, error]);
      expect(facts()).toMatchObject({ overdue: 1, failing: 0, length: 1 });
      until(500);
      expect(calls).toEqual(['0 add a1 #1', '10 add b1 #1']);
      late.resolve();
      expect(calls.slice(2)).toEqual(['500 update a1 a3 #1']);
      expect(log.slice(2)).toEqual(['500 update a #1: ok']);
      expect(facts()).toMatchObject({ overdue: 0, length: 0 });
    });

    it('is no matter for what is done in time', () => {
      const late = new Late();
      const { tell, until, problems, signals } = stage({ timeout: 10 }, [() => late, () => 'at once']);
      tell(add('a', 1), add('b', 1));
      until(9);
      late.resolve();
      until(100);
      expect([problems, signals.map(({ aborted }) => aborted)]).toEqual([[], [false, false]]);
    });

    it('ends an observable, so that its key goes on at once', () => {
      const slow$ = new Subject<never>();
      const { tell, until, calls, facts } = stage({ timeout: 10 }, [() => slow$]);
      tell(add('a', 1), update('a', 1, 2));
      until(10);
      expect([slow$.observed, calls]).toEqual([false, ['0 add a1 #1', '10 update a1 a2 #1']]);
      expect(facts()).toMatchObject({ overdue: 0 });
    });

    it('does not mind an end that comes with the signal', () => {
      const source$ = new Subject<Notification<Widget>>();
      const scheduler = new VirtualTimeScheduler();
      const context = createContext({ scheduler, random: () => 0 });
      context.status.status$.subscribe();
      const onAdd = (_: Widget, { signal }: { readonly signal: AbortSignal }): Observable<never> => {
        const end$ = new Subject<never>();
        signal.addEventListener('abort', () => {
          end$.complete();
        });
        return end$;
      };
      const recording = recorded(source$.pipe(handle({ onAdd }, { timeout: 10, context })), outcomeShown);
      source$.next(add('a', 1));
      scheduler.flush();
      expect(recording.log).toEqual(['add a #1: HANDLER_TIMEOUT']);
      expect([...context.backlogs]).toMatchObject([{ overdue: 0 }]);
    });

    it.each(['done', 'failed'])('with a retry that waits for its end, too, however that is: %s', (how) => {
      const late = new Late();
      const staged = stage({ timeout: 10, retry: true }, [() => late]);
      const { tell, until, calls, log, problems, facts } = staged;
      tell(add('a', 1));
      until(12);
      tell(update('a', 1, 2));
      expect(facts()).toMatchObject({ overdue: 1, failing: 1, length: 1 });
      until(100);
      expect(facts()).toMatchObject({ overdue: 1, failing: 0, length: 1 });
      expect(calls).toHaveLength(1);
      if (how === 'done') late.resolve();
      else late.reject(failure);
      expect(calls.slice(1)).toEqual(['100 add a2 #2']);
      expect(log).toEqual(['10 add a #1: HANDLER_TIMEOUT, again in 5', '100 add a #2: ok']);
      expect(problems).toHaveLength(1);
    });

    it('with a retry that waits for its time, where the handler ends before', () => {
      const late = new Late();
      const { tell, until, calls } = stage({ timeout: 10, retry: { initial: 50 } }, [() => late]);
      tell(add('a', 1));
      until(11);
      late.reject(failure);
      until(59);
      expect(calls).toHaveLength(1);
      until(60);
      expect(calls.slice(1)).toEqual(['60 add a1 #2']);
    });

    it('leaves a handler that never ends its key only, and does not wait for it at the end', () => {
      const { tell, until, log, source$, facts } = stage({ timeout: 10 }, [() => new Late()]);
      tell(add('a', 1));
      until(10);
      tell(add('b', 1), add('c', 1));
      expect(facts()).toMatchObject({ overdue: 1, length: 0 });
      source$.complete();
      expect(log).toEqual(['10 add a #1: HANDLER_TIMEOUT', '10 add b #1: ok', '10 add c #1: ok', 'complete']);
    });
  });

  describe('a signal', () => {
    it('is aborted when nobody waits any more, and not once its handler is done', () => {
      const { tell, signals, subscription } = stage({ concurrency: 2 }, [() => new Late(), () => 'ok']);
      tell(add('a', 1), add('b', 1));
      subscription.unsubscribe();
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
      expect(signals[0]?.reason).toMatchObject({ name: 'AbortError' });
    });

    it('is aborted also for one who asks late', () => {
      const signalOf: (() => AbortSignal)[] = [];
      const source$ = new Subject<Notification<Widget>>();
      const onAdd = (_: Widget, context: { readonly signal: AbortSignal }) => {
        signalOf.push(() => context.signal);
        return new Late();
      };
      source$.pipe(handle({ onAdd })).subscribe();
      const subscription = source$.pipe(handle({ onAdd })).subscribe();
      source$.next(add('a', 1));
      subscription.unsubscribe();
      expect(signalOf.map((signal) => signal().aborted)).toEqual([false, true]);
      expect(signalOf[1]?.()).toBe(signalOf[1]?.());
    });
  });

  it('leads each key to its last state, one call at a time, whatever fails or takes too long', () => {
    const behaviours = fc.constantFrom('ok', 'throws', 'slow', 'late', 'late failure', 'observable');
    const steps = fc.array(fc.tuple(happenings, fc.nat(20)), { minLength: 10, maxLength: 60 });
    const policies = fc.constantFrom('coalesce', 'dropOldest', 'dropNewest', 'block');
    const given = fc.record({ concurrency: fc.constantFrom(1, 2, Infinity), policy: policies });
    fc.assert(
      fc.property(steps, given, fc.array(behaviours, { minLength: 1 }), (during, options, all) => {
        const scheduler = new VirtualTimeScheduler();
        const context = createContext({ scheduler, random: () => 0.5 });
        context.status.status$.subscribe();
        const store = createStore<Widget>();
        const history = new History(store);
        const source$ = new Subject<Notification<Widget>>();
        const state = new Map<string, Widget>();
        const atWork = new Set<string>();
        /** What is thrown in a handler is a failure of it, not of this spec. */
        const faults: string[] = [];
        const expectState = (key: string, expected: Widget | undefined): void => {
          if (state.get(key) !== expected) faults.push(`${key} in another state`);
        };
        let calls = 0;
        let isCalm = false;
        const perform = (key: string, write: () => void): unknown => {
          if (atWork.has(key)) faults.push(`${key} twice at once`);
          atWork.add(key);
          calls += 1;
          const ends = (result: () => unknown = () => 'ok') => {
            atWork.delete(key);
            return result();
          };
          const after = (time: number, then: (late: Late) => void): Late => {
            const late = new Late();
            scheduler.schedule(() => {
              ends();
              then(late);
            }, time);
            return late;
          };
          switch (isCalm ? 'ok' : all[calls % all.length]) {
            case 'throws':
              return ends(no);
            case 'slow':
              return after(5, (late) => {
                write();
                late.resolve();
              });
            case 'late':
              return after(25, (late) => {
                late.resolve();
              });
            case 'late failure':
              return after(12, (late) => {
                late.reject(failure);
              });
            case 'observable':
              return NEVER.pipe(finalize(() => ends()));
            default:
              write();
              return ends();
          }
        };
        const handlers: Handlers<Widget> = {
          onAdd: (object, { key }) =>
            perform(key, () => {
              expectState(key, undefined);
              state.set(key, object);
            }),
          onUpdate: (old, object, { key }) =>
            perform(key, () => {
              expectState(key, old);
              state.set(key, object);
            }),
          onDelete: (_, { key }) => perform(key, () => state.delete(key)),
          onSync: (object, { key }) =>
            perform(key, () => {
              expectState(key, object);
            }),
        };
        let completed = false;
        const limits = { timeout: 10, retry: { initial: 3, cap: 20 } };
        source$
          .pipe(handle(handlers, { ...options, ...limits, capacity: 2, context }))
          .subscribe({ complete: () => (completed = true) });
        for (const [happening, pause] of during) {
          for (const told of history.happen(happening)) source$.next(told);
          advance(scheduler, pause);
          const [facts] = context.backlogs;
          expect(facts?.handed).toBe(calls);
          expect(facts?.failing).toBeLessThanOrEqual(2);
        }
        isCalm = true;
        advance(scheduler, 1_000);
        expect([...context.backlogs]).toMatchObject([{ length: 0, overdue: 0, failing: 0 }]);
        source$.complete();
        expect([completed, faults]).toEqual([true, []]);
        const held = store.list().map(({ key, object }) => [key, object] as const);
        expect(new Map([...state].sort())).toEqual(new Map(held.sort()));
      }),
    );
  });

  it.each<[string, unknown, unknown]>([
    ['handlers', {}, {}],
    ['handlers', undefined, {}],
    ['onAdd', { onAdd: 'x' }, {}],
    ['options', { onAdd: no }, null],
    ['timeout', { onAdd: no }, { timeout: 0 }],
    ['timeout', { onAdd: no }, { timeout: Infinity }],
    ['retry', { onAdd: no }, { retry: 5 }],
    ['initial', { onAdd: no }, { retry: { initial: 0 } }],
    ['cap', { onAdd: no }, { retry: { cap: 1 } }],
    ['policy', { onAdd: no }, { policy: 'merge' }],
    ['capacity', { onAdd: no }, { policy: 'dropOldest', capacity: 0 }],
    ['context', { onAdd: no }, { policy: 'block' }],
    ['concurrency', { onAdd: no }, { concurrency: 0 }],
  ])('throws at the call: %s', (option, handlers, options) => {
    expect(thrownBy(() => handle(handlers as Handlers<Widget>, options as HandleOptions))).toMatchObject({
      code: 'INVALID_OPTION',
      option,
    });
  });

  it.each([
    ['coalesce', ['update a1 a4']],
    ['dropOldest', ['update a1 a2', 'update a2 a3', 'update a3 a4']],
    ['dropNewest', ['update a1 a2', 'update a2 a3', 'update a3 a4']],
    ['throwIfFull', ['update a1 a2', 'update a2 a3', 'update a3 a4']],
    ['block', ['update a1 a2', 'update a2 a3', 'update a3 a4']],
  ] as const)('falls behind as %s does', (policy, updates) => {
    const first$ = new Subject<never>();
    const options = policy === 'coalesce' ? {} : { capacity: 3 };
    const { tell, calls } = stage({ policy, ...options } as HandleOptions, [() => first$]);
    tell(add('a', 1), update('a', 1, 2), update('a', 2, 3), update('a', 3, 4));
    first$.complete();
    expect(calls.slice(1)).toEqual(updates.map((call) => `0 ${call} #1`));
  });

  it.each([
    ['dropOldest', ['update a1 a3', 'update a3 a4', 'update a4 a5']],
    ['dropNewest', ['update a1 a2', 'update a2 a3', 'update a3 a5']],
    ['block', ['update a1 a2', 'update a2 a3', 'update a3 a5']],
  ] as const)('has where there is no room what %s has', (policy, kept) => {
    const first$ = new Subject<never>();
    const { tell, calls } = stage({ policy, capacity: 2 } as HandleOptions, [() => first$]);
    tell(add('z', 1), update('a', 1, 2), update('a', 2, 3), update('a', 3, 4), update('a', 4, 5));
    first$.complete();
    expect(calls.slice(1)).toEqual(kept.map((call) => `0 ${call} #1`));
  });

  it('says what a policy may be', () => {
    expect(thrownBy(() => handle<Widget>({ onAdd: no }, { policy: 'merge' as never }))).toMatchObject({
      message: expect.stringContaining('coalesce, dropOldest, dropNewest, throwIfFull or block') as string,
    });
  });

  it('errors where there is no room and nothing is to be merged', () => {
    const { tell, log } = stage({ policy: 'throwIfFull', capacity: 1 }, [() => NEVER]);
    tell(add('a', 1), add('b', 1), add('c', 1));
    expect(log).toEqual([expect.stringContaining('handle: more than 1 notifications wait')]);
  });
});
