import { NEVER } from 'rxjs';
import { coalesce } from '../../../operators/coalesce.ts';
import { createQueries } from '../../../operators/createQueries.ts';
import type { Entry } from '../../../src/codec/codec.ts';
import { holdOf } from '../../../src/store/notification.ts';
import { failure } from '../../codec/failure.ts';
import type { Widget, WidgetFacts } from '../../store/objects.ts';
import {
  added,
  at,
  failure as broken,
  deleted,
  list,
  many,
  recorded,
  shown,
  slowContext,
  sync,
  updated,
} from '../pipeline.ts';
import { queried } from '../queried.ts';

const red: WidgetFacts = { colors: ['red'] };
const blue: WidgetFacts = { colors: ['blue'] };
const web: WidgetFacts = { labels: { app: 'web' } };
const version = (entry: Entry<Widget> | undefined): string =>
  entry === undefined ? 'none' : `${entry.key}${entry.resourceVersion ?? ''}`;

afterEach(() => {
  jest.restoreAllMocks();
});

describe('select', () => {
  it('tells the objects of an index value, then who comes, changes and goes', () => {
    const { select, emit } = queried();
    const { log } = recorded(select({ index: 'color', value: 'red' }).notifications$, shown);
    emit(list(1, at('a', 1, red), at('b', 1, blue)));
    expect(log.splice(0)).toEqual(['add a1 initial']);

    emit(updated(at('a', 2, red)), updated(at('b', 3, { colors: ['blue', 'red'] })), added(at('c', 4, blue)));
    expect(log.splice(0)).toEqual(['update a1 a2', 'add b3']);

    emit(
      sync('a'),
      sync('c'),
      updated(at('a', 5, blue)),
      sync('a'),
      deleted(at('b', 6, red)),
      deleted(at('c', 7)),
    );
    expect(log).toEqual(['sync a2', 'delete a2', 'delete b6']);
  });

  it('tells who has the labels, and whom a predicate picks', () => {
    const { select, emit } = queried();
    const labelled = recorded(select({ labels: 'app=web' }).notifications$, shown);
    const picked = recorded(
      select({ where: ({ object }) => object.colors.includes('red') }).notifications$,
      shown,
    );
    const all = recorded(select({}).notifications$, shown);
    emit(list(1, at('a', 1, { ...web, ...red }), at('b', 1)));
    emit(updated(at('b', 2, web)), updated(at('a', 3, red)));
    expect(labelled.log).toEqual(['add a1 initial', 'add b2', 'delete a1']);
    expect(picked.log).toEqual(['add a1 initial', 'update a1 a3']);
    expect(all.log).toHaveLength(4);
  });

  it('combines them: all must hold', () => {
    const { select, emit } = queried();
    const where = jest.fn((entry: Entry<Widget>) => entry.name !== 'c');
    const { log } = recorded(
      select({ index: 'color', value: 'red', labels: 'app', where }).notifications$,
      shown,
    );
    emit(
      list(
        1,
        at('a', 1, { ...red, ...web }),
        at('b', 1, red),
        at('c', 1, { ...red, ...web }),
        at('d', 1, web),
      ),
    );
    expect(log).toEqual(['add a1 initial']);
    // Only of what has the index value and the label.
    expect(where.mock.calls.map(([{ key }]) => key)).toEqual(['a', 'c']);
  });

  it('gives a late subscriber the set, then what changes', () => {
    const { select, emit, counts } = queried();
    const query = select({ index: 'color', value: 'red' });
    const { log: first } = recorded(query.notifications$, shown);
    emit(list(1, at('a', 1, red)));
    emit(added(at('b', 2, red)));
    const { log } = recorded(query.notifications$, shown);
    const other = recorded(select({ index: 'color', value: 'red' }).notifications({ initial: false }), shown);
    emit(deleted(at('a', 3)));
    expect(first).toEqual(['add a1 initial', 'add b2', 'delete a3']);
    expect(log).toEqual(['add a1 initial', 'add b2 initial', 'delete a3']);
    expect(other.log).toEqual(['delete a3']);
    expect(counts.subscribed).toBe(1);
  });

  it('tells of a relist the difference', () => {
    const { select, emit } = queried();
    const { log } = recorded(select({ index: 'color', value: 'red' }).notifications$, shown);
    emit(list(1, at('a', 1, red), at('b', 1, red), at('c', 1, blue)));
    log.length = 0;
    emit(list(5, at('a', 1, red), at('c', 2, red), at('d', 3, blue)));
    expect(log).toEqual(['delete b1 unknown', 'add c2']);
  });

  it('is pulled: who takes its time is told one at a time, and nobody waits for it', () => {
    const { select, emit, context } = queried();
    const { notifications$ } = select({ index: 'color', value: 'red' });
    const handled: string[] = [];
    recorded(notifications$.pipe(coalesce(({ key }) => (handled.push(key), NEVER), { context })));
    const { log } = recorded(notifications$, shown);
    emit(list(1, ...many(50).map(({ name }) => at(name, 1, red))));
    expect(log).toHaveLength(50);
    expect(handled).toEqual(['w0']);
    expect([...context.backlogs]).toMatchObject([{ length: 1 }]);
  });

  it('resyncs its own objects for a subscriber that wants it', () => {
    const { context, scheduler, settle } = slowContext();
    const { select, emit, stopped$ } = queried(context);
    const query = select({ index: 'color', value: 'red' });
    const { log, subscription } = recorded(query.notifications({ resync: 1_000, initial: false }), shown);
    emit(list(1, at('a', 1, red), at('b', 1, blue)));
    settle();
    scheduler.maxFrames = 1_500;
    scheduler.flush();
    settle();
    expect(log).toEqual(['sync a1']);
    subscription.unsubscribe();
    stopped$.complete();
  });

  it('resyncs only what is still in it when its turn comes', () => {
    const { context, scheduler, settle } = slowContext();
    const { select, emit, stopped$ } = queried(context);
    const query = select({ index: 'color', value: 'red' });
    const log: string[] = [];
    let pull: (() => void) | undefined;
    query.notifications({ resync: 1_000, initial: false }).subscribe((told) => {
      log.push(shown(told));
      if (told.type === 'sync') pull = holdOf(told)?.();
    });
    emit(list(1, at('a', 1, red), at('b', 1, red), at('c', 1, red), at('d', 1, red)));
    settle();
    scheduler.maxFrames = 1_500;
    scheduler.flush();
    settle();
    emit(updated(at('b', 2, blue)), deleted(at('c', 3)));
    settle();
    pull?.();
    settle();
    expect(log).toEqual(['sync a1', 'delete b1', 'delete c3', 'sync d1']);
    stopped$.complete();
  });

  it('ends at a stop, also in the middle of what it is told, and begins anew', () => {
    const { select, emit, source, stopped$, counts } = queried();
    const { notifications$, count$ } = select({ index: 'color', value: 'red' });
    const handled = recorded(notifications$.pipe(coalesce(() => NEVER)), String);
    const counted = recorded(count$);
    emit(list(1, at('a', 1, red), at('b', 1, red)));
    source().complete();
    expect(counted.log).toEqual(['2', 'complete']);
    expect(handled.log).toEqual([]);
    stopped$.next();
    expect(counts.unsubscribed).toBe(1);

    const { log } = recorded(notifications$, shown);
    expect(log).toEqual([]);
    emit(list(2, at('b', 2, red)));
    expect(log).toEqual(['add b2 initial']);
    expect(counts.subscribed).toBe(2);
  });

  it('ends with what ends the informer', () => {
    const { select, get$, emit, source } = queried();
    const selected = recorded(select({ index: 'color', value: 'red' }).notifications$, shown);
    const waits = recorded(get$('a'), version);
    source().error(broken);
    const { log } = recorded(get$('a'), version);
    emit(list(1, at('a', 1)));
    expect(selected.log).toEqual(['error x']);
    expect(waits.log).toEqual(['error x']);
    expect(log).toEqual(['a1']);
  });

  it.each([
    ['query', 5, /give index, value, labels, where/],
    ['query', { label: 'app' }, /it is made of index, value, labels, where/],
    ['index', { value: 'red' }, /a value is one in an index/],
    ['index', { index: 5, value: 'red' }, /a value is one in an index/],
    ['index', { index: 'colour', value: 'red' }, /colour/],
    ['value', { index: 'color' }, /give the value in the index/],
    ['value', { index: 'color', value: 5 }, /give the value in the index/],
    ['labelSelector', { labels: 'a in' }, /./],
    ['where', { where: 'red' }, /give a function/],
  ])('refuses a bad %s: %j', (option, query, message) => {
    const { select } = queried();
    expect(() => select(query as never)).toThrow(failure({ code: 'INVALID_OPTION', option, message }));
  });

  it('refuses bad options', () => {
    const { select, shared$, store } = queried();
    expect(() => select({}).notifications({ initial: 1 as never })).toThrow(
      failure({ code: 'INVALID_OPTION' }),
    );
    expect(() => createQueries(shared$ as never, store)).toThrow(
      failure({ code: 'INVALID_OPTION', option: 'source' }),
    );
  });
});

describe('count$', () => {
  it('counts once all were told, then keeps it', () => {
    const { select, emit } = queried();
    const counts = (query: Parameters<typeof select>[0]) => recorded(select(query).count$).log;
    const [reds, all, none] = [
      counts({ index: 'color', value: 'red' }),
      counts({}),
      counts({ labels: 'app' }),
    ];
    expect([reds, all, none]).toEqual([[], [], []]);
    emit(list(1, at('a', 1, red), at('b', 1, red), at('c', 1, blue)));
    emit(updated(at('a', 2, red)), sync('a'), updated(at('b', 3, blue)), added(at('d', 4)));
    expect(reds).toEqual(['2', '1']);
    expect(all).toEqual(['3', '4']);
    expect(none).toEqual(['0']);
  });
});
