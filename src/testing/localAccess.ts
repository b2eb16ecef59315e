import { InvalidOptionError } from '../errors.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import type { ServedKind } from './kinds.ts';
import { keyOf, metadataOf, nameOf, namespaceOf, withMetadata, withoutType, withType } from './objects.ts';
import { mergePatch } from './patch/mergePatch.ts';
import type { DeleteOptions } from './registry/deletion.ts';
import type { Registry } from './registry/registry.ts';
import type { Revision } from './revision.ts';
import { selectionOf } from './selectors/selection.ts';
import type { ServedKinds } from './servedKinds.ts';
import type { Storage } from './storage.ts';

/** An object of any kind; the caller knows which fields it has. */
export interface ServedObject extends KubernetesObject {
  [field: string]: unknown;
}

export interface LocalListOptions {
  /** Default: all. */
  readonly namespace?: string;
  /** Default: everything. */
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/**
 * The objects of the server without HTTP, for tests and for load. The rules are those of the API, except that a write
 * is of the whole object (status, and at first uid and creationTimestamp too), and namespaces come by themselves.
 *
 * Guarantees: synchronous; when it returns, all watches have been told. What it takes and gives are copies.
 * Errors: StatusError, as over HTTP; InvalidOptionError for a kind that is not served.
 */
export class LocalAccess {
  readonly #registry: Registry;
  readonly #storage: Storage;
  readonly #kinds: ServedKinds;
  readonly #namespaces: ServedKind;

  constructor(registry: Registry, storage: Storage, kinds: ServedKinds, namespaces: ServedKind) {
    this.#registry = registry;
    this.#storage = storage;
    this.#kinds = kinds;
    this.#namespaces = namespaces;
  }

  create<T extends KubernetesObject>(object: T): T {
    const { kind, stored } = this.#given(object);
    if (kind.namespaced) this.createNamespace(namespaceOf(stored));
    return sameType(object, copyOf(kind, this.#registry.create(kind, stored, { part: 'whole' })));
  }

  /** Where it names a `resourceVersion`, that must be the present one. */
  update<T extends KubernetesObject>(object: T): T {
    const { kind, stored } = this.#given(object);
    const key = keyOf(namespaceOf(stored), nameOf(stored));
    const revision = this.#registry.update(kind, key, () => stored, { part: 'whole', sameUid: true });
    return sameType(object, copyOf(kind, revision));
  }

  /** A merge patch: what is null is taken away. */
  patch(apiVersion: string, kind: string, key: string, patch: object): ServedObject {
    const served = this.#kind(apiVersion, kind);
    const instructions = withoutType(jsonOf(patch));
    const change = (current: JsonObject) => {
      const patched = mergePatch(current, instructions);
      return isJsonObject(patched) ? patched : current;
    };
    return copyOf(served, this.#registry.update(served, key, change, { part: 'whole' }));
  }

  /** A namespace goes with all that is in it. Default of the grace period: none. */
  delete(apiVersion: string, kind: string, key: string, options: DeleteOptions = {}): void {
    const served = this.#kind(apiVersion, kind);
    if (served !== this.#namespaces) {
      this.#registry.delete(served, key, { gracePeriodSeconds: 0, ...options });
      return;
    }
    this.#registry.delete(served, key, options);
    for (const inside of this.#kinds.all.filter(({ namespaced }) => namespaced)) this.#clear(inside, key);
    this.#registry.update(served, key, (namespace) => ({ ...namespace, spec: {} }), { part: 'whole' });
  }

  get(apiVersion: string, kind: string, key: string): ServedObject | undefined {
    const served = this.#kind(apiVersion, kind);
    const revision = this.#registry.find(served, key);
    return revision && copyOf(served, revision);
  }

  /** Sorted by key. */
  list(
    apiVersion: string,
    kind: string,
    { namespace = '', labelSelector = '', fieldSelector = '' }: LocalListOptions = {},
  ): ServedObject[] {
    const served = this.#kind(apiVersion, kind);
    const selection = selectionOf(served, { namespace, labelSelector, fieldSelector });
    const { revisions } = this.#storage.table(served);
    return revisions.filter(({ object }) => selection.matches(object)).map((it) => copyOf(served, it));
  }

  /** Unless it is there. */
  createNamespace(name: string): void {
    if (this.#registry.find(this.#namespaces, name) !== undefined) return;
    this.#registry.create(this.#namespaces, { metadata: { name } }, { part: 'whole' });
  }

  #clear(kind: ServedKind, namespace: string): void {
    const { revisions } = this.#storage.table(kind);
    for (const { key, object } of revisions) {
      if (namespaceOf(object) === namespace) this.#storage.delete(kind, key);
    }
  }

  #given(object: KubernetesObject): { kind: ServedKind; stored: JsonObject } {
    const kind = this.#kind(object.apiVersion ?? '', object.kind ?? '');
    const stored = withoutType(jsonOf(object));
    const namespace = kind.namespaced ? (metadataOf(stored).namespace ?? 'default') : undefined;
    return { kind, stored: withMetadata(stored, { namespace }) };
  }

  #kind(apiVersion: string, kind: string): ServedKind {
    const served = this.#kinds.byKind(apiVersion, kind);
    if (served !== undefined) return served;
    throw new InvalidOptionError(
      'kind',
      `${apiVersion} ${kind}`,
      'pass one that is served, or register it first',
    );
  }
}

/** A copy of what JSON can say of it. */
const jsonOf = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

const copyOf = (kind: ServedKind, revision: Revision): ServedObject =>
  withType(kind, JSON.parse(revision.json) as JsonObject);

/** What is stored of an object has its type. */
const sameType = <T extends KubernetesObject>(_: T, stored: KubernetesObject): T => stored as T;
