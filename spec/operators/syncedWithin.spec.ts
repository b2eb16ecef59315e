import { NEVER, type Observable, of } from 'rxjs';
import { type AwaitedInformer, syncedWithin } from '../../operators/syncedWithin.ts';
import { createContext } from '../../src/context.ts';
import { type InformerError, InvalidOptionError, type SyncTimeoutError } from '../../src/errors.ts';
import { idOf, type Readiness, reasonOf } from '../../src/informer/readiness.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import { failure, testScheduler } from './pipeline.ts';

type Run = Parameters<Parameters<ReturnType<typeof testScheduler>['run']>[0]>[0];

function readinessOf(facts: Partial<Readiness>): Readiness {
  const source = { codecOptions: { apiVersion: 'v1', kind: 'Pod' }, selection: {} } as never;
  const all = {
    ...idOf(source, ''),
    state: 'starting',
    since: 0,
    synced: false,
    phase: 'list',
    items: 0,
    expected: undefined,
    attempt: 0,
    lastError: undefined,
    delay: undefined,
    staleSince: undefined,
    blockedBy: [],
    ...facts,
  } as const;
  return { ...all, reason: reasonOf(all) };
}

const informer = (
  synced$: Observable<undefined>,
  facts: Partial<Readiness> = {},
  lastError?: InformerError,
): AwaitedInformer => ({ synced$, readiness: readinessOf(facts), lastError });

function inTime(test: (run: Run, within: typeof syncedWithin) => void): void {
  const scheduler = testScheduler();
  const context = createContext({ scheduler });
  scheduler.run((run) => {
    test(run, (milliseconds, informers) => syncedWithin(milliseconds, informers, { context }));
  });
}

const V = { v: undefined };

describe('syncedWithin', () => {
  it('emits once and completes when the last one is in sync', () => {
    inTime(({ cold, expectObservable, expectSubscriptions }, within) => {
      const one = cold<undefined>('--(v|)', V);
      const two = cold<undefined>('----(v|)', V);
      const subs = ['         ^-!', '            ^---!'];
      const expected = '      ----(v|)';
      expectObservable(within(10, { one: informer(one), two: informer(two) })).toBe(expected, V);
      expectSubscriptions(one.subscriptions).toBe(subs[0] ?? '');
      expectSubscriptions(two.subscriptions).toBe((subs[1] ?? '').trim());
    });
  });

  it('errors at once for one that had failed before', () => {
    inTime(({ expectObservable, cold }, within) => {
      const error = new InvalidOptionError('kind', 'Pot', 'ask for a Pod');
      const failed = informer(NEVER, { state: 'failed' }, error);
      expectObservable(within(10, { one: informer(cold('-')), failed })).toBe('#', undefined, error);
    });
  });

  it('waits for ever where it is told so', () => {
    inTime(({ cold, expectObservable }, within) => {
      const late = cold<undefined>('- 1m (v|)', V);
      expectObservable(within(undefined, { late: informer(late) })).toBe('- 1m (v|)', V);
    });
  });

  it('emits at once for none, and for those that are in sync', () => {
    inTime(({ expectObservable }, within) => {
      expectObservable(within(10, {})).toBe('(v|)', V);
      expectObservable(within(10, { one: informer(of(undefined)) })).toBe('(v|)', V);
    });
  });

  it('errors in time with how each does that is missing, and leaves all', () => {
    const errors: SyncTimeoutError[] = [];
    inTime(({ cold, expectSubscriptions, flush }, within) => {
      const one = cold<undefined>('--(v|)', V);
      const two = cold<undefined>('------');
      const three = cold<undefined>('------');
      const informers = {
        one: informer(one),
        two: informer(two, { state: 'unused' }),
        three: informer(three, { state: 'blocked', blockedBy: ['billing'] }),
      };
      within(4, informers).subscribe({ error: (error: unknown) => errors.push(error as SyncTimeoutError) });
      expectSubscriptions(two.subscriptions).toBe('^---!');
      expectSubscriptions(three.subscriptions).toBe('^---!');
      flush();
    });
    expect(errors).toMatchObject([
      {
        code: 'SYNC_TIMEOUT',
        terminal: true,
        missing: { two: { state: 'unused' }, three: { state: 'blocked' } },
        message:
          'not in sync after 0.004 s: two (nobody has subscribed to it or started it), three (its reading is stopped by billing)',
      },
    ]);
    expect(Object.keys(errors[0]?.missing ?? {})).toEqual(['two', 'three']);
  });

  it('passes a terminal error of one at once', () => {
    inTime(({ cold, expectObservable, expectSubscriptions }, within) => {
      const other = cold<undefined>('-----');
      const failing = cold<undefined>('--#', V, failure);
      const expected = '--#';
      expectObservable(within(10, { failing: informer(failing), other: informer(other) })).toBe(
        expected,
        V,
        failure,
      );
      expectSubscriptions(other.subscriptions).toBe('^-!');
    });
  });

  it('begins the time anew with each subscription, and keeps no timer after it', () => {
    const scheduler = testScheduler();
    const context = createContext({ scheduler });
    scheduler.run(({ cold, expectObservable, flush }) => {
      const synced$ = syncedWithin(1000, { one: informer(cold<undefined>('---(v|)', V)) }, { context });
      expectObservable(synced$).toBe('---(v|)', V);
      expectObservable(synced$, '----^-!').toBe('');
      flush();
    });
    expect(scheduler.now()).toBeLessThan(1000);
  });

  it.each([0, -1, NaN, Infinity, 2 ** 31, '5' as never])('throws at the call for %p', (milliseconds) => {
    expect(thrownBy(() => syncedWithin(milliseconds, {}))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'milliseconds',
    });
  });
});
