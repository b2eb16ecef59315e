import { concat, map, NEVER, of, range, repeat, Subject, take, throwError } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import type { DeliveryOptions } from '../../operators/internal/consume.ts';
import type { Projected } from '../../operators/internal/project.ts';
import type { Notification } from '../../src/store/notification.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import type { Widget } from '../store/objects.ts';
import { add, byHand, expectHandled, gone, resync, update } from './handling.ts';
import { recorded, shown, statusesOf, stillContext } from './pipeline.ts';

const TWO: DeliveryOptions = { concurrency: 2, context: stillContext() };

describe('coalesce', () => {
  it('hands out the next notification when the one before is done', () => {
    expectHandled(
      coalesce,
      '-a-b--c----------|', //
      '-----a---b---c---|',
      '^----------------!',
      {},
    );
  });

  it('handles as many keys at a time as told', () => {
    expectHandled(
      coalesce,
      '-a-b--c-------|', //
      '-----a-b--c---|',
      '^-------------!',
      { concurrency: 2 },
    );
    expectHandled(
      coalesce,
      '-(abc)--------|', //
      '-----(abc)----|',
      '^-------------!',
      { concurrency: Infinity },
    );
  });

  it('never handles a key twice at once, and lets others pass it', () => {
    expectHandled(
      coalesce,
      '-au-b----------|', //
      '-----a--bu-----|',
      '^--------------!',
      { concurrency: 2 },
    );
  });

  it('merges what waits for a key: the old of the first, the new of the last', () => {
    expectHandled(
      coalesce,
      '-auv-----------|', //
      '-----a---V-----|',
      '^--------------!',
      {},
    );
  });

  it('completes when everything was handled', () => {
    expectHandled(
      coalesce,
      '-ab|      ', //
      '-----a---(b|)',
      '^--!      ',
      {},
    );
  });

  it('passes an error when everything was handled', () => {
    expectHandled(
      coalesce,
      '-ab#      ', //
      '-----a---(b#)',
      '^--!      ',
      {},
    );
  });

  it('completes or errors at once where nothing waits', () => {
    expectHandled(
      coalesce,
      '---|', //
      '---|',
      '^--!',
      {},
    );
    expectHandled(
      coalesce,
      '-a---#', //
      '-----(a#)',
      '^----!',
      {},
    );
  });

  it('leaves the source and what is being handled when unsubscribed', () => {
    expectHandled(
      coalesce,
      '-ab-----', //
      '--------',
      '^--!    ',
      {},
      { unsub: '---!    ' },
    );
    const { tell, subscription, ends, begun, source$ } = byHand(coalesce, {});
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
      const { tell, begun, done, source$, log } = byHand(coalesce, {});
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
    const { tell, begun, done } = byHand(coalesce, {});
    tell(add('a', 1), add('b', 1), gone('b', 2));
    done('a');
    expect(begun).toEqual(['add a1']);
  });

  it('keeps initial on what was added and changed before it was handled', () => {
    const { tell, begun, done } = byHand(coalesce, {});
    tell(add('a', 1), add('b', 1, true), update('b', 1, 2));
    done('a');
    expect(begun).toEqual(['add a1', 'add b2 initial']);
  });

  it('puts a key that changes all the time behind the others', () => {
    const { tell, begun, done } = byHand(coalesce, {});
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
      const { tell, begun, fail, statuses } = byHand(coalesce, {});
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
