import type { Entry } from '../../src/codec/codec.ts';
import {
  addOf,
  deleteOf,
  type Notification,
  notificationOf,
  replayedOf,
  updateOf,
} from '../../src/store/notification.ts';
import { type Widget, widget } from './objects.ts';

const old = widget('a', { uid: 'a', version: '1' });
const entry = widget('a', { uid: 'a', version: '2' });

/** An entry that counts how often it is decoded. */
function counted(): { entry: Entry<Widget>; decoded: () => number } {
  let decoded = 0;
  const counting = {
    ...entry,
    get meta() {
      decoded += 1;
      return entry.meta;
    },
    get object() {
      decoded += 1;
      return entry.object;
    },
  };
  return { entry: counting, decoded: () => decoded };
}

describe('notificationOf', () => {
  it('tells each change as it is', () => {
    expect(notificationOf({ type: 'add', entry }, 3)).toMatchObject({
      type: 'add',
      entry,
      revision: 3,
      initial: false,
    });
    expect(notificationOf({ type: 'update', entry, old }, 3)).toMatchObject({
      type: 'update',
      entry,
      oldEntry: old,
      revision: 3,
    });
    expect(notificationOf({ type: 'delete', entry, finalStateUnknown: true }, 3)).toMatchObject({
      type: 'delete',
      entry,
      finalStateUnknown: true,
      revision: 3,
    });
    expect(notificationOf({ type: 'sync', entry }, 3)).toMatchObject({ type: 'sync', entry, revision: 3 });
  });

  it('marks the adds of the first list only', () => {
    const initial = (change: Parameters<typeof notificationOf<Widget>>[0]): unknown =>
      'initial' in notificationOf(change, 1, true);
    expect(notificationOf({ type: 'add', entry }, 1, true)).toMatchObject({ initial: true });
    expect(initial({ type: 'update', entry, old })).toBe(false);
    expect(initial({ type: 'delete', entry, finalStateUnknown: false })).toBe(false);
    expect(initial({ type: 'sync', entry })).toBe(false);
  });
});

describe('a notification', () => {
  const all: Notification<Widget>[] = [
    addOf(entry, 1, false),
    replayedOf(entry, 1, () => () => undefined),
    updateOf(entry, 1, old),
    deleteOf(entry, 1, false),
    notificationOf({ type: 'sync', entry }, 1),
  ];

  it.each(all.map((told) => [told.type, told] as const))('%s reads through to its entry', (_, told) => {
    expect(told.key).toBe('a');
    expect(told.meta).toBe(entry.meta);
    expect(told.object).toBe(entry.object);
    expect(told.entry).toBe(entry);
  });

  it('update has the old state, too', () => {
    const told = updateOf(entry, 1, old);
    expect(told.old).toBe(old.object);
    expect(told.oldEntry).toBe(old);
  });

  it.each(all.map((told) => [told.type, told] as const))('%s cannot be changed', (_, told) => {
    expect(Object.isFrozen(told)).toBe(true);
    expect(() => Object.assign(told, { revision: 2 })).toThrow(TypeError);
    expect(() => Object.assign(told, { object: {} })).toThrow(TypeError);
  });

  it('decodes nothing until it is read', () => {
    const { entry: lazy, decoded } = counted();
    const told = updateOf(lazy, 1, lazy);
    expect([addOf(lazy, 1, true), deleteOf(lazy, 1, false)]).toHaveLength(2);
    expect([told.key, told.entry, told.oldEntry]).toHaveLength(3);
    expect(decoded()).toBe(0);
    expect([told.meta, told.object, told.old]).toHaveLength(3);
    expect(decoded()).toBe(3);
  });
});
