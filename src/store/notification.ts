import type { Entry } from '../codec/codec.ts';
import type { ObjectMeta } from '../kubernetes/objects.ts';
import type { Holdable } from '../queue/delta.ts';
import type { Change } from './change.ts';

interface Told<T> {
  readonly key: string;
  readonly meta: ObjectMeta;
  /** Decoded when first read, then frozen. `undefined` if that fails: see `entry.error`. */
  readonly object: T;
  readonly entry: Entry<T>;
  /** The revision of the store this belongs to: the store shows it, or a later one. */
  readonly revision: number;
}

/**
 * What is a part of what one subscriber is told of the store can be held: meanwhile that subscriber is told nothing
 * more of it, only what changes. So the store is pulled by those who take their time.
 */
type Pulled = Partial<Holdable>;

export interface AddNotification<T> extends Told<T>, Pulled {
  readonly type: 'add';
  /** It was there before: a part of the first list, or of what a late subscriber gets first. */
  readonly initial: boolean;
}

export interface UpdateNotification<T> extends Told<T> {
  readonly type: 'update';
  /** The state told before. */
  readonly old: T;
  readonly oldEntry: Entry<T>;
}

export interface DeleteNotification<T> extends Told<T> {
  readonly type: 'delete';
  /** Only a list showed that it is gone, so `object` may be older than its end. */
  readonly finalStateUnknown: boolean;
}

/** Nothing changed; told again because a resync was asked for. */
export interface SyncNotification<T> extends Told<T>, Pulled {
  readonly type: 'sync';
}

/** What changed, told after the store shows it. */
export type Notification<T> =
  | AddNotification<T>
  | UpdateNotification<T>
  | DeleteNotification<T>
  | SyncNotification<T>;

/** Reads through to the entry, so that making a notification decodes nothing. */
abstract class Lazy<T> implements Told<T> {
  readonly entry: Entry<T>;
  readonly revision: number;

  constructor(entry: Entry<T>, revision: number) {
    this.entry = entry;
    this.revision = revision;
  }

  get key(): string {
    return this.entry.key;
  }

  get meta(): ObjectMeta {
    return this.entry.meta;
  }

  get object(): T {
    return this.entry.object;
  }
}

class Add<T> extends Lazy<T> implements AddNotification<T> {
  readonly type = 'add';
  readonly initial: boolean;

  constructor(entry: Entry<T>, revision: number, initial: boolean) {
    super(entry, revision);
    this.initial = initial;
  }
}

class HoldableAdd<T> extends Add<T> implements Holdable {
  readonly hold: () => () => void;

  constructor(entry: Entry<T>, revision: number, hold: () => () => void) {
    super(entry, revision, true);
    this.hold = hold;
  }
}

class Update<T> extends Lazy<T> implements UpdateNotification<T> {
  readonly type = 'update';
  readonly oldEntry: Entry<T>;

  constructor(entry: Entry<T>, revision: number, oldEntry: Entry<T>) {
    super(entry, revision);
    this.oldEntry = oldEntry;
  }

  get old(): T {
    return this.oldEntry.object;
  }
}

class Delete<T> extends Lazy<T> implements DeleteNotification<T> {
  readonly type = 'delete';
  readonly finalStateUnknown: boolean;

  constructor(entry: Entry<T>, revision: number, finalStateUnknown: boolean) {
    super(entry, revision);
    this.finalStateUnknown = finalStateUnknown;
  }
}

class Sync<T> extends Lazy<T> implements SyncNotification<T> {
  readonly type = 'sync';
}

class HoldableSync<T> extends Sync<T> implements Holdable {
  readonly hold: () => () => void;

  constructor(entry: Entry<T>, revision: number, hold: () => () => void) {
    super(entry, revision);
    this.hold = hold;
  }
}

export const addOf = <T>(entry: Entry<T>, revision: number, initial: boolean): AddNotification<T> =>
  Object.freeze(new Add(entry, revision, initial));

/** A part of what the store holds, for one subscriber. */
export const replayedOf = <T>(
  entry: Entry<T>,
  revision: number,
  hold: () => () => void,
): AddNotification<T> & Holdable => Object.freeze(new HoldableAdd(entry, revision, hold));

/** The same told again. */
export const syncOf = <T>(
  entry: Entry<T>,
  revision: number,
  hold: () => () => void,
): SyncNotification<T> & Holdable => Object.freeze(new HoldableSync(entry, revision, hold));

/** How it is held, if it can be. */
export const holdOf = (notification: Notification<unknown>): Holdable['hold'] | undefined =>
  'hold' in notification ? notification.hold : undefined;

export const updateOf = <T>(entry: Entry<T>, revision: number, old: Entry<T>): UpdateNotification<T> =>
  Object.freeze(new Update(entry, revision, old));

export const deleteOf = <T>(
  entry: Entry<T>,
  revision: number,
  finalStateUnknown: boolean,
): DeleteNotification<T> => Object.freeze(new Delete(entry, revision, finalStateUnknown));

/** `initial`: whether an add is a part of the first list. */
export function notificationOf<T>(change: Change<T>, revision: number, initial = false): Notification<T> {
  switch (change.type) {
    case 'add':
      return addOf(change.entry, revision, initial);
    case 'update':
      return updateOf(change.entry, revision, change.old);
    case 'delete':
      return deleteOf(change.entry, revision, change.finalStateUnknown);
    case 'sync':
      return Object.freeze(new Sync(change.entry, revision));
  }
}
