import { Subject, take } from 'rxjs';
import { applyToStore } from '../../operators/applyToStore.ts';
import { coalesce } from '../../operators/coalesce.ts';
import { shareNotifications } from '../../operators/shareNotifications.ts';
import type { UserFunctionError } from '../../src/errors.ts';
import type { Batch } from '../../src/queue/delta.ts';
import { createStore } from '../../src/store/store.ts';
import {
  added,
  at,
  deleted,
  list,
  many,
  recorded,
  shown,
  slowContext,
  updated,
} from '../operators/pipeline.ts';
import { type Widget, widget } from '../store/objects.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const colors = ({ colors }: Widget): readonly string[] => colors;

it('77 the version is that of the last write, deletes and lists, too', () => {
  const store = createStore<Widget>();
  const versions: (string | undefined)[] = [];
  const note = (): unknown => versions.push(store.resourceVersion);
  for (const delta of [
    added(at('a', 10)),
    added(at('b', 10)),
    updated(at('a', 20)),
    deleted(at('a', 30)),
    added(widget('without a version')),
    added(at('c', 40)),
    deleted(widget('without a version')),
    updated(at('c', 41)),
    added(at('d', 30)),
    added(at('e', 50)),
  ]) {
    store.apply(delta);
    note();
  }
  store.replace(list(50, at('f', 30), at('g', 40))).commit();
  note();
  expect(versions).toEqual(['10', '10', '20', '30', '30', '40', '40', '41', '30', '50', '50']);
});

it('78 an index has exactly what is there, after adds, updates and deletes, and no value that nobody has', () => {
  const store = createStore<Widget>({ indexers: { colors } });
  const shelves = (): Record<string, string[]> =>
    Object.fromEntries(
      store
        .indexValues('colors')
        .map((color) => [color, store.byIndex('colors', color).map(({ key }) => key)]),
    );
  store.apply(added(at('a', 1, { colors: ['red', 'blue', 'red'] })));
  store.apply(added(at('b', 2, { colors: ['blue'] })));
  store.apply(added(at('c', 3, { colors: [] })));
  expect(shelves()).toEqual({ red: ['a'], blue: ['a', 'b'] });
  store.apply(updated(at('a', 4, { colors: ['green', 'blue'] })));
  expect(shelves()).toEqual({ green: ['a'], blue: ['a', 'b'] });
  store.apply(deleted(at('a', 5)));
  expect(shelves()).toEqual({ blue: ['b'] });
  store.apply(deleted(at('b', 6)));
  expect(shelves()).toEqual({});
});

it('79 objects whose index function fails are stored, reported by name, and in that index under nothing', () => {
  const errors: UserFunctionError[] = [];
  const store = createStore<Widget>({
    indexers: {
      colors,
      picky: ({ metadata }) => {
        if (metadata.name.startsWith('bad')) throw new Error('not this one');
        return ['ok'];
      },
    },
    onError: (error) => errors.push(error),
  });
  const facts = { colors: ['red'] };
  const entries = ['ok0', 'bad1', 'ok2', 'bad3'].map((name, n) => at(name, n + 1, facts));
  store.replace(list(10, ...entries)).commit();
  expect(store.size).toBe(4);
  expect(store.byIndex('picky', 'ok').map(({ key }) => key)).toEqual(['ok0', 'ok2']);
  expect(store.byIndex('colors', 'red')).toHaveLength(4);
  expect(errors.map(({ where, key }) => [where, key])).toEqual([
    ['index picky', 'bad1'],
    ['index picky', 'bad3'],
  ]);
});

it('82 in sync is not who has a list, but who was told all of it', () => {
  const { context, settle, turnUntil } = slowContext();
  const store = createStore<Widget>();
  const batches$ = new Subject<Batch<Widget>>();
  const statuses: string[] = [];
  context.status.status$.subscribe(({ type }) => statuses.push(type));
  const shared$ = shareNotifications(store, { context })(batches$.pipe(applyToStore(store, { context })));
  const { log } = recorded(shared$, shown);
  const handler$ = new Subject<void>();
  let handled = 0;
  let given = false;
  const slow$ = shared$.with({ onSynced: () => (given = true) }).pipe(
    coalesce(
      () => {
        handled += 1;
        return handler$.pipe(take(1));
      },
      { context },
    ),
  );
  const slow = slow$.subscribe();
  settle();
  expect(statuses).not.toContain('synced');
  batches$.next(list(1, ...many(100)));
  turnUntil(() => log.length > 0);
  expect(store.size).toBe(100);
  expect(statuses).not.toContain('synced');
  settle();
  expect(log).toHaveLength(100);
  expect(statuses.filter((type) => type === 'synced')).toHaveLength(1);

  // One by itself is when its handler was given the last of it, whether it is done with that or not.
  while (handled < 99) {
    handler$.next();
    settle();
  }
  expect(given).toBe(false);
  handler$.next();
  settle();
  expect([given, handled]).toEqual([true, 100]);
  expect([...context.backlogs]).toMatchObject([{ running: 1, length: 0 }]);
  slow.unsubscribe();
});
