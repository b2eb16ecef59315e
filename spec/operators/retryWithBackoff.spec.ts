import { concat, defer, EMPTY, merge, NEVER, Observable, of, Subject, take, throwError, timer } from 'rxjs';
import { type RetryWithBackoffOptions, retryWithBackoff } from '../../operators/retryWithBackoff.ts';
import { createContext, type PipelineContext } from '../../src/context.ts';
import {
  ApiError,
  BadRequestError,
  ConnectionError,
  InformerError,
  NotifierCompletedError,
  UnexpectedError,
  UnknownKindError,
} from '../../src/errors.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import { recorded, statusesOf, testScheduler, typesOf } from './pipeline.ts';

const REQUEST = { verb: 'watch', path: '/api/v1/pods' } as const;
const cut = new ConnectionError(REQUEST, 'CUT');
const status = (code: number, retryAfter?: number) => new ApiError(REQUEST, { status: code, retryAfter });
const badRequest = new BadRequestError(REQUEST, status(400));

type Run = Parameters<Parameters<ReturnType<typeof testScheduler>['run']>[0]>[0];

/** Virtual time, with the least of each jitter unless told otherwise. */
function inTime(
  test: (
    run: Run & {
      retrying: (options?: RetryWithBackoffOptions) => RetryWithBackoffOptions;
      context: PipelineContext;
    },
  ) => void,
  random: () => number = () => 0,
): void {
  const scheduler = testScheduler();
  const context = createContext({ scheduler, random });
  scheduler.run((run) => {
    test({ ...run, context, retrying: (options = {}) => ({ ...options, context }) });
  });
}

describe('retryWithBackoff', () => {
  it('passes what goes well', () => {
    inTime(({ cold, expectObservable, expectSubscriptions, retrying }) => {
      const source = cold('  -a-b-|');
      const sub = '          ^----!';
      const expected = '     -a-b-|';
      expectObservable(source.pipe(retryWithBackoff(retrying()))).toBe(expected);
      expectSubscriptions(source.subscriptions).toBe(sub);
    });
  });

  describe('waits', () => {
    it('800 ms at first, doubled up to 30 s', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, retrying }) => {
        const source = cold('#', undefined, cut);
        expectObservable(source.pipe(retryWithBackoff(retrying())), '150s !').toBe('');
        expectSubscriptions(source.subscriptions).toBe([
          '(^!)',
          '800ms (^!)',
          '2400ms (^!)',
          '5600ms (^!)',
          '12s (^!)',
          '24800ms (^!)',
          '50400ms (^!)',
          '80400ms (^!)',
          '110400ms (^!)',
          '140400ms (^!)',
        ]);
      });
    });

    it('up to twice as long, at random', () => {
      inTime(
        ({ cold, expectObservable, expectSubscriptions, retrying }) => {
          const source = cold('#', undefined, cut);
          expectObservable(source.pipe(retryWithBackoff(retrying())), '5s !').toBe('');
          expectSubscriptions(source.subscriptions).toBe(['(^!)', '1200ms (^!)', '3600ms (^!)']);
        },
        () => 0.5,
      );
    });

    it('by the options given: another start, growth, end and chance', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, retrying }) => {
        const source = cold('#', undefined, cut);
        const options = retrying({ initial: 100, factor: 3, cap: 400, random: () => 0.5 });
        expectObservable(source.pipe(retryWithBackoff(options)), '1799ms !').toBe('');
        expectSubscriptions(source.subscriptions).toBe(['(^!)', '150ms (^!)', '600ms (^!)', '1200ms (^!)']);
      });
    });

    it('takes the chance of the context where the option is there, but undefined', () => {
      inTime(
        ({ cold, expectObservable, expectSubscriptions, retrying }) => {
          const source = cold('#', undefined, cut);
          const options = retrying({ random: undefined });
          expectObservable(source.pipe(retryWithBackoff(options)), '1300ms !').toBe('');
          expectSubscriptions(source.subscriptions).toBe(['(^!)', '1200ms (^!)']);
        },
        () => 0.5,
      );
    });

    it.each([
      ['403', status(403)],
      ['404', status(404)],
      ['an unknown kind', new UnknownKindError(REQUEST, 'Pot', 'Pod')],
    ])('as long as it gets for %s', (_, error) => {
      inTime(({ cold, expectObservable, expectSubscriptions, retrying }) => {
        const source = cold('#', undefined, error);
        expectObservable(source.pipe(retryWithBackoff(retrying())), '61s !').toBe('');
        expectSubscriptions(source.subscriptions).toBe(['(^!)', '30s (^!)', '60s (^!)']);
      });
    });

    it('does not take up where it was after such an error', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, retrying }) => {
        const errors = [cut, status(403), cut];
        const source = cold('-#', undefined, cut);
        const failing$ = defer(() => {
          const error = errors.shift();
          return error === undefined ? source : throwError(() => error);
        });
        expectObservable(failing$.pipe(retryWithBackoff(retrying())), '32410ms !').toBe('');
        // 800 of the first, 30000 of the second, 1600 of the third.
        expectSubscriptions(source.subscriptions).toBe('32400ms ^!');
      });
    });

    it('not before Retry-After, nor all at that moment', () => {
      inTime(
        ({ cold, expectObservable, expectSubscriptions, retrying }) => {
          const source = cold('#', undefined, status(429, 10_000));
          expectObservable(source.pipe(retryWithBackoff(retrying())), '12s !').toBe('');
          expectSubscriptions(source.subscriptions).toBe(['(^!)', '11s (^!)']);
        },
        () => 0.5,
      );
    });

    it('longer than a Retry-After that is shorter', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, retrying }) => {
        const source = cold('#', undefined, status(503, 500));
        expectObservable(source.pipe(retryWithBackoff(retrying())), '801ms !').toBe('');
        expectSubscriptions(source.subscriptions).toBe(['(^!)', '800ms (^!)']);
      });
    });

    it('no longer than a timer of Node can', () => {
      const context = createContext({ scheduler: testScheduler(), random: () => 0.5 });
      const statuses = statusesOf(context);
      const failed$ = throwError(() => status(503, 2 ** 31 - 1));
      failed$.pipe(retryWithBackoff({ context })).subscribe().unsubscribe();
      expect(statuses.at(-1)).toEqual({ type: 'wait', reason: 'backoff', delay: 2 ** 31 - 1 });
    });
  });

  describe('after health', () => {
    it('begins the waits anew when an attempt lived for 120 s', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, retrying }) => {
        const short = cold('   #', undefined, cut);
        const long = cold('    120s -#', undefined, cut);
        const attempts = [short, short, long, short];
        const source$ = defer(() => attempts.shift() ?? NEVER);
        expectObservable(source$.pipe(retryWithBackoff(retrying())), '200s !').toBe('');
        expectSubscriptions(long.subscriptions).toBe('2400ms ^ 120s !');
        // 2400 + 120001, then 800 again.
        expectSubscriptions(short.subscriptions).toBe(['(^!)', '800ms (^!)', '123201ms (^!)']);
      });
    });

    it('goes on where it was when it lived a little shorter', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, retrying }) => {
        const short = cold('   #', undefined, cut);
        const long = cold('    119999ms #', undefined, cut);
        const attempts = [short, short, long, short];
        const source$ = defer(() => attempts.shift() ?? NEVER);
        expectObservable(source$.pipe(retryWithBackoff(retrying())), '200s !').toBe('');
        // 2400 + 119999, then 3200.
        expectSubscriptions(short.subscriptions).toBe(['(^!)', '800ms (^!)', '125599ms (^!)']);
      });
    });

    it('does not count the wait as health', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, retrying }) => {
        const source = cold('--#', undefined, cut);
        const options = retrying({ resetAfter: 500 });
        expectObservable(source.pipe(retryWithBackoff(options)), '2500ms !').toBe('');
        expectSubscriptions(source.subscriptions).toBe(['^-!', '802ms ^-!', '2404ms ^-!']);
      });
    });
  });

  describe('a terminal error', () => {
    it('passes', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, retrying }) => {
        const source = cold('  -a-#', undefined, badRequest);
        const sub = '          ^--!';
        const expected = '     -a-#';
        expectObservable(source.pipe(retryWithBackoff(retrying()))).toBe(expected, undefined, badRequest);
        expectSubscriptions(source.subscriptions).toBe(sub);
      });
    });

    it('does not ask the notifier', () => {
      const notifier = jest.fn(() => of(0));
      const { log } = recorded(throwError(() => badRequest).pipe(retryWithBackoff({ notifier })));
      expect(log).toEqual([`error ${badRequest.message}`]);
      expect(notifier).not.toHaveBeenCalled();
    });
  });

  describe('with a notifier', () => {
    it('tries again at its first value', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, retrying }) => {
        const source = cold('      -a#       ', undefined, cut);
        const notice = cold('        ---x-x-| ');
        const expected = '         -a----a---';
        const unsub = '            ---------!';
        const subs = ['                        ^-!       ', '                        -----^-!  '];
        const noticed = ['                        --^--!    ', '                        -------^-!'];
        const options = retrying({ notifier: () => notice });
        expectObservable(source.pipe(retryWithBackoff(options)), unsub).toBe(expected);
        expectSubscriptions(source.subscriptions).toBe(subs);
        expectSubscriptions(notice.subscriptions).toBe(noticed);
      });
    });

    it('takes a promise as well, as retry does', async () => {
      let tries = 0;
      const source$ = defer(() => ((tries += 1) === 1 ? throwError(() => cut) : of('fine')));
      const notifier = () => Promise.resolve();
      await new Promise<void>((done) => {
        source$.pipe(retryWithBackoff({ notifier })).subscribe({ complete: done });
      });
      expect(tries).toBe(2);
    });

    it('reports each error without a time, as it does not know how long that takes', () => {
      inTime(({ cold, expectObservable, flush, retrying, context }) => {
        const statuses = statusesOf(context);
        const source = cold('#', undefined, cut);
        const notifier = () => timer(10);
        expectObservable(source.pipe(retryWithBackoff(retrying({ notifier }))), '15ms !').toBe('');
        flush();
        expect(statuses.filter(({ type }) => type !== 'stopped')).toEqual([
          { type: 'error', error: cut, attempt: 1, delay: undefined },
          { type: 'error', error: cut, attempt: 2, delay: undefined },
        ]);
      });
    });

    it('tells it the error and how many failures there were', () => {
      inTime(({ cold, expectObservable, flush, retrying }) => {
        const source = cold('#', undefined, cut);
        const notifier = jest.fn<Observable<unknown>, [InformerError, number]>(() => timer(10));
        expectObservable(source.pipe(retryWithBackoff(retrying({ notifier }))), '25ms !').toBe('');
        flush();
        expect(notifier.mock.calls).toEqual([
          [cut, 1],
          [cut, 2],
          [cut, 3],
        ]);
      });
    });

    it('ends with its error', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, retrying }) => {
        const source = cold('  -a#  ', undefined, cut);
        const notice = cold('    --#', undefined, 'enough');
        const sub = '          ^-!  ';
        const expected = '     -a--#';
        const options = retrying({ notifier: () => notice });
        expectObservable(source.pipe(retryWithBackoff(options))).toBe(expected, undefined, 'enough');
        expectSubscriptions(source.subscriptions).toBe(sub);
      });
    });

    it('ends with what it throws', () => {
      const notifier = (): never => {
        throw new Error('enough');
      };
      const { log } = recorded(throwError(() => cut).pipe(retryWithBackoff({ notifier })));
      expect(log).toEqual(['error enough']);
    });

    it('ends with a NotifierCompletedError when it completes without a value, and says so', () => {
      const context = createContext();
      const statuses = statusesOf(context);
      let ended: unknown;
      throwError(() => cut)
        .pipe(retryWithBackoff({ notifier: () => EMPTY, context }))
        .subscribe({ error: (error: unknown) => (ended = error) });
      expect(ended).toBeInstanceOf(NotifierCompletedError);
      expect(ended).toMatchObject({ code: 'NOTIFIER_COMPLETED', terminal: true, cause: cut });
      expect(statuses.at(-1)).toEqual({ type: 'error', error: ended, attempt: 1, delay: undefined });
    });
  });

  describe('a source that can be resumed', () => {
    /** Each `resumable()` counts on where its last subscription ended. */
    function counter() {
      let asked = 0;
      const resumable = jest.fn(() => {
        const id = (asked += 1);
        let position = 0;
        return new Observable<string>((subscriber) => {
          subscriber.next(`${id}:${(position += 1)}`);
          if (position < 3) subscriber.error(cut);
        });
      });
      const cold$ = throwError(() => new Error('resumable() should have been asked'));
      return { source$: Object.assign(cold$ as Observable<string>, { resumable }), resumable };
    }

    it('is asked once in each subscription, and continued', () => {
      const { source$, resumable } = counter();
      inTime(({ expectObservable, flush, retrying }) => {
        const retried$ = source$.pipe(retryWithBackoff(retrying()));
        expectObservable(retried$, '5s !').toBe('a 799ms b 1599ms c', { a: '1:1', b: '1:2', c: '1:3' });
        flush();
      });
      expect(resumable).toHaveBeenCalledTimes(1);
    });

    it('has two cursors for two subscriptions', () => {
      const { source$, resumable } = counter();
      inTime(({ expectObservable, flush, retrying }) => {
        const retried$ = source$.pipe(retryWithBackoff(retrying()));
        const values = (id: number) => ({ a: `${id}:1`, b: `${id}:2`, c: `${id}:3` });
        expectObservable(retried$, '       5s !').toBe('a 799ms b 1599ms c', values(1));
        expectObservable(retried$, '--^    5s !').toBe('--a 799ms b 1599ms c', values(2));
        flush();
      });
      expect(resumable).toHaveBeenCalledTimes(2);
    });

    it('is not asked before somebody subscribes', () => {
      const { source$, resumable } = counter();
      source$.pipe(retryWithBackoff());
      expect(resumable).not.toHaveBeenCalled();
    });
  });

  describe('status', () => {
    it('tells each failure with its number and the wait', () => {
      inTime(({ cold, expectObservable, flush, context, retrying }) => {
        const statuses = statusesOf(context);
        const source = cold('#', undefined, cut);
        expectObservable(source.pipe(retryWithBackoff(retrying())), '801ms !').toBe('');
        flush();
        expect(statuses.slice(1)).toEqual([
          { type: 'error', error: cut, attempt: 1, delay: 800 },
          { type: 'wait', reason: 'backoff', delay: 800 },
          { type: 'error', error: cut, attempt: 2, delay: 1600 },
          { type: 'wait', reason: 'backoff', delay: 1600 },
        ]);
      });
    });

    it('tells a terminal one without a next try', () => {
      const context = createContext();
      const statuses = statusesOf(context);
      recorded(throwError(() => badRequest).pipe(retryWithBackoff({ context })));
      expect(statuses.slice(1)).toEqual([{ type: 'error', error: badRequest, attempt: 1, delay: undefined }]);
    });

    it('tells what is no error of this package as unexpected, and retries it', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, flush, context, retrying }) => {
        const statuses = statusesOf(context);
        const source = cold('#', undefined, 'oops');
        expectObservable(source.pipe(retryWithBackoff(retrying())), '801ms !').toBe('');
        expectSubscriptions(source.subscriptions).toBe(['(^!)', '800ms (^!)']);
        flush();
        expect(statuses[1]).toMatchObject({ error: { code: 'UNEXPECTED', cause: 'oops' } });
        expect((statuses[1] as { error: unknown }).error).toBeInstanceOf(UnexpectedError);
      });
    });

    it('says nothing more when who hears of the error unsubscribes', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, flush, context, retrying }) => {
        const statuses = statusesOf(context);
        const stop$ = new Subject<void>();
        const source = cold('  --#', undefined, cut);
        const retried$ = new Observable<string>((subscriber) => {
          subscriber.add(stop$.subscribe(() => subscriber.unsubscribe()));
          return source.pipe(retryWithBackoff(retrying())).subscribe(subscriber);
        });
        context.status.status$.subscribe((event) => {
          if (event.type === 'error') stop$.next();
        });
        expectObservable(retried$).toBe('');
        expectSubscriptions(source.subscriptions).toBe('^-!');
        flush();
        expect(typesOf(statuses)).toEqual(['stopped', 'error']);
      });
    });
  });

  describe('unsubscribed', () => {
    it('leaves the source, and no timer', () => {
      inTime(({ cold, expectObservable, expectSubscriptions, flush, retrying, context }) => {
        const source = cold('  -a--------');
        const unsub = '        ----!';
        expectObservable(source.pipe(retryWithBackoff(retrying())), unsub).toBe('-a---');
        expectSubscriptions(source.subscriptions).toBe('^---!');
        flush();
        expect(context.scheduler.now()).toBeLessThan(120_000);
      });
    });

    it('leaves no timer during a wait, after a completion or an error', () => {
      inTime(({ cold, expectObservable, flush, retrying, context }) => {
        const retried = (marbles: string, error: unknown = cut) =>
          cold(marbles, undefined, error).pipe(retryWithBackoff(retrying({ resetAfter: 5000 })));
        expectObservable(retried('#'), '3ms !').toBe('');
        expectObservable(retried('--|')).toBe('--|');
        expectObservable(retried('--#', badRequest)).toBe('--#', undefined, badRequest);
        expectObservable(retried('a').pipe(take(1))).toBe('(a|)');
        flush();
        expect(context.scheduler.now()).toBeLessThan(800);
      });
    });

    it('leaves a synchronous endless source in the middle', () => {
      const endless$ = concat(
        of(1, 2, 3),
        merge(
          of(4),
          throwError(() => cut),
        ),
      );
      expect(recorded(endless$.pipe(retryWithBackoff(), take(4))).log).toEqual([
        '1',
        '2',
        '3',
        '4',
        'complete',
      ]);
    });
  });

  it.each([
    ['initial', { initial: 0 }],
    ['factor', { factor: 0.5 }],
    ['cap', { cap: 1 }],
    ['cap', { cap: 2 ** 31 }],
    ['random', { random: 1 as never }],
    ['resetAfter', { resetAfter: 0 }],
    ['resetAfter', { resetAfter: NaN }],
    ['resetAfter', { resetAfter: 2 ** 31 }],
    ['notifier', { notifier: 5 as never }],
  ])('throws at the call for an %s that cannot be used', (option, options) => {
    expect(thrownBy(() => retryWithBackoff(options))).toMatchObject({ code: 'INVALID_OPTION', option });
  });
});
