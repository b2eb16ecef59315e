import { sameJson } from '../json.ts';
import type { ServedKind } from '../kinds.ts';
import {
  isBeingDeleted,
  keyOf,
  metadataInWireOrder,
  metadataOf,
  nameOf,
  namespaceOf,
  type StoredObject,
  textAt,
  versionOf,
  withMetadata,
} from '../objects.ts';
import { Revision } from '../revision.ts';
import * as status from '../status.ts';
import type { Storage } from '../storage.ts';
import { type DeleteOptions, isReleased, planDeletion } from './deletion.ts';
import { newName, newUid, type Random } from './generated.ts';
import { requireValidMetadata } from './metadataRules.ts';
import {
  requireDeletable,
  requirePreconditions,
  requireSameUid,
  requireSameVersion,
} from './preconditions.ts';
import { type Part, preparedForCreate, preparedForUpdate } from './strategy.ts';
import { timestamp } from './timestamp.ts';

export interface WriteOptions {
  readonly part: Part;
  /** Checked and answered as if written. Default: false. */
  readonly dryRun?: boolean;
  /** Whether another uid is a conflict; else it is an invalid change. Default: false. */
  readonly sameUid?: boolean;
}

export interface Deletion {
  /** As it was last seen. */
  readonly revision: Revision;
  /** False while a finalizer or a grace period holds it. */
  readonly removed: boolean;
}

/** The rules of the API for single objects, on the storage. No HTTP. Errors: StatusError. */
export class Registry {
  readonly #storage: Storage;
  readonly #now: () => number;
  readonly #random: Random;

  /** Unit of `now`: milliseconds. */
  constructor(storage: Storage, now: () => number, random: Random) {
    this.#storage = storage;
    this.#now = now;
    this.#random = random;
  }

  find(kind: ServedKind, key: string): Revision | undefined {
    return this.#storage.table(kind).get(key);
  }

  get(kind: ServedKind, key: string): Revision {
    const revision = this.find(kind, key);
    if (revision === undefined) throw status.notFound(kind, nameOfKey(key));
    return revision;
  }

  create(kind: ServedKind, object: StoredObject, options: WriteOptions): Revision {
    const named = this.#named(kind, object);
    const created = tidy(preparedForCreate(kind, this.#born(named, options.part), options.part));
    requireValidMetadata(kind, created);
    if (versionOf(object) !== '') {
      throw status.unexplained('resourceVersion should not be set on objects to be created');
    }
    const key = keyOf(namespaceOf(created), nameOf(created));
    const other = this.find(kind, key);
    if (other !== undefined) throw status.alreadyExists(kind, nameOf(created), isBeingDeleted(other.object));
    return options.dryRun === true ? new Revision(key, 0n, created) : this.#storage.put(kind, key, created);
  }

  /** `change` makes the new object of the current one, which it leaves as it is. */
  update(
    kind: ServedKind,
    key: string,
    change: (current: StoredObject) => StoredObject,
    options: WriteOptions,
  ): Revision {
    const current = this.get(kind, key);
    const old = current.object;
    const wanted = change(old);
    if (options.sameUid === true) requireSameUid(kind, wanted, old, key);
    requireSameVersion(kind, wanted, old, options.part);
    const next = tidy(preparedForUpdate(kind, inheriting(wanted, old), old, options.part));
    requireValidMetadata(kind, next, old);
    if (isReleased(kind, next)) {
      if (options.dryRun !== true) this.#storage.delete(kind, key);
      return new Revision(key, current.version, next);
    }
    if (sameJson(next, old)) return current;
    return options.dryRun === true
      ? new Revision(key, current.version, next)
      : this.#storage.put(kind, key, next);
  }

  delete(kind: ServedKind, key: string, options: DeleteOptions = {}): Deletion {
    const current = this.get(kind, key);
    requirePreconditions(kind, current.object, options);
    requireDeletable(kind, current.object);
    const { marked, remove } = planDeletion(kind, current.object, options, this.#now());
    if (options.dryRun === true) return { revision: current, removed: remove };
    const last = marked === undefined ? current : this.#storage.put(kind, key, marked);
    if (!remove) return { revision: last, removed: false };
    this.#storage.delete(kind, key);
    return { revision: marked === undefined ? current : last.at(this.#storage.version), removed: true };
  }

  /** Errors: StatusError where nothing new may be put into the namespace. */
  requireNamespace(kind: ServedKind, object: StoredObject, namespaces: ServedKind): void {
    const namespace = namespaceOf(object);
    if (!kind.namespaced) return;
    const revision = this.get(namespaces, namespace);
    if (!isBeingDeleted(revision.object)) return;
    throw status.namespaceTerminating(kind, nameOf(object), namespace);
  }

  #named(kind: ServedKind, object: StoredObject): StoredObject {
    const generateName = textAt(metadataOf(object), 'generateName');
    if (nameOf(object) !== '' || generateName === '') return object;
    let name = newName(generateName, this.#random);
    while (this.find(kind, keyOf(namespaceOf(object), name)) !== undefined) {
      name = newName(generateName, this.#random);
    }
    return withMetadata(object, { name });
  }

  /** A write from within may bring its own identity, such as one from a backup. */
  #born(object: StoredObject, part: Part): StoredObject {
    const own = part === 'whole' ? metadataOf(object) : {};
    return withMetadata(object, {
      uid: own.uid ?? newUid(this.#random),
      creationTimestamp: own.creationTimestamp ?? timestamp(this.#now()),
      resourceVersion: undefined,
      deletionTimestamp: own.deletionTimestamp,
      deletionGracePeriodSeconds: own.deletionGracePeriodSeconds,
    });
  }
}

const tidy = (object: StoredObject): StoredObject => ({
  ...object,
  metadata: metadataInWireOrder(metadataOf(object)),
});

const nameOfKey = (key: string): string => key.slice(key.indexOf('/') + 1);

/** What an update cannot change, and what it need not repeat. */
function inheriting(object: StoredObject, old: StoredObject): StoredObject {
  const { uid, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds } = metadataOf(old);
  const own = metadataOf(object);
  return withMetadata(object, {
    uid: own.uid ?? uid,
    creationTimestamp,
    deletionTimestamp: own.deletionTimestamp ?? deletionTimestamp,
    deletionGracePeriodSeconds: own.deletionGracePeriodSeconds ?? deletionGracePeriodSeconds,
    resourceVersion: versionOf(old),
  });
}
