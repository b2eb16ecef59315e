import type { JsonObject } from '../json.ts';
import type { ServedKind } from '../kinds.ts';
import { metadataOf, namespaceOf, objectAt } from '../objects.ts';
import { type FieldRequirement, matchesFields, parseFieldSelector } from './fieldSelector.ts';
import { parseLabelSelector } from './labelSelector.ts';

/** What a list or watch is about. */
export interface Selection {
  /** Nothing but the namespace selects, so what is left out can be counted. */
  readonly everything: boolean;
  matches(object: JsonObject): boolean;
}

export interface SelectionQuery {
  /** All namespaces: empty. */
  readonly namespace: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/** Errors: StatusError 400. */
export function selectionOf(kind: ServedKind, { namespace, ...query }: SelectionQuery): Selection {
  const matchesLabels = parseLabelSelector(query.labelSelector);
  const fields: readonly FieldRequirement[] = parseFieldSelector(query.fieldSelector, kind);
  return {
    everything: matchesLabels === undefined && fields.length === 0,
    matches: (object) =>
      (namespace === '' || namespaceOf(object) === namespace) &&
      (matchesLabels === undefined || matchesLabels(objectAt(metadataOf(object), 'labels'))) &&
      matchesFields(object, fields),
  };
}
