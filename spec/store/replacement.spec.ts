import type { Entry } from '../../src/codec/codec.ts';
import { createStore } from '../../src/store/store.ts';
import { type Widget, widget } from './objects.ts';

const listed = (version: string, ...entries: Entry<Widget>[]) => ({
  type: 'Replaced' as const,
  version,
  entries,
});

const color = (object: Widget): readonly string[] => object.colors;

function storeOf(...entries: Entry<Widget>[]) {
  const store = createStore<Widget>({ indexers: { color } });
  store.replace(listed('1', ...entries)).commit();
  return store;
}

const at = (name: string, version: string, uid = `uid of ${name}`) => widget(name, { uid, version });

describe('ListReplacement', () => {
  it('tells deletes first, then changes in the order of the list', () => {
    const one = at('1', '1');
    const two = at('2', '2');
    const three = at('3', '3');
    const four = at('4', '4');
    const newTwo = at('2', '9');

    const changes = storeOf(one, two, three)
      .replace(listed('9', four, one, newTwo))
      .commit();

    expect([...changes]).toEqual([
      { type: 'delete', entry: three, finalStateUnknown: true },
      { type: 'add', entry: four },
      { type: 'update', entry: newTwo, old: two },
    ]);
  });

  it('tells another uid as a delete and an add, next to each other', () => {
    const old = at('a', '90', 'u1');
    const entry = at('a', '150', 'u2');

    expect([...storeOf(old).replace(listed('200', entry)).commit()]).toEqual([
      { type: 'delete', entry: old, finalStateUnknown: true },
      { type: 'add', entry },
    ]);
  });

  it('keeps the entries of unchanged objects', () => {
    const held = at('a', '5');
    const store = storeOf(held);

    expect([...store.replace(listed('9', at('a', '5'))).commit()]).toEqual([]);
    expect(store.get('a')).toBe(held);
  });

  it('compares content where there is neither uid nor version', () => {
    const red = widget('a', { colors: ['red'] });
    const store = storeOf(red);

    expect([...store.replace(listed('2', widget('a', { colors: ['red'] }))).commit()]).toEqual([]);
    expect([...store.replace(listed('3', widget('a', { colors: ['blue'] }))).commit()]).toMatchObject([
      { type: 'update', old: red },
    ]);
  });

  it('wins over what is held, even with older objects', () => {
    const store = storeOf(at('a', '10'));
    store.replace(listed('7', at('a', '7'))).commit();

    expect(store.get('a')?.resourceVersion).toBe('7');
    expect(store.resourceVersion).toBe('7');
  });

  it('has room for kinds without versions', () => {
    const store = storeOf();
    store.replace({ type: 'Replaced', version: undefined, entries: [] }).commit();

    expect(store).toMatchObject({ resourceVersion: undefined, stale: false });
  });

  it('takes the last of two entries with one key, and still finds what is gone', () => {
    const gone = at('b', '1');
    const first = at('a', '2');
    const last = at('a', '3');

    const store = storeOf(at('a', '1'), gone);
    const changes = [...store.replace(listed('5', first, last)).commit()];

    expect(changes).toMatchObject([{ type: 'delete' }, { type: 'update' }]);
    expect(changes[0]?.entry).toBe(gone);
    expect(changes[1]?.entry).toBe(last);
  });

  it('is told as it was, however late its difference is read', () => {
    const old = at('a', '1');
    const entry = at('a', '2');
    const store = storeOf(old, at('b', '1'));

    const changes = store.replace(listed('3', entry)).commit();
    store.apply({ type: 'Updated', key: 'a', entry: at('a', '9') });
    store.apply({ type: 'Added', key: 'b', entry: at('b', '8') });

    expect([...changes]).toMatchObject([{ type: 'delete' }, { type: 'update', entry, old }]);
  });

  it('begins again after a write in between', () => {
    const store = storeOf(at('a', '1'));
    const replacement = store.replace(listed('9', at('a', '1')));
    while (replacement.step(1));

    const late = at('b', '5');
    store.apply({ type: 'Added', key: 'b', entry: late });

    expect([...replacement.commit()]).toEqual([{ type: 'delete', entry: late, finalStateUnknown: true }]);
    expect([...store.keys()]).toEqual(['a']);
  });

  it('begins again after another list in between', () => {
    const store = storeOf(at('a', '1'));
    const between = at('b', '2');
    const first = store.replace(listed('8', between));
    const second = store.replace(listed('9', at('c', '3')));
    while (first.step(1) || second.step(1));

    first.commit();

    expect([...second.commit()]).toMatchObject([{ type: 'delete', entry: between }, { type: 'add' }]);
    expect(store.list()).toHaveLength(1);
    expect(store.resourceVersion).toBe('9');
  });

  it('has the indexes that were added meanwhile', () => {
    const store = storeOf(at('a', '1'));
    const replacement = store.replace(listed('9', at('b', '2')));
    while (replacement.step(1));

    store.addIndexers({ name: ({ metadata }) => [metadata.name] });
    replacement.commit();

    expect(store.indexValues('name')).toEqual(['b']);
  });

  it('does nothing more when committed again', () => {
    const store = storeOf();
    const replacement = store.replace(listed('9', at('a', '1')));
    const changes = replacement.commit();
    store.apply({ type: 'Added', key: 'b', entry: at('b', '10') });

    expect(replacement.step(1)).toBe(false);
    expect(replacement.commit()).toBe(changes);
    expect(store.has('b')).toBe(true);
  });

  it.each([1, 150])('asks the index functions only of what changed, be it %d objects', (changed) => {
    const indexed: string[] = [];
    const store = createStore<Widget>({
      indexers: {
        name: ({ metadata }) => {
          indexed.push(metadata.name);
          return [metadata.name];
        },
      },
    });
    const names = Array.from({ length: 200 }, (_, name) => String(name));
    store.replace(listed('1', ...names.map((name) => at(name, '1')))).commit();
    indexed.length = 0;

    const entries = names.map((name, position) => at(name, position < changed ? '2' : '1'));
    store.replace(listed('2', ...entries)).commit();

    expect(indexed).toEqual(names.slice(0, changed));
    expect(store.indexValues('name')).toHaveLength(200);
  });

  it('does no more of its work in a step than was asked for', () => {
    const indexed: string[] = [];
    const store = createStore<Widget>({
      indexers: {
        name: ({ metadata }) => {
          indexed.push(metadata.name);
          return [];
        },
      },
    });
    const entries = Array.from({ length: 500 }, (_, name) => at(String(name), '1'));
    const replacement = store.replace(listed('1', ...entries));

    let before = 0;
    while (replacement.step(10)) {
      expect(indexed.length - before).toBeLessThanOrEqual(10);
      before = indexed.length;
    }
    replacement.commit();
    expect(indexed).toHaveLength(500);
  });
});
