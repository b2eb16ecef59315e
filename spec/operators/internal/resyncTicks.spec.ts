import { BehaviorSubject, map, NEVER, type Observable, of } from 'rxjs';
import { type ResyncPeriod, resyncTicks } from '../../../operators/internal/resyncTicks.ts';
import { createContext } from '../../../src/context.ts';
import { statusesOf, testScheduler } from '../pipeline.ts';

type Run = Parameters<Parameters<ReturnType<typeof testScheduler>['run']>[0]>[0];

/** Virtual time, and what is ticked in it as `t`. */
function inTime(
  test: (run: Run & { ticks: (resync: ResyncPeriod) => Observable<string> }) => void,
  random: () => number = () => 0,
): string[] {
  const scheduler = testScheduler();
  const context = createContext({ scheduler, random });
  const statuses = statusesOf(context);
  const ticks = (resync: ResyncPeriod) => resyncTicks(resync, context).pipe(map(() => 't'));
  scheduler.run((run) => {
    test({ ...run, ticks });
  });
  return statuses.flatMap((status) => (status.type === 'problem' ? [status.error.message] : []));
}

const PERIODS: Record<string, number | undefined> = { a: 4, b: 2, o: 0, i: Infinity, u: undefined, x: -1 };

describe('resyncTicks', () => {
  it('ticks at each period, up to a tenth later, at random each time', () => {
    const chances = [0.5, 0.25];
    inTime(
      ({ expectObservable, ticks }) => {
        expectObservable(ticks(40), '125ms !').toBe('42ms t 40ms t 39ms t');
      },
      () => chances.shift() ?? 0,
    );
  });

  it.each([undefined, 0, Infinity])('never for a period of %p, and keeps no timer', (period) => {
    inTime(({ expectObservable, ticks }) => {
      expectObservable(ticks(period)).toBe('|');
    });
  });

  it('goes by the newest period, from when it came', () => {
    inTime(({ hot, expectObservable, expectSubscriptions, ticks }) => {
      const periods = hot('a--------b-----a------', PERIODS);
      const unsub = '      ---------------------!';
      const expected = '   ----t---t--t-t-----t-';
      expectObservable(ticks(periods), unsub).toBe(expected);
      expectSubscriptions(periods.subscriptions).toBe('^--------------------!');
    });
  });

  it('does not begin anew with the period it has', () => {
    inTime(({ hot, expectObservable, ticks }) => {
      const periods = hot('a--a--a---------', PERIODS);
      const expected = '   ----t---t---t';
      expectObservable(ticks(periods), '---------------!').toBe(expected);
    });
  });

  it.each(['o', 'i', 'u'])('stops with %s, until there is a period again', (off) => {
    inTime(({ hot, expectObservable, ticks }) => {
      const periods = hot(`a-----${off}-----b----`, PERIODS);
      const expected = '   ----t---------t-t';
      expectObservable(ticks(periods), '-----------------!').toBe(expected);
    });
  });

  it('keeps the last period when the stream of periods ends', () => {
    inTime(({ cold, expectObservable, ticks }) => {
      expectObservable(ticks(cold('a-|', PERIODS)), '---------!').toBe('----t---t');
    });
  });

  it('keeps it when that fails, and says so', () => {
    const problems = inTime(({ cold, expectObservable, ticks }) => {
      expectObservable(ticks(cold('a-#', PERIODS, new Error('no'))), '---------!').toBe('----t---t');
    });
    expect(problems).toEqual(['resync failed: no']);
  });

  it('keeps it when one comes that cannot be used, and says so', () => {
    const problems = inTime(({ hot, expectObservable, ticks }) => {
      const periods = hot('a-x-------------', PERIODS);
      expectObservable(ticks(periods), '---------!').toBe('----t---t');
      expectObservable(ticks(of<ResyncPeriod>('4' as never) as Observable<number>)).toBe('|');
    });
    expect(problems).toEqual([
      'resync: "4" cannot be used; give milliseconds from 1 to 1952257860',
      'resync: -1 cannot be used; give milliseconds from 1 to 1952257860',
    ]);
  });

  it('leaves the stream of periods and its timer when unsubscribed', () => {
    const scheduler = testScheduler();
    const periods$ = new BehaviorSubject(1000);
    scheduler.run(({ expectObservable, flush }) => {
      const ticks$ = resyncTicks(periods$, createContext({ scheduler }));
      expectObservable(ticks$, '--!').toBe('');
      expectObservable(NEVER, '--!').toBe('');
      flush();
    });
    expect(periods$.observed).toBe(false);
    expect(scheduler.now()).toBeLessThan(1000);
  });
});
