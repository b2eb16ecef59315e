import type { Entry } from '../../src/codec/codec.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { compareVersions } from '../../src/kubernetes/version.ts';
import type { Notification } from '../../src/store/notification.ts';
import type { Store } from '../../src/store/store.ts';

export const GROUP_INDEX = 'group';
export const groupsOf = ({ metadata }: ConfigMap): string[] => {
  const group = metadata?.labels?.['group'];
  return group === undefined ? [] : [group];
};

type Told = Entry<ConfigMap>;

export interface RecorderOptions {
  /** Whether it asked for resyncs. */
  readonly resynced?: boolean;
  /** Whether it may be told states in between, when the store is ahead already. */
  readonly unmerged?: boolean;
  /** Whether it is told of a part: that something is gone from there is told with the last state that was in it. */
  readonly filtered?: boolean;
}

/** What one subscriber was told, replayed on an empty map, and what was wrong with it. */
export class Recorder {
  readonly name: string;
  /** By key. */
  readonly state = new Map<string, Told>();
  readonly counts = { add: 0, update: 0, delete: 0, sync: 0, initial: 0, finalStateUnknown: 0 };
  readonly faults: string[] = [];
  readonly #store: Store<ConfigMap>;
  /** The last version told of a key, also of one that is gone. */
  readonly #versions = new Map<string, string>();
  #ordered = true;
  /** What comes next of a key, if anything does, where the store was ahead of what was told. */
  readonly #behind = new Map<string, 'delete' | 'add' | 'any'>();
  #before: ReadonlySet<string>;
  readonly #handling = new Set<string>();
  readonly #how: RecorderOptions;

  /**
   * Make it when it subscribes: what the store holds then has to come as `initial`. Give no keys as `before` where the
   * store is that of an earlier run, so that the next list is told.
   */
  constructor(name: string, store: Store<ConfigMap>, before = store.keys(), how: RecorderOptions = {}) {
    this.name = name;
    this.#how = how;
    this.#store = store;
    this.#before = new Set(before);
  }

  /** It subscribes again, and is told everything again. */
  again(before: Iterable<string> = this.#store.keys()): void {
    this.state.clear();
    this.#versions.clear();
    this.#behind.clear();
    this.#before = new Set(before);
  }

  get notifications(): number {
    return this.counts.add + this.counts.update + this.counts.delete + this.counts.sync;
  }

  /** Takes a notification at the moment at which the subscriber is told it. */
  take(notification: Notification<ConfigMap>): void {
    const told = this.state.get(notification.key);
    this.#count(notification);
    if (notification.type === 'sync') {
      this.#checkSync(notification, told);
      return;
    }
    this.#checkChange(notification, told);
    this.#checkOrder(notification);
    this.#checkInitial(notification);
    if (notification.type === 'delete') this.state.delete(notification.key);
    else this.state.set(notification.key, notification.entry);
    this.#checkStore(notification);
    this.#checkFrozen(notification);
  }

  /** While a server goes back to an earlier state, versions say nothing of the order. */
  set ordered(ordered: boolean) {
    this.#ordered = ordered;
    this.#versions.clear();
  }

  /** A handler that takes a while begins; call the result at its end. */
  handling({ key }: Notification<ConfigMap>): () => void {
    if (this.#handling.has(key)) this.faults.push(`${this.name}: ${key} is handled twice at once`);
    this.#handling.add(key);
    return () => this.#handling.delete(key);
  }

  #count(notification: Notification<ConfigMap>): void {
    this.counts[notification.type] += 1;
    if (notification.type === 'add' && notification.initial) this.counts.initial += 1;
    if (notification.type === 'delete' && notification.finalStateUnknown) this.counts.finalStateUnknown += 1;
  }

  /** A resync is of the state that was told. */
  #checkSync(notification: Notification<ConfigMap>, told: Told | undefined): void {
    if (this.#how.resynced !== true) this.#fault(notification, 'nobody asked for it');
    else if (told === undefined || !isSameState(told, notification.entry))
      this.#fault(notification, `what was told is ${inWords(told)}`);
  }

  /** Invariants 4 and 5: it changes something, from the state that was told before, of the same object. */
  #checkChange(notification: Notification<ConfigMap>, told: Told | undefined): void {
    const { entry } = notification;
    switch (notification.type) {
      case 'add':
        if (told !== undefined) this.#fault(notification, `${inWords(told)} was told and not deleted`);
        break;
      case 'delete':
        if (told === undefined) this.#fault(notification, 'it was not there');
        else if (told.uid !== entry.uid) this.#fault(notification, `another was told: ${inWords(told)}`);
        break;
      case 'update': {
        const { oldEntry } = notification;
        if (told === undefined || !isSameState(told, oldEntry))
          this.#fault(notification, `its old is ${inWords(oldEntry)}, but what was told is ${inWords(told)}`);
        if (oldEntry.resourceVersion === entry.resourceVersion) this.#fault(notification, 'nothing changed');
        if (oldEntry.uid !== entry.uid) this.#fault(notification, `it was another: ${inWords(oldEntry)}`);
        if (notification.old !== told?.object)
          this.#fault(notification, 'its old is not the object told before');
      }
    }
  }

  /** Invariant 2. Only of a delete that a list or a filter showed is the version the one told before. */
  #checkOrder(notification: Notification<ConfigMap>): void {
    const { key, entry } = notification;
    if (!this.#ordered) return;
    const version = entry.resourceVersion ?? '';
    const last = this.#versions.get(key);
    this.#versions.set(key, version);
    if (last === undefined) return;
    const order = compareVersions(version, last);
    const isOfBefore =
      notification.type === 'delete' && (notification.finalStateUnknown || this.#how.filtered === true);
    const repeated = isOfBefore && order === 0;
    if (order !== 1 && !repeated) this.#fault(notification, `version ${last} was told before`);
  }

  /** Invariant 8: initial is what was there when it subscribed. */
  #checkInitial(notification: Notification<ConfigMap>): void {
    if (notification.type !== 'add' || !notification.initial || this.#before.size === 0) return;
    if (!this.#before.has(notification.key)) this.#fault(notification, 'it was not there at the beginning');
  }

  /** Invariant 1: the store shows this state or a later one, and so does the index. */
  #checkStore(notification: Notification<ConfigMap>): void {
    const { key, type, entry } = notification;
    const expected = this.#behind.get(key);
    this.#behind.delete(key);
    const skips = this.#how.unmerged !== true;
    if (skips && expected !== undefined && expected !== 'any' && expected !== type)
      this.#fault(notification, `the store promised ${expected}`);

    const held = this.#store.get(key);
    if (held !== undefined) {
      const order = this.#order(held, entry);
      if (order === -1 || order === undefined || (order === 0 && type === 'delete'))
        this.#fault(notification, `the store still shows ${inWords(held)}`);
      else if (order === 1) this.#behind.set(key, aheadBy(notification, held));
    } else if (type !== 'delete') this.#behind.set(key, 'delete');

    for (const group of new Set([...groupsOf(entry.object), ...(held ? groupsOf(held.object) : [])])) {
      const indexed = this.#store.byIndex(GROUP_INDEX, group).filter((other) => other.key === key);
      const shows = held !== undefined && groupsOf(held.object).includes(group);
      if (shows ? indexed.length !== 1 || indexed[0] !== held : indexed.length > 0)
        this.#fault(
          notification,
          `the index shows ${indexed.map(inWords).join(', ') || 'nothing'} for ${group}`,
        );
    }
  }

  /** Invariant 14. */
  #checkFrozen(notification: Notification<ConfigMap>): void {
    const { object } = notification;
    if (![object, object.metadata, object.data].every(Object.isFrozen))
      this.#fault(notification, 'its object is not frozen');
  }

  #order(held: Told, told: Told): ReturnType<typeof compareVersions> {
    if (!this.#ordered) return isSameState(held, told) ? 0 : 1;
    return compareVersions(held.resourceVersion ?? '', told.resourceVersion ?? '');
  }

  #fault({ type, entry }: Notification<ConfigMap>, what: string): void {
    this.faults.push(`${this.name}: ${type} ${inWords(entry)}: ${what}`);
  }
}

/** What must come next, where the store holds a later state. Another object is first a delete, where one was told. */
function aheadBy({ type, entry }: Notification<ConfigMap>, held: Told): 'delete' | 'add' | 'any' {
  if (type === 'delete') return 'add';
  return held.uid === entry.uid ? 'any' : 'delete';
}

const isSameState = (a: Told, b: Told): boolean => a.uid === b.uid && a.resourceVersion === b.resourceVersion;

const inWords = (entry: Told | undefined): string =>
  entry === undefined ? 'nothing' : `${entry.key}@${entry.resourceVersion ?? ''} (${entry.uid ?? ''})`;
