import type { Entry } from '../../src/codec/codec.ts';
import type { UserFunctionError } from '../../src/errors.ts';
import type { KeyDelta } from '../../src/queue/delta.ts';
import type { Change } from '../../src/store/change.ts';
import { createStore } from '../../src/store/store.ts';
import { damaged, type Widget, widget } from './objects.ts';

const put = (entry: Entry<Widget>): KeyDelta<Widget> => ({ type: 'Updated', key: entry.key, entry });
const deleted = (entry: Entry<Widget>): KeyDelta<Widget> => ({ type: 'Deleted', key: entry.key, entry });
const sync = (key: string): KeyDelta<Widget> => ({ type: 'Sync', key });

const color = (object: Widget): readonly string[] => object.colors;

function storeOf(...entries: Entry<Widget>[]) {
  const store = createStore<Widget>({ indexers: { color } });
  for (const entry of entries) store.apply(put(entry));
  return store;
}

const thrownBy = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('MemoryStore', () => {
  describe('an event', () => {
    it('adds an unknown key, whatever the event calls it', () => {
      const entry = widget('a', { uid: 'u1', version: '1' });
      const store = storeOf();

      expect(store.apply(put(entry))).toEqual([{ type: 'add', entry }]);
      expect(store.get('a')).toBe(entry);
    });

    it('updates with the old entry', () => {
      const old = widget('a', { uid: 'u1', version: '1' });
      const entry = widget('a', { uid: 'u1', version: '2' });

      const changes = storeOf(old).apply({ type: 'Added', key: 'a', entry });

      expect(changes).toEqual([{ type: 'update', entry, old }]);
    });

    it('does nothing for the version that is held, and keeps the entry', () => {
      const held = widget('a', { uid: 'u1', version: '1' });
      const store = storeOf(held);
      const { revision } = store;

      expect(store.apply(put(widget('a', { uid: 'u1', version: '1' })))).toEqual([]);
      expect(store.get('a')).toBe(held);
      expect(store.revision).toBe(revision);
    });

    it('never takes an object back to an older state, nor the version of the store', () => {
      const store = storeOf(widget('a', { uid: 'u1', version: '10' }));

      expect(store.apply(put(widget('a', { uid: 'u1', version: '9' })))).toEqual([]);
      expect(store.get('a')?.resourceVersion).toBe('10');
      expect(store.resourceVersion).toBe('10');
    });

    it('takes versions without an order as they come', () => {
      const store = storeOf(widget('a', { uid: 'u1', version: 'xyz' }));

      store.apply(put(widget('a', { uid: 'u1', version: 'abc' })));

      expect(store.get('a')?.resourceVersion).toBe('abc');
    });

    it('tells another uid as a delete of the one and an add of the other', () => {
      const old = widget('a', { uid: 'u1', version: '1' });
      const entry = widget('a', { uid: 'u2', version: '5' });

      expect(storeOf(old).apply(put(entry))).toEqual([
        { type: 'delete', entry: old, finalStateUnknown: true },
        { type: 'add', entry },
      ]);
    });

    it('compares content where there is neither uid nor version', () => {
      const store = storeOf(widget('a', { colors: ['red'] }));

      expect(store.apply(put(widget('a', { colors: ['red'] })))).toEqual([]);
      expect(store.apply(put(widget('a', { colors: ['blue'] })))).toMatchObject([{ type: 'update' }]);
    });
  });

  describe('a delete', () => {
    it('carries the object as it was when deleted', () => {
      const store = storeOf(widget('a', { uid: 'u1', version: '1' }));
      const entry = widget('a', { uid: 'u1', version: '3' });

      expect(store.apply(deleted(entry))).toEqual([{ type: 'delete', entry, finalStateUnknown: false }]);
      expect(store.has('a')).toBe(false);
      expect(store.resourceVersion).toBe('3');
    });

    it('of an unknown key is nothing', () => {
      expect(storeOf().apply(deleted(widget('a', { uid: 'u1', version: '3' })))).toEqual([]);
    });

    it('of an earlier object of that name is nothing', () => {
      const store = storeOf(widget('a', { uid: 'u2', version: '10' }));

      expect(store.apply(deleted(widget('a', { uid: 'u1', version: '9' })))).toEqual([]);
      expect(store.has('a')).toBe(true);
      expect(store.resourceVersion).toBe('10');
    });

    it('of a later object of that name shows that the one held is gone', () => {
      const held = widget('a', { uid: 'u1', version: '10' });
      const store = storeOf(held);

      expect(store.apply(deleted(widget('a', { uid: 'u2', version: '30' })))).toEqual([
        { type: 'delete', entry: held, finalStateUnknown: true },
      ]);
      expect(store.has('a')).toBe(false);
    });
  });

  it('tells a sync only of what is held, and does not count it as a write', () => {
    const entry = widget('a', { uid: 'u1', version: '1' });
    const store = storeOf(entry);
    const { revision, resourceVersion } = store;

    expect(store.apply(sync('a'))).toEqual<Change<Widget>[]>([{ type: 'sync', entry }]);
    expect(store.apply(sync('b'))).toEqual([]);
    expect(store).toMatchObject({ revision, resourceVersion });
  });

  it('has the version of the last write, list or bookmark: the last, not the largest', () => {
    const store = storeOf();
    const at = (version: string) => widget('a', { uid: 'u1', version });
    const versions: (string | undefined)[] = [];
    const note = (): void => {
      versions.push(store.resourceVersion);
    };

    for (const version of ['10', '10', '20']) {
      store.apply(put(at(version)));
      note();
    }
    store.apply(deleted(at('30')));
    note();
    store.apply(put(widget('b')));
    note();
    store.apply(put(widget('c', { uid: 'u3', version: '25' })));
    note();
    store.replace({ type: 'Replaced', version: '50', entries: [at('40')] }).commit();
    note();
    store.bookmark('45');
    note();

    expect(versions).toEqual(['10', '10', '20', '30', '30', '25', '50', '45']);
  });

  it('is stale before the first list and after it was told so, until it is told otherwise', () => {
    const store = storeOf(widget('a'));
    expect(store.stale).toBe(true);
    store.replace({ type: 'Replaced', version: '1', entries: [] }).commit();
    expect(store.stale).toBe(false);
    store.markStale();
    expect(store.stale).toBe(true);
    store.markCurrent();
    expect(store.stale).toBe(false);
  });

  it('counts a list as one write, and none that changed nothing', () => {
    const store = storeOf();
    const entries = [widget('a', { uid: 'u1', version: '1' }), widget('b', { uid: 'u2', version: '1' })];

    store.replace({ type: 'Replaced', version: '1', entries }).commit();
    store.replace({ type: 'Replaced', version: '2', entries }).commit();

    expect(store.revision).toBe(1);
  });

  it('calls the listeners of a list inside the commit, when it shows already', () => {
    const store = storeOf();
    const seen: boolean[] = [];
    const remove = store.onReplaced(() => seen.push(store.has('a')));
    const replacement = store.replace({ type: 'Replaced', version: '1', entries: [widget('a')] });

    while (replacement.step(1));
    expect(seen).toEqual([]);
    replacement.commit();
    expect(seen).toEqual([true]);

    remove();
    store.replace({ type: 'Replaced', version: '2', entries: [] }).commit();
    expect(seen).toEqual([true]);
  });

  describe('asks who leaves whether it was changed', () => {
    const asked = (name: string, version: string, verified: string[]): Entry<Widget> => ({
      ...widget(name, { uid: 'u', version }),
      verify: () => verified.push(`${name}@${version}`),
    });

    it('when it is replaced or deleted', () => {
      const verified: string[] = [];
      const store = storeOf(asked('a', '1', verified), asked('b', '2', verified));
      store.apply(put(asked('a', '1', verified)));
      expect(verified).toEqual([]);
      store.apply(put(asked('a', '3', verified)));
      expect(verified).toEqual(['a@1']);
      store.apply(deleted(asked('b', '4', verified)));
      store.apply(deleted(asked('c', '5', verified)));
      expect(verified).toEqual(['a@1', 'b@2']);
    });

    it('when there is another list, also if it stays', () => {
      const verified: string[] = [];
      const [a, b, c] = [asked('a', '1', verified), asked('b', '2', verified), asked('c', '3', verified)];
      const store = storeOf(a, b, c);
      const entries = [asked('a', '1', verified), asked('b', '4', verified), asked('d', '5', verified)];
      store.replace({ type: 'Replaced', version: '5', entries }).commit();
      expect(verified.sort()).toEqual(['a@1', 'b@2', 'c@3']);
    });
  });

  describe('indexes', () => {
    it('find entries by each of their values, and forget values that nobody has', () => {
      const store = storeOf(
        widget('a', { version: '1', colors: ['red', 'blue', 'red'] }),
        widget('b', { version: '1', colors: ['red'] }),
      );
      expect(store.byIndex('color', 'red').map(({ key }) => key)).toEqual(['a', 'b']);
      expect(store.indexValues('color')).toEqual(['red', 'blue']);

      store.apply(put(widget('a', { version: '2', colors: ['green'] })));
      expect(store.indexValues('color').sort()).toEqual(['green', 'red']);

      store.apply(deleted(widget('b', { version: '3', colors: [] })));
      expect(store.indexValues('color')).toEqual(['green']);
      expect(store.byIndex('color', 'red')).toEqual([]);
    });

    it('show the newest entry when the values stay the same', () => {
      const newest = widget('a', { version: '2', colors: ['red'] });
      const store = storeOf(widget('a', { version: '1', colors: ['red'] }), newest);

      expect(store.byIndex('color', 'red')).toEqual([newest]);
    });

    it('remember the values of what is stored, and ask for those of anything else', () => {
      const ask = jest.fn(color);
      const store = createStore<Widget>({ indexers: { color: ask } });
      const earlier = widget('a', { version: '1', colors: ['red'] });
      const stored = widget('a', { version: '2', colors: ['blue'] });
      for (const entry of [earlier, stored]) store.apply(put(entry));
      expect(store.valuesOf('color', stored)).toEqual(['blue']);
      expect(ask).toHaveBeenCalledTimes(2);
      expect(store.valuesOf('color', earlier)).toEqual(['red']);
      expect(store.valuesOf('color', widget('b'))).toEqual([]);
      expect(ask).toHaveBeenCalledTimes(4);
      expect(thrownBy(() => store.valuesOf('colour', stored))).toMatchObject({ option: 'index' });
    });

    it('can be added while running, complete at once', () => {
      const store = storeOf(widget('a', { colors: ['red'] }));
      store.addIndexers({ name: (_, meta) => [meta.name ?? ''] });
      expect(store.byIndex('name', 'a')).toHaveLength(1);

      store.apply(put(widget('b')));
      expect(store.indexValues('name')).toEqual(['a', 'b']);
    });

    it('refuse a name that is taken, and add nothing then', () => {
      const store = storeOf();
      const act = () => {
        store.addIndexers({ size: () => [], color });
      };

      expect(thrownBy(act)).toMatchObject({ code: 'INVALID_OPTION', option: 'indexers', value: 'color' });
      expect(act).toThrow(/exists already/);
      expect(() => store.byIndex('size', '')).toThrow();
    });

    it.each([null, 5, []])('refuse %j in their place', (indexers) => {
      const store = createStore<Widget>();
      const act = (): void => store.addIndexers(indexers as never);
      expect(thrownBy(act)).toMatchObject({ code: 'INVALID_OPTION', option: 'indexers' });
    });

    it('refuse what is not a function', () => {
      const indexers = { color: 'colors' as unknown as typeof color };
      const act = () => createStore<Widget>({ indexers });
      expect(thrownBy(act)).toMatchObject({ option: 'indexers', value: 'color' });
      expect(act).toThrow(/must be a function/);
    });

    it('name the existing ones for one that does not exist', () => {
      const act = () => storeOf().byIndex('colour', 'red');
      expect(thrownBy(act)).toMatchObject({ code: 'INVALID_OPTION', value: 'colour' });
      expect(act).toThrow(/there are: color/);
      expect(() => createStore().indexValues('x')).toThrow(/no indexes/);
    });

    it('do without an object whose index function fails, and report it once', () => {
      const errors: UserFunctionError[] = [];
      const store = createStore<Widget>({
        indexers: {
          broken: ({ metadata }) => {
            if (metadata.name === 'a') throw new Error('broken');
            return [metadata.name];
          },
          rubbish: () => 'red' as unknown as string[],
          color,
        },
        onError: (error) => errors.push(error),
      });
      const entries = [widget('a', { version: '1', colors: ['red'] }), widget('b', { version: '1' })];

      for (const version of ['1', '2']) store.replace({ type: 'Replaced', version, entries }).commit();

      expect(errors.map(({ where, key }) => `${where} ${String(key)}`)).toEqual([
        'index broken a',
        'index rubbish a',
        'index rubbish b',
      ]);
      expect(store.indexValues('broken')).toEqual(['b']);
      expect(store.indexValues('rubbish')).toEqual([]);
      expect(store.byIndex('color', 'red')).toHaveLength(1);
    });

    it('finish the write before an error of onError itself is thrown', () => {
      const thrown = new Error('broken, too');
      const later = jest.spyOn(globalThis, 'queueMicrotask').mockImplementation();
      const store = createStore<Widget>({
        indexers: { rubbish: () => [1] as unknown as string[], color },
        onError: () => {
          throw thrown;
        },
      });

      const changes = store.apply(put(widget('a', { version: '1', colors: ['red'] })));
      const [rethrow] = later.mock.calls[0] ?? [];
      later.mockRestore();

      expect(changes).toMatchObject([{ type: 'add' }]);
      expect(store.byIndex('color', 'red')).toHaveLength(1);
      expect(rethrow).toThrow(thrown);
    });

    it('are not asked about a body that cannot be read', () => {
      const indexOf = jest.fn(() => ['x']);
      const store = createStore<Widget>({ indexers: { x: indexOf } });

      store.apply(put(damaged('a', { version: '1' })));

      expect(store.has('a')).toBe(true);
      expect(indexOf).not.toHaveBeenCalled();
    });

    it('leave no ghosts behind a function that answers differently each time', () => {
      let calls = 0;
      const store = createStore<Widget>({ indexers: { calls: () => [String((calls += 1))] } });

      store.apply(put(widget('a', { version: '1' })));
      store.apply(put(widget('a', { version: '2' })));
      expect(store.indexValues('calls')).toEqual(['2']);
      store.apply(deleted(widget('a', { version: '3' })));
      expect(store.indexValues('calls')).toEqual([]);
    });

    it('keep to themselves what the function returned', () => {
      const values = ['red'];
      const store = createStore<Widget>({ indexers: { values: () => values } });
      store.apply(put(widget('a', { version: '1' })));
      values[0] = 'blue';
      store.apply(deleted(widget('a', { version: '2' })));

      expect(store.indexValues('values')).toEqual([]);
    });
  });

  describe('listByLabels', () => {
    const store = storeOf(
      widget('a', { labels: { app: 'web', tier: 'front' } }),
      widget('b', { labels: { app: 'web' } }),
      widget('c', { labels: { app: 'db' } }),
      damaged('d'),
    );
    const keysOf = (entries: readonly Entry<Widget>[]) => entries.map(({ key }) => key);

    it('takes the text of a selector', () => {
      expect(keysOf(store.listByLabels('app in (web), !tier'))).toEqual(['b']);
    });

    it('takes a selector as the API has it', () => {
      expect(keysOf(store.listByLabels({ matchLabels: { app: 'web' } }))).toEqual(['a', 'b']);
    });

    it('refuses a selector that is not well-formed', () => {
      expect(thrownBy(() => store.listByLabels('app in web'))).toMatchObject({ code: 'INVALID_OPTION' });
    });
  });
});
