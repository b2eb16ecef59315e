import { firstValueFrom, NEVER, type Observable, repeat, take, toArray } from 'rxjs';
import { createQueries } from '../../operators/createQueries.ts';
import type { Entry } from '../../src/codec/codec.ts';
import { Membership } from '../../src/store/membership.ts';
import { Routes } from '../../src/store/routes.ts';
import { createStore } from '../../src/store/store.ts';
import { failure } from '../codec/failure.ts';
import type { Widget, WidgetFacts } from '../store/objects.ts';
import { added, at, deleted, list, many, recorded, shown, slowContext, sync, updated } from './pipeline.ts';
import { queried } from './queried.ts';

const red: WidgetFacts = { colors: ['red'] };
const version = (entry: Entry<Widget> | undefined): string =>
  entry === undefined ? 'none' : `${entry.key}${entry.resourceVersion ?? ''}`;

afterEach(() => {
  jest.restoreAllMocks();
});

describe('get$', () => {
  it('emits the state, then each change; a resync is none', () => {
    const { get$, emit } = queried();
    const { log } = recorded(get$('a'), version);
    const { log: absent } = recorded(get$('b'), version);
    expect(log).toEqual([]);
    emit(list(1, at('a', 1)), updated(at('a', 2)), sync('a'), list(3, at('a', 2)), deleted(at('a', 4)));
    emit(added(at('a', 5)), updated(at('a', 6, { uid: 'another' })));
    expect(log).toEqual(['a1', 'a2', 'none', 'a5', 'none', 'a6']);
    expect(absent).toEqual(['none']);
    const { log: late } = recorded(get$('a'), version);
    expect(late).toEqual(['a6']);
  });

  it('lets a subscriber leave and join others in its own callback', () => {
    const { get$, emit, counts } = queried();
    const seen: string[] = [];
    const inner: string[] = [];
    const joined = get$('a').subscribe((entry) => {
      seen.push(version(entry));
      if (seen.length === 1) recorded(get$('a').pipe(take(2)), (each) => `${inner.push(version(each))}`);
      else joined.unsubscribe();
    });
    emit(list(1, at('a', 1)));
    emit(updated(at('a', 2)), updated(at('a', 3)));
    expect(seen).toEqual(['a1', 'a2']);
    expect(inner).toEqual(['a1', 'a2']);
    expect(counts).toMatchObject({ subscribed: 1, unsubscribed: 1 });
  });

  it.each(['', undefined, 5])('refuses %p as a key', (key) => {
    expect(() => queried().get$(key as never)).toThrow(failure({ code: 'INVALID_OPTION', option: 'key' }));
  });
});

describe('the queries of one informer', () => {
  it('are one subscriber, and the last of them leaving ends it', () => {
    const { get$, select, emit, counts } = queried();
    const subscriptions = [
      recorded(get$('a')).subscription,
      recorded(select({ index: 'color', value: 'red' }).count$).subscription,
    ];
    emit(list(1));
    subscriptions.push(recorded(get$('b')).subscription);
    for (const subscription of subscriptions) {
      expect(counts).toMatchObject({ subscribed: 1, unsubscribed: 0 });
      subscription.unsubscribe();
    }
    expect(counts).toMatchObject({ subscribed: 1, unsubscribed: 1 });
  });

  it('cost a change what it touches: one of ten thousand keys and one of a thousand index values', () => {
    const { get$, select, emit, counts } = queried();
    const touched: string[] = [];
    const value = (n: number): WidgetFacts => ({ colors: [`color ${n % 1_000}`] });
    const entries = Array.from({ length: 10_000 }, (_, n) => at(`w${n}`, 1, value(n)));
    for (const { key } of entries) get$(key).subscribe(() => touched.push(key));
    for (let n = 0; n < 1_000; n += 1) {
      select({ index: 'color', value: `color ${n}` }).notifications$.subscribe(({ key }) =>
        touched.push(`${key} in ${n}`),
      );
    }
    emit(list(1, ...entries));
    expect(touched.splice(0)).toHaveLength(20_000);
    expect(counts.asked).toBe(10_000);

    const routed = jest.spyOn(Routes.prototype, 'of');
    const asked = jest.spyOn(Membership.prototype, 'told');
    emit(updated(at('w5', 2, value(5))));
    expect(touched.splice(0).sort()).toEqual(['w5', 'w5 in 5']);
    expect(asked).toHaveBeenCalledTimes(1);
    emit(updated(at('w5', 3, value(6))));
    expect(touched.splice(0).sort()).toEqual(['w5', 'w5 in 5', 'w5 in 6']);
    expect(asked).toHaveBeenCalledTimes(3);
    emit(deleted(at('w5', 4, value(6))));
    expect(touched.sort()).toEqual(['w5', 'w5 in 6']);
    expect(routed.mock.results.map((result) => (result.value as ReadonlySet<unknown>).size)).toEqual([
      2, 3, 2,
    ]);
    // The store asks for each entry once; nobody else does.
    expect(counts.asked).toBe(10_002);
  });

  it('keep nothing of who left', () => {
    const { get$, select, emit } = queried();
    recorded(get$('kept'));
    emit(list(1, at('a', 1, red)));
    const leaving = [recorded(select({ index: 'color', value: 'red' }).count$), recorded(get$('a'))];
    emit(added(at('b', 2, red)));
    const routed = jest.spyOn(Routes.prototype, 'of');
    for (const { subscription } of leaving) subscription.unsubscribe();
    emit(updated(at('b', 3, red)), updated(at('a', 4, red)), added(at('c', 5, red)));
    expect(routed.mock.results.map((result) => (result.value as ReadonlySet<unknown>).size)).toEqual([
      0, 0, 0,
    ]);
  });

  it('keep nothing of who leaves while the same change is told to another', () => {
    const { get$, select, emit } = queried();
    const { subscription } = recorded(select({ index: 'color', value: 'red' }).count$);
    get$('a').subscribe((entry) => {
      if (entry !== undefined) subscription.unsubscribe();
    });
    emit(list(1));
    emit(added(at('a', 1, red)));
    const routed = jest.spyOn(Routes.prototype, 'of');
    emit(updated(at('a', 2, red)));
    expect(routed.mock.results.map((result) => (result.value as ReadonlySet<unknown>).size)).toEqual([1]);
  });

  it('tell nothing twice to who joins during the difference of a relist', () => {
    const { get$, select, shared$, emit } = queried();
    const logs: string[][] = [];
    recorded(get$('there before'));
    shared$.subscribe(({ type }) => {
      if (type !== 'update' || logs.length > 0) return;
      logs.push(recorded(get$('b'), version).log);
      logs.push(recorded(select({ index: 'color', value: 'red' }).notifications$, shown).log);
      logs.push(recorded(select({ index: 'color', value: 'red' }).count$).log);
    });
    emit(list(1, at('a', 1, red), at('b', 1, red), at('c', 1, red)));
    emit(list(9, at('a', 2, red), at('b', 2, red), at('d', 2, red)));
    expect(logs).toEqual([['b2'], ['add a2 initial', 'add b2 initial', 'add d2 initial'], ['3']]);
  });

  it('can be asked again as soon as they end', () => {
    const { get$, emit, source, counts } = queried();
    const { log } = recorded(get$('a').pipe(repeat(2)), version);
    recorded(get$('b'));
    emit(list(1, at('a', 1)));
    source().complete();
    expect(counts).toMatchObject({ subscribed: 2, unsubscribed: 1 });
    emit(list(2, at('a', 2)));
    expect(log).toEqual(['a1', 'a2']);
  });

  it('join in slices, however many wait for the first list', () => {
    const { context, settle } = slowContext();
    const { get$, emit } = queried(context);
    let told = 0;
    for (const { key } of many(200)) get$(key).subscribe(() => (told += 1));
    emit(list(1, ...many(200)));
    expect(told).toBeLessThan(200);
    settle();
    expect(told).toBe(200);
  });

  it('do not start anything before they are subscribed to', () => {
    const { get$, select, waitFor, reader, counts } = queried();
    get$('a');
    select({}).notifications();
    waitFor('a', () => true);
    reader('a')();
    expect(counts.subscribed).toBe(0);
  });

  it('work without a context', async () => {
    const store = createStore<Widget>();
    store.apply(added(at('a', 1)));
    const source = (options: { onSynced?: (() => void) | undefined }): Observable<never> => {
      options.onSynced?.();
      return NEVER;
    };
    const { get$ } = createQueries(source, store);
    await expect(firstValueFrom(get$('a').pipe(take(1), toArray()))).resolves.toHaveLength(1);
  });
});
