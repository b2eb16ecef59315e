import { createStore } from '../../src/store/store.ts';
import { type Widget, widget } from './objects.ts';

describe('a snapshot', () => {
  const a = widget('a', { version: '1' });
  const b = widget('b', { version: '1' });

  const storeOfBoth = () => {
    const store = createStore<Widget>();
    store.replace({ type: 'Replaced', version: '1', entries: [a, b] }).commit();
    return store;
  };

  it('knows the place of each entry', () => {
    const snapshot = storeOfBoth().snapshot();

    expect(snapshot.entries).toEqual([a, b]);
    expect(['a', 'b', 'c'].map((key) => snapshot.position(key))).toEqual([0, 1, undefined]);
  });

  it('stays what it was while the store goes on', () => {
    const store = storeOfBoth();
    const before = store.snapshot();

    store.apply({ type: 'Deleted', key: 'a', entry: a });

    expect(before.entries).toEqual([a, b]);
    expect(before.position('a')).toBe(0);
    expect(store.snapshot().entries).toEqual([b]);
    expect(store.snapshot().revision).toBe(before.revision + 1);
  });

  it('is shared until something is written, so nobody can write to it', () => {
    const store = storeOfBoth();

    expect(store.snapshot()).toBe(store.snapshot());
    expect(Object.isFrozen(store.snapshot().entries)).toBe(true);
  });
});
