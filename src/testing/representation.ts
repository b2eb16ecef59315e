import type { JsonObject } from './json.ts';
import type { ServedKind } from './kinds.ts';
import type { Form } from './negotiation.ts';
import { apiVersionOf } from './objects.ts';
import type { Revision } from './revision.ts';
import { notAcceptable, unexplained } from './status.ts';
import { partialMetadata, type RowObject, tableColumns, tableRow } from './tables.ts';

export interface ListMetadata {
  readonly resourceVersion: string;
  readonly continue?: string | undefined;
  readonly remainingItemCount?: number | undefined;
}

/** Writes the objects of one kind in the form that was asked for. */
export class Representation {
  readonly kind: ServedKind;
  readonly form: Form;
  readonly #rowObject: RowObject;
  readonly #now: () => number;

  /** Unit of `now`: milliseconds. */
  constructor(kind: ServedKind, form: Form, rowObject: RowObject, now: () => number) {
    this.kind = kind;
    this.form = form;
    this.#rowObject = rowObject;
    this.#now = now;
  }

  /** Two of the same name write the same, except that the age in a table depends on the time. */
  get name(): string {
    return `${this.form} ${this.#rowObject} ${this.kind.version}`;
  }

  object(revision: Revision): string {
    switch (this.form) {
      case 'metadata':
        return partialMetadata(revision);
      case 'table':
        return this.#table([revision], { resourceVersion: String(revision.version) });
      case 'metadataList':
        if (this.kind.custom === true) throw unexplained('content is not a list');
        throw notAcceptable(
          `you requested PartialObjectMetadataList, but the requested object is not a list (${this.#goType('')})`,
        );
      default:
        return this.#typed(revision);
    }
  }

  /** In pieces, since a list may be longer than a string can be. */
  *list(revisions: readonly Revision[], metadata: ListMetadata): Generator<string> {
    switch (this.form) {
      case 'table':
        yield `${this.#table(revisions, metadata)}\n`;
        return;
      case 'metadata':
        throw notAcceptable(
          `you requested PartialObjectMetadata, but the requested object is a list (${this.#goType('List')})`,
        );
      case 'metadataList':
        // Its list is null where there is nothing, unlike any other.
        if (revisions.length === 0) {
          yield `${listHead(partialList, metadata)}null}\n`;
          return;
        }
        yield `${listHead(partialList, metadata)}[`;
        break;
      default:
        yield `${listHead({ kind: `${this.kind.kind}List`, apiVersion: apiVersionOf(this.kind) }, this.#complete(metadata))}[`;
    }
    const item =
      this.form === 'metadataList' ? partialMetadata : (revision: Revision) => this.#item(revision);
    for (let from = 0; from < revisions.length; from += slice) {
      yield (from === 0 ? '' : ',') +
        revisions
          .slice(from, from + slice)
          .map(item)
          .join(',');
    }
    yield ']}\n';
  }

  /** A bookmark carries nothing but its version and, at the end of the initial events, the mark of it. */
  bookmark(version: string, initialEventsEnd: boolean): JsonObject {
    const annotations = initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
    const metadata = { resourceVersion: version, ...annotations };
    return this.form === 'object' || this.form === 'table'
      ? { kind: this.kind.kind, apiVersion: apiVersionOf(this.kind), metadata }
      : { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
  }

  #typed(revision: Revision): string {
    const { custom, kind } = this.kind;
    const apiVersion = apiVersionOf(this.kind);
    const type =
      custom === true
        ? `"apiVersion":"${apiVersion}","kind":"${kind}"`
        : `"kind":"${kind}","apiVersion":"${apiVersion}"`;
    return `{${type},${revision.json.slice(1)}`;
  }

  /** The items of built-in lists have no type of their own. */
  #item(revision: Revision): string {
    return this.kind.custom === true ? this.#typed(revision) : revision.json;
  }

  #complete(metadata: ListMetadata): ListMetadata {
    return this.kind.custom === true ? { ...metadata, continue: metadata.continue ?? '' } : metadata;
  }

  #table(revisions: readonly Revision[], metadata: ListMetadata): string {
    const now = this.#now();
    const rows = revisions.map((revision) =>
      tableRow({ revision, json: this.#typed(revision) }, this.#rowObject, now),
    );
    return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${JSON.stringify(metadata)},"columnDefinitions":${tableColumns},"rows":[${rows.join(',')}]}`;
  }

  #goType(suffix: string): string {
    return this.kind.custom === true
      ? `*unstructured.Unstructured${suffix}`
      : `*${this.kind.group === '' ? 'core' : this.kind.group.replace(/\..*/, '')}.${this.kind.kind}${suffix}`;
  }
}

const slice = 500;

const partialList = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' };

const listHead = (type: { kind: string; apiVersion: string }, metadata: ListMetadata): string =>
  `{"kind":"${type.kind}","apiVersion":"${type.apiVersion}","metadata":${JSON.stringify(metadata)},"items":`;
