import fc from 'fast-check';
import type { Entry } from '../../src/codec/codec.ts';
import type { Change } from '../../src/store/change.ts';
import { createStore, type WritableStore } from '../../src/store/store.ts';
import { type Widget, type WidgetFacts, widget } from './objects.ts';

interface Named extends WidgetFacts {
  readonly name: string;
}

type Write =
  | { readonly type: 'Added' | 'Updated' | 'Deleted'; readonly facts: Named }
  | { readonly type: 'Sync'; readonly name: string }
  | { readonly type: 'Replaced'; readonly list: readonly Named[]; readonly step: number };

const name = fc.constantFrom('a', 'b', 'c', 'd');
const color = fc.constantFrom('red', 'green', 'blue');

const facts = (withIdentity: boolean): fc.Arbitrary<Named> =>
  fc.record({
    name,
    uid: withIdentity ? fc.constantFrom('u1', 'u2', undefined) : fc.constant(undefined),
    version: withIdentity ? fc.integer({ min: 1, max: 12 }).map(String) : fc.constant(undefined),
    colors: fc.array(color, { maxLength: 3 }),
  });

const write = (withIdentity: boolean): fc.Arbitrary<Write> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ type: fc.constantFrom('Added', 'Updated'), facts: facts(withIdentity) }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('Deleted'), facts: facts(withIdentity) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('Sync'), name }) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('Replaced'),
        list: fc.array(facts(withIdentity), { maxLength: 6 }),
        step: fc.integer({ min: 1, max: 50 }),
      }),
    },
  );

/** Lists of `copies` objects for each name get to where much is changed at once. */
const runs = fc.boolean().chain((withIdentity) =>
  fc.record({
    writes: fc.array(write(withIdentity), { maxLength: 25 }),
    copies: fc.constantFrom(1, 40),
  }),
);

const copiesOf = (list: readonly Named[], copies: number): Entry<Widget>[] =>
  list.flatMap(({ name, ...rest }) =>
    Array.from({ length: copies }, (_, at) => widget(at === 0 ? name : `${name}${String(at)}`, rest)),
  );

function perform(store: WritableStore<Widget>, write: Write, copies: number): readonly Change<Widget>[] {
  switch (write.type) {
    case 'Sync':
      return store.apply({ type: 'Sync', key: write.name });
    case 'Replaced': {
      const entries = copiesOf(write.list, copies);
      const replacement = store.replace({ type: 'Replaced', version: '1', entries });
      while (replacement.step(write.step));
      return [...replacement.commit()];
    }
    default:
      return store.apply({
        type: write.type,
        key: write.facts.name,
        entry: widget(write.facts.name, write.facts),
      });
  }
}

/** What the rules say, as plainly as possible. */
class Model {
  readonly entries = new Map<string, Entry<Widget>>();

  perform(write: Write, copies: number): void {
    switch (write.type) {
      case 'Sync':
        break;
      case 'Replaced':
        this.entries.clear();
        for (const entry of copiesOf(write.list, copies)) this.entries.set(entry.key, entry);
        break;
      case 'Deleted':
        if (!(this.#isAnother(write.facts) && this.#isOlder(write.facts)))
          this.entries.delete(write.facts.name);
        break;
      default:
        if (this.#isAnother(write.facts) || !this.#isOlder(write.facts)) {
          this.entries.set(write.facts.name, widget(write.facts.name, write.facts));
        }
    }
  }

  #isAnother({ name, uid }: Named): boolean {
    const held = this.entries.get(name);
    return held?.uid !== undefined && uid !== undefined && held.uid !== uid;
  }

  #isOlder({ name, version }: Named): boolean {
    return Number(version) < Number(this.entries.get(name)?.resourceVersion);
  }
}

const shown = ({ key, uid, resourceVersion, object }: Entry<Widget>) =>
  `${key} ${String(uid)} ${String(resourceVersion)} ${resourceVersion === undefined ? object.colors.join() : ''}`;

const allOf = (entries: Iterable<Entry<Widget>>): string[] => [...entries].map(shown).sort();

/** Applies changes where they must fit. */
function replay(told: Map<string, Entry<Widget>>, changes: readonly Change<Widget>[]): void {
  for (const change of changes) {
    const { key } = change.entry;
    const before = told.get(key);
    switch (change.type) {
      case 'add':
        expect(before).toBeUndefined();
        told.set(key, change.entry);
        break;
      case 'update':
        expect(before).toBe(change.old);
        expect(shown(change.entry)).not.toBe(shown(change.old));
        told.set(key, change.entry);
        break;
      case 'delete':
        expect(before).toBeDefined();
        if (change.finalStateUnknown) expect(change.entry).toBe(before);
        told.delete(key);
        break;
      case 'sync':
        expect(change.entry).toBe(before);
    }
  }
}

const indexers = {
  color: ({ colors }: Widget) => colors,
  uid: (_: Widget, { uid }: { uid?: string }) => (uid === undefined ? [] : [uid]),
};

function expectIndexesToEqualAScan(store: WritableStore<Widget>): void {
  for (const [index, valuesOf] of Object.entries(indexers)) {
    const scan = new Map<string, Set<Entry<Widget>>>();
    for (const entry of store.list()) {
      for (const value of valuesOf(entry.object, entry.meta)) {
        scan.set(value, (scan.get(value) ?? new Set()).add(entry));
      }
    }
    expect(store.indexValues(index).sort()).toEqual([...scan.keys()].sort());
    for (const [value, entries] of scan) {
      const found = store.byIndex(index, value);
      expect(found).toHaveLength(entries.size);
      expect(found.every((entry) => entries.has(entry))).toBe(true);
    }
  }
}

describe('a store', () => {
  it('holds what the rules say, tells exactly what changed, and keeps its indexes in step', () => {
    fc.assert(
      fc.property(runs, ({ writes, copies }) => {
        const store = createStore<Widget>({ indexers });
        const model = new Model();
        const told = new Map<string, Entry<Widget>>();
        for (const write of writes) {
          const { revision } = store;
          const before = store.snapshot();

          const changes = perform(store, write, copies);
          model.perform(write, copies);
          replay(told, changes);

          expect(allOf(store.list())).toEqual(allOf(model.entries.values()));
          expect(new Set(store.list())).toEqual(new Set(told.values()));
          expectIndexesToEqualAScan(store);
          const changed = changes.some(({ type }) => type !== 'sync');
          expect(store.revision).toBe(changed ? revision + 1 : revision);
          expect(store.snapshot() === before).toBe(!changed);
        }
      }),
    );
  });

  it('is not changed by a list before its commit, and by the commit in one step', () => {
    fc.assert(
      fc.property(runs, fc.array(facts(true)), ({ writes, copies }, list) => {
        const store = createStore<Widget>({ indexers });
        for (const write of writes) perform(store, write, copies);
        const before = store.list();

        const replacement = store.replace({
          type: 'Replaced',
          version: '9',
          entries: copiesOf(list, copies),
        });
        while (replacement.step(7)) expect(store.list()).toEqual(before);
        expectIndexesToEqualAScan(store);
        replacement.commit();

        expect(new Set(store.keys())).toEqual(new Set(copiesOf(list, copies).map(({ key }) => key)));
        expect(store.resourceVersion).toBe('9');
      }),
    );
  });
});
