import fc from 'fast-check';
import type { Entry } from '../../src/codec/codec.ts';
import { type Notification, notificationOf } from '../../src/store/notification.ts';
import type { WritableStore } from '../../src/store/store.ts';
import { type Widget, widget } from './objects.ts';

/** What happens next to a name: it is put, put by another object, deleted or told again. */
export type Happening = readonly ['put' | 'anew' | 'delete' | 'sync', name: string];

export const names = ['a', 'b'];

export const happenings = fc.tuple(
  fc.constantFrom('put', 'put', 'anew', 'delete', 'sync'),
  fc.constantFrom(...names),
) as fc.Arbitrary<Happening>;

/** A store that lives, and what it tells of what happens to it. */
export class History {
  readonly #store: WritableStore<Widget>;
  #version = 0;

  constructor(store: WritableStore<Widget>) {
    this.#store = store;
  }

  /** Writes it and returns what is to be told. */
  happen([what, name]: Happening): Notification<Widget>[] {
    const held = this.#store.get(name);
    this.#version += 1;
    const version = String(this.#version);
    const uid = held === undefined || what === 'anew' ? `uid ${version}` : held.uid;
    const entry = widget(name, { uid, version });
    switch (what) {
      case 'put':
      case 'anew':
        return this.#told(this.#store.apply({ type: 'Updated', key: name, entry }));
      case 'delete':
        return this.#told(this.#store.apply({ type: 'Deleted', key: name, entry }));
      case 'sync':
        return this.#told(this.#store.apply({ type: 'Sync', key: name }));
    }
  }

  #told(changes: ReturnType<WritableStore<Widget>['apply']>): Notification<Widget>[] {
    return changes.map((change) => notificationOf(change, this.#store.revision));
  }
}

/** A subscriber that keeps what it was told, and objects to what it must not be told. */
export class Listener {
  readonly known = new Map<string, Entry<Widget>>();

  take(told: Notification<Widget>): void {
    const { key, entry } = told;
    const known = this.known.get(key);
    switch (told.type) {
      case 'add':
        expect(known).toBeUndefined();
        break;
      case 'update':
        expect(told.oldEntry).toBe(known);
        expect(entry.uid).toBe(known?.uid);
        break;
      case 'delete':
        expect(entry.uid).toBe(known?.uid);
        break;
      case 'sync':
        expect(entry).toBe(known);
    }
    if (told.type === 'delete') this.known.delete(key);
    else this.known.set(key, entry);
  }
}
