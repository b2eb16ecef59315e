import { concat, map, NEVER, Observable, of, range, repeat, Subject, take, throwError, timer } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import type { DeliveryOptions } from '../../operators/internal/consume.ts';
import type { Projected } from '../../operators/internal/project.ts';
import {
  addOf,
  deleteOf,
  type Notification,
  notificationOf,
  updateOf,
} from '../../src/store/notification.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import type { Widget } from '../store/objects.ts';
import { at, recorded, shown, statusesOf, stillContext, testScheduler } from './pipeline.ts';

const add = (name: string, version: number, initial = false) => addOf(at(name, version), version, initial);
const update = (name: string, from: number, to: number) => updateOf(at(name, to), to, at(name, from));
const gone = (name: string, version: number) => deleteOf(at(name, version), version, false);
const resync = (name: string, version: number) =>
  notificationOf({ type: 'sync', entry: at(name, version) }, version);

const TOLD: Record<string, Notification<Widget>> = {
  a: add('a', 1),
  A: add('a', 1, true),
  u: update('a', 1, 2),
  v: update('a', 2, 3),
  d: gone('a', 4),
  s: resync('a', 1),
  b: add('b', 1),
  c: add('c', 1),
};

const SEEN = {
  a: 'add a1',
  b: 'add b1',
  c: 'add c1',
  u: 'update a1 a2',
  v: 'update a2 a3',
  w: 'update a1 a3',
  d: 'delete a4',
  s: 'sync a1',
};

type Run = Parameters<Parameters<ReturnType<typeof testScheduler>['run']>[0]>[0];

/** Expects what a handler that takes 4 ms each is done with, and when. */
function expectHandled(
  told: string,
  handled: string,
  sub: string,
  options: DeliveryOptions = {},
  unsub?: string,
): void {
  testScheduler().run(({ hot, expectObservable, expectSubscriptions }: Run) => {
    const source = hot(told, TOLD);
    const slow = (notification: Notification<Widget>) => timer(4).pipe(map(() => shown(notification)));
    expectObservable(source.pipe(coalesce(slow, options)), unsub).toBe(handled, SEEN);
    expectSubscriptions(source.subscriptions).toBe(sub);
  });
}

const TWO: DeliveryOptions = { concurrency: 2, context: stillContext() };

/** A handler that is done when the spec says so. */
function byHand(options: DeliveryOptions = {}) {
  const source$ = new Subject<Notification<Widget>>();
  const begun: string[] = [];
  const ends = new Map<string, Subject<string>>();
  const context = stillContext();
  const statuses = statusesOf(context);
  const handler = (notification: Notification<Widget>): Observable<string> => {
    begun.push(shown(notification));
    if (ends.has(notification.key)) throw new Error('twice at once');
    const end$ = new Subject<string>();
    ends.set(notification.key, end$);
    return end$;
  };
  const { log, subscription } = recorded(source$.pipe(coalesce(handler, { context, ...options })));
  const take = (key: string): Subject<string> => {
    const end$ = ends.get(key);
    ends.delete(key);
    if (end$ === undefined) throw new Error(`${key} is not handled`);
    return end$;
  };
  return {
    source$,
    begun,
    log,
    statuses,
    subscription,
    ends,
    tell: (...notifications: Notification<Widget>[]): void => {
      for (const notification of notifications) source$.next(notification);
    },
    done: (key: string): void => take(key).complete(),
    fail: (key: string, error: unknown): void => take(key).error(error),
  };
}

describe('coalesce', () => {
  it('hands out the next notification when the one before is done', () => {
    expectHandled(
      '-a-b--c----------|', //
      '-----a---b---c---|',
      '^----------------!',
    );
  });

  it('handles as many keys at a time as told', () => {
    expectHandled(
      '-a-b--c-------|', //
      '-----a-b--c---|',
      '^-------------!',
      { concurrency: 2 },
    );
    expectHandled(
      '-(abc)--------|', //
      '-----(abc)----|',
      '^-------------!',
      { concurrency: Infinity },
    );
  });

  it('never handles a key twice at once, and lets others pass it', () => {
    expectHandled(
      '-au-b----------|', //
      '-----a--bu-----|',
      '^--------------!',
      { concurrency: 2 },
    );
  });

  it('merges what waits for a key: the old of the first, the new of the last', () => {
    expectHandled(
      '-auv-----------|', //
      '-----a---w-----|',
      '^--------------!',
    );
  });

  it('completes when everything was handled', () => {
    expectHandled(
      '-ab|      ', //
      '-----a---(b|)',
      '^--!      ',
    );
  });

  it('passes an error when everything was handled', () => {
    expectHandled(
      '-ab#      ', //
      '-----a---(b#)',
      '^--!      ',
    );
  });

  it('completes or errors at once where nothing waits', () => {
    expectHandled(
      '---|', //
      '---|',
      '^--!',
    );
    expectHandled(
      '-a---#', //
      '-----(a#)',
      '^----!',
    );
  });

  it('leaves the source and what is being handled when unsubscribed', () => {
    expectHandled(
      '-ab-----', //
      '--------',
      '^--!    ',
      {},
      '---!    ',
    );
    const { tell, subscription, ends, begun, source$ } = byHand();
    tell(add('a', 1), add('b', 1));
    expect(ends.get('a')?.observed).toBe(true);
    subscription.unsubscribe();
    expect([ends.get('a')?.observed, source$.observed]).toEqual([false, false]);
    expect(begun).toEqual(['add a1']);
  });

  describe('merges, while a key is handled,', () => {
    const CASES: [string, Notification<Widget>[], string[]][] = [
      ['updates to one', [update('a', 1, 2), update('a', 2, 3)], ['update a1 a3']],
      ['an update and a delete to the delete', [update('a', 1, 2), gone('a', 3)], ['delete a3']],
      ['a resync into nothing where a change waits', [update('a', 1, 2), resync('a', 2)], ['update a1 a2']],
      ['resyncs to one', [resync('a', 1), resync('a', 1)], ['sync a1']],
      ['a resync and a change to the change', [resync('a', 1), update('a', 1, 2)], ['update a1 a2']],
      [
        'a delete and what is added after it to these two',
        [gone('a', 2), add('a', 3), update('a', 3, 4)],
        ['delete a2', 'add a4'],
      ],
      [
        'an object that came and went behind a delete to nothing',
        [gone('a', 2), add('a', 3), gone('a', 4)],
        ['delete a4'],
      ],
    ];
    it.each(CASES)('%s', (_, told, handled) => {
      const { tell, begun, done, source$, log } = byHand();
      tell(add('a', 1), ...told);
      source$.complete();
      expect(begun).toEqual(['add a1']);
      handled.forEach(() => {
        done('a');
      });
      expect(begun.slice(1)).toEqual(handled);
      expect(log).toEqual([]);
      done('a');
      expect(log).toEqual(['complete']);
    });
  });

  it('tells nobody of an object that came and went while others were handled', () => {
    const { tell, begun, done } = byHand();
    tell(add('a', 1), add('b', 1), gone('b', 2));
    done('a');
    expect(begun).toEqual(['add a1']);
  });

  it('keeps initial on what was added and changed before it was handled', () => {
    const { tell, begun, done } = byHand();
    tell(add('a', 1), add('b', 1, true), update('b', 1, 2));
    done('a');
    expect(begun).toEqual(['add a1', 'add b2 initial']);
  });

  it('puts a key that changes all the time behind the others', () => {
    const { tell, begun, done } = byHand();
    tell(add('a', 1), add('b', 1), add('c', 1), update('a', 1, 2));
    done('a');
    tell(update('a', 2, 3));
    done('b');
    done('c');
    expect(begun).toEqual(['add a1', 'add b1', 'add c1', 'update a1 a3']);
  });

  describe('a project', () => {
    const results = async (project: (notification: Notification<Widget>) => Projected<unknown>) => {
      const seen: unknown[] = [];
      await new Promise<void>((complete) => {
        of(add('a', 1))
          .pipe(coalesce(project, { context: stillContext() }))
          .subscribe({ next: (value) => seen.push(value), complete });
      });
      return seen;
    };

    it('may be a plain function; an array, a string, null and undefined are results', async () => {
      expect(await results(() => 1)).toEqual([1]);
      expect(await results(() => ['a', 'b'])).toEqual([['a', 'b']]);
      expect(await results(() => 'ab')).toEqual(['ab']);
      expect(await results(() => null)).toEqual([null]);
      expect(await results(() => undefined)).toEqual([undefined]);
      expect(await results(() => ({ then: 1 }))).toEqual([{ then: 1 }]);
    });

    it('may return a promise, an observable or an async iterable', async () => {
      expect(await results(() => Promise.resolve(1))).toEqual([1]);
      expect(await results(() => of(1, 2))).toEqual([1, 2]);
      async function* both() {
        yield await Promise.resolve(1);
        yield 2;
      }
      expect(await results(both)).toEqual([1, 2]);
    });

    it.each<[string, () => Projected<never>]>([
      [
        'throws',
        () => {
          throw new Error('no');
        },
      ],
      ['rejects', () => Promise.reject(new Error('no'))],
      ['errors', () => throwError(() => new Error('no'))],
    ])('that %s is reported with its key, and the others go on', async (_, failing) => {
      const context = stillContext();
      const statuses = statusesOf(context);
      const seen: string[] = [];
      const project = (told: Notification<Widget>): Projected<string> =>
        told.key === 'a' ? failing() : shown(told);
      await new Promise<void>((complete) => {
        of(add('a', 1), add('b', 1))
          .pipe(coalesce(project, { context }))
          .subscribe({ next: (result) => seen.push(result), complete });
      });
      expect(seen).toEqual(['add b1']);
      expect(statuses.slice(1)).toEqual([
        {
          type: 'problem',
          count: 1,
          error: expect.objectContaining({
            code: 'USER_FUNCTION',
            where: 'handler',
            key: 'a',
            cause: new Error('no'),
          }) as unknown,
        },
      ]);
    });

    it('that fails is given the next change of its key', () => {
      const { tell, begun, fail, statuses } = byHand();
      tell(add('a', 1), update('a', 1, 2));
      fail('a', 'no');
      expect(begun).toEqual(['add a1', 'update a1 a2']);
      expect(statuses).toHaveLength(2);
    });

    it('that never ends keeps its place only', () => {
      const log: string[] = [];
      of(add('a', 1), add('b', 1), add('c', 1))
        .pipe(
          coalesce((told) => (told.key === 'a' ? concat(of('begun'), NEVER) : shown(told)), {
            ...TWO,
          }),
        )
        .subscribe({ next: (value) => log.push(value), complete: () => log.push('complete') });
      expect(log).toEqual(['begun', 'add b1', 'add c1']);
    });

    it('that makes the source emit is not entered again meanwhile', () => {
      const source$ = new Subject<Notification<Widget>>();
      const log: string[] = [];
      source$
        .pipe(
          coalesce((told) => {
            log.push(`begin ${shown(told)}`);
            if (told.key === 'a') source$.next(add('b', 1));
            log.push(`end ${shown(told)}`);
          }, TWO),
        )
        .subscribe();
      source$.next(add('a', 1));
      expect(log).toEqual(['begin add a1', 'end add a1', 'begin add b1', 'end add b1']);
    });

    it('that unsubscribes is the last', () => {
      const source$ = new Subject<Notification<Widget>>();
      const begun: string[] = [];
      const subscription = source$
        .pipe(
          coalesce((told) => {
            begun.push(shown(told));
            source$.next(add('c', 1));
            subscription.unsubscribe();
          }, TWO),
        )
        .subscribe();
      source$.next(add('a', 1));
      expect(begun).toEqual(['add a1']);
      expect(source$.observed).toBe(false);
    });
  });

  it('takes very many synchronous ones in a row', () => {
    const first$ = new Subject<void>();
    const many$ = range(0, 20_000).pipe(map((index) => add(`w${index}`, 1)));
    let handled = 0;
    const handler = ({ key }: Notification<Widget>) => (key === 'w0' ? first$ : (handled += 1));
    many$.pipe(coalesce<Widget, unknown>(handler, { context: stillContext() })).subscribe();
    expect(handled).toBe(0);
    first$.complete();
    expect(handled).toBe(19_999);
  });

  it('leaves a synchronous endless source, and an endless project, when it has enough', () => {
    const endless$ = of(add('a', 1)).pipe(repeat());
    expect(recorded(endless$.pipe(coalesce(shown, TWO), take(2))).log).toEqual([
      'add a1',
      'add a1',
      'complete',
    ]);
    const project = () => of('x').pipe(repeat());
    expect(recorded(of(add('a', 1)).pipe(coalesce(project, TWO), take(2))).log).toEqual([
      'x',
      'x',
      'complete',
    ]);
  });

  it('has a queue for each subscription', () => {
    const source$ = new Subject<Notification<Widget>>();
    const coalesced$ = source$.pipe(
      coalesce((told) => concat(of(shown(told)), NEVER), { context: stillContext() }),
    );
    const early = recorded(coalesced$);
    source$.next(add('a', 1));
    const late = recorded(coalesced$);
    source$.next(update('a', 1, 2));
    expect([early.log, late.log]).toEqual([['add a1'], ['update a1 a2']]);
  });

  it.each([0, -1, 1.5, NaN, '2' as never])('throws at the call for a concurrency of %p', (concurrency) => {
    expect(thrownBy(() => coalesce(shown, { concurrency }))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'concurrency',
    });
  });

  it('throws at the call for a project that is no function', () => {
    expect(thrownBy(() => coalesce('x' as never))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'project',
    });
  });
});
