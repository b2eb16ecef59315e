import { builtinKinds, type ServedKind } from './kinds.ts';
import { apiVersionOf } from './objects.ts';

/** The kinds that a server serves at the moment; custom ones come and go. */
export class ServedKinds {
  readonly #kinds: ServedKind[] = [...builtinKinds];
  readonly #listeners = new Set<(kind: ServedKind) => void>();

  get all(): readonly ServedKind[] {
    return this.#kinds;
  }

  /** Takes the place of one of the same group, version and plural. */
  register(kind: ServedKind): void {
    const at = this.#kinds.findIndex((known) => isSamePath(known, kind));
    if (at < 0) this.#kinds.push(kind);
    else this.#kinds[at] = kind;
  }

  unregister(kind: ServedKind): void {
    const at = this.#kinds.findIndex((known) => isSamePath(known, kind));
    if (at < 0) return;
    this.#kinds.splice(at, 1);
    for (const listener of this.#listeners) listener(kind);
  }

  onUnregister(listener: (kind: ServedKind) => void): void {
    this.#listeners.add(listener);
  }

  byPlural(group: string, version: string, plural: string): ServedKind | undefined {
    return this.#kinds.find((kind) => isSamePath(kind, { group, version, plural }));
  }

  byKind(apiVersion: string, kind: string): ServedKind | undefined {
    return this.#kinds.find((known) => known.kind === kind && apiVersionOf(known) === apiVersion);
  }

  /** Whether the group is one of the server's own, not made of custom kinds only. */
  hasBuiltinGroup(group: string): boolean {
    return this.#kinds.some((kind) => kind.group === group && kind.custom !== true);
  }
}

type Path = Pick<ServedKind, 'group' | 'version' | 'plural'>;

export const isSamePath = (a: Path, b: Path): boolean =>
  a.plural === b.plural && a.group === b.group && a.version === b.version;
