import { map, NEVER, type Observable, of, repeat, Subject, take } from 'rxjs';
import { resyncEvery } from '../../operators/resyncEvery.ts';
import { createContext } from '../../src/context.ts';
import type { Delta } from '../../src/queue/delta.ts';
import { createStore } from '../../src/store/store.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import type { Widget } from '../store/objects.ts';
import { added, at, deleted, many, slowContext, testScheduler, updated } from './pipeline.ts';

const shown = (delta: Delta<Widget>): string => ('key' in delta ? `${delta.type} ${delta.key}` : delta.type);

function storeOf(...entries: ReturnType<typeof at>[]) {
  const store = createStore<Widget>();
  for (const entry of entries) store.apply(added(entry));
  return store;
}

type Run = Parameters<Parameters<ReturnType<typeof testScheduler>['run']>[0]>[0];

/** Virtual time, and a store of `a` and `b`. */
function inTime(
  test: (
    run: Run & { resync: ReturnType<typeof resyncEvery<Widget>>; store: ReturnType<typeof storeOf> },
  ) => void,
): void {
  const scheduler = testScheduler();
  const store = storeOf(at('a', 1), at('b', 1));
  const context = createContext({ scheduler, random: () => 0 });
  scheduler.run((run) => {
    test({ ...run, store, resync: resyncEvery<Widget>(10, store, { context }) });
  });
}

const DELTAS: Record<string, Delta<Widget>> = { x: updated(at('x', 1)), d: deleted(at('a', 1)) };
const TEXT = { x: 'Updated x', d: 'Deleted a', a: 'Sync a', b: 'Sync b', c: 'Sync c' };

const quiet$ = NEVER as Observable<Delta<Widget>>;

afterEach(() => {
  jest.restoreAllMocks();
});

describe('resyncEvery', () => {
  it('merges a Sync of each stored object into the stream, at each period', () => {
    inTime(({ hot, expectObservable, expectSubscriptions, resync }) => {
      const source = hot(' --x------------x---------|', DELTAS);
      const sub = '        ^------------------------!';
      const expected = '   --x-------(ab)-x----(ab)-|';
      expectObservable(source.pipe(resync, map(shown))).toBe(expected, TEXT);
      expectSubscriptions(source.subscriptions).toBe(sub);
    });
  });

  it('takes up to a tenth longer, at random each time', () => {
    const chances = [0.5, 0.25];
    const scheduler = testScheduler();
    const context = createContext({ scheduler, random: () => chances.shift() ?? 0 });
    const resync = resyncEvery<Widget>(40, storeOf(at('a', 1)), { context });
    scheduler.run(({ expectObservable }) => {
      const expected = ' 42ms a 40ms a 39ms a';
      expectObservable(quiet$.pipe(resync, map(shown)), '125ms !').toBe(expected, TEXT);
    });
  });

  it('tells what is stored then', () => {
    inTime(({ hot, expectObservable, cold, resync, store }) => {
      const source = hot<Delta<Widget>>('  --------------------------|');
      const writes = cold(' -----d----------c---------|');
      const expected = '    ----------b---------(bc)--|';
      writes.subscribe((write) => {
        store.apply(write === 'd' ? deleted(at('a', 1)) : added(at('c', 1)));
      });
      expectObservable(source.pipe(resync, map(shown))).toBe(expected, TEXT);
    });
  });

  it('passes an error, and no Sync after it', () => {
    inTime(({ hot, expectObservable, expectSubscriptions, resync }) => {
      const source = hot(' --x-----------#', DELTAS);
      const sub = '        ^-------------!';
      const expected = '   --x-------(ab)#';
      expectObservable(source.pipe(resync, map(shown))).toBe(expected, TEXT);
      expectSubscriptions(source.subscriptions).toBe(sub);
    });
  });

  it('ends its timer when unsubscribed, completed or failed', () => {
    const scheduler = testScheduler();
    const context = createContext({ scheduler });
    const resync = resyncEvery<Widget>(1000, storeOf(at('a', 1)), { context });
    scheduler.run(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const quiet = cold<Delta<Widget>>('  -------');
      const unsub = '       --!    ';
      expectObservable(quiet.pipe(resync), unsub).toBe('');
      expectObservable(cold<Delta<Widget>>('--|').pipe(resync)).toBe('--|');
      expectObservable(cold<Delta<Widget>>('--#').pipe(resync)).toBe('--#');
      expectSubscriptions(quiet.subscriptions).toBe('^-!');
      flush();
    });
    expect(scheduler.now()).toBeLessThan(1000);
  });

  it('is timed by itself in each subscription', () => {
    inTime(({ expectObservable, resync }) => {
      const synced$ = quiet$.pipe(resync, map(shown));
      expectObservable(synced$, '      ---------------!').toBe('----------(ab)', TEXT);
      expectObservable(synced$, '-----^--------------!').toBe('---------------(ab)', TEXT);
    });
  });

  it('stops in the middle when a handler unsubscribes', () => {
    inTime(({ cold, expectObservable, expectSubscriptions, resync }) => {
      const source = cold<Delta<Widget>>(' ----------------|');
      const sub = '         ^---------!      ';
      const expected = '    ----------(a|)   ';
      expectObservable(source.pipe(resync, map(shown), take(1))).toBe(expected, TEXT);
      expectSubscriptions(source.subscriptions).toBe(sub);
    });
  });

  it('leaves a synchronous endless source when it has enough', () => {
    const endless$ = of(updated(at('x', 1)) as Delta<Widget>).pipe(repeat());
    const log: string[] = [];
    endless$.pipe(resyncEvery(10, storeOf()), take(2)).subscribe((delta) => log.push(shown(delta)));
    expect(log).toEqual(['Updated x', 'Updated x']);
  });

  it('gives way between slices, and begins the next period after the last one', () => {
    const { context, scheduler, turn, settle } = slowContext();
    const source$ = new Subject<Delta<Widget>>();
    const log: string[] = [];
    source$
      .pipe(resyncEvery(10, storeOf(...many(40)), { context }))
      .subscribe((delta) => log.push(shown(delta)));
    scheduler.flush();
    expect(log).toHaveLength(16);
    source$.next(updated(at('x', 1)));
    turn();
    expect(log.slice(15, 18)).toEqual(['Sync w15', 'Updated x', 'Sync w16']);
    scheduler.flush();
    expect(log).toHaveLength(33);
    settle();
    expect(log).toHaveLength(41);
  });

  it('calls nobody between slices after it was unsubscribed', () => {
    const { context, scheduler, settle } = slowContext();
    const log: string[] = [];
    const synced$ = quiet$.pipe(resyncEvery(10, storeOf(...many(40)), { context }));
    const subscription = synced$.subscribe((delta) => log.push(shown(delta)));
    scheduler.flush();
    subscription.unsubscribe();
    settle();
    expect(log).toHaveLength(16);
  });

  it.each([0, -1, NaN, Infinity, 2 ** 31 - 1, '5' as never])(
    'throws at the call for a period of %p',
    (period) => {
      expect(thrownBy(() => resyncEvery(period, storeOf()))).toMatchObject({
        code: 'INVALID_OPTION',
        option: 'period',
      });
    },
  );
});
