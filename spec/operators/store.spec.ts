import { EMPTY } from 'rxjs';
import { applyToStore } from '../../operators/applyToStore.ts';
import { createQueries } from '../../operators/createQueries.ts';
import { resyncEvery } from '../../operators/resyncEvery.ts';
import { shareNotifications } from '../../operators/shareNotifications.ts';
import { createStore, type WritableStore } from '../../src/store/store.ts';

describe.each<[name: string, use: (store: WritableStore<object>) => unknown]>([
  ['applyToStore', (store) => applyToStore(store)],
  ['resyncEvery', (store) => resyncEvery(1_000, store)],
  ['shareNotifications', (store) => shareNotifications(store)],
  ['createQueries', (store) => createQueries(() => EMPTY, store)],
])('%s', (_, use) => {
  it.each([undefined, null, {}, new Map(), { store: createStore() }])('refuses %p as a store', (store) => {
    expect(() => use(store as never)).toThrow('store');
  });

  it('takes one', () => {
    expect(() => use(createStore())).not.toThrow();
  });
});
