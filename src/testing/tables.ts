import type { JsonValue } from './json.ts';
import { metadataInWireOrder, metadataOf, nameOf, textAt } from './objects.ts';
import type { Revision } from './revision.ts';
import { badRequest, quote } from './status.ts';

/** What each row of a table carries along. */
export type RowObject = 'None' | 'Metadata' | 'Object';

/** Errors: StatusError 400. */
export function rowObjectOf(includeObject: string): RowObject {
  switch (includeObject) {
    case '':
      return 'Metadata';
    case 'None':
    case 'Metadata':
    case 'Object':
      return includeObject;
    default:
      throw badRequest(
        `Unable to convert to Table as requested: includeObject: Invalid value: ${quote(includeObject)}: must be 'Metadata', 'Object', 'None', or empty`,
      );
  }
}

/** The columns of every kind; those that only some kinds have are left out. */
export const tableColumns = JSON.stringify([
  column('Name', 'string', 'name', 'Name must be unique within a namespace.'),
  column('Age', 'date', '', 'CreationTimestamp is the server time when this object was created.'),
]);

function column(name: string, type: string, format: string, description: string): JsonValue {
  return { name, type, format, description, priority: 0 };
}

export interface Row {
  readonly revision: Revision;
  /** The whole object as JSON. */
  readonly json: string;
}

/** Unit of `now`: milliseconds. */
export function tableRow({ revision, json }: Row, rowObject: RowObject, now: number): string {
  const { object } = revision;
  const created = Date.parse(textAt(metadataOf(object), 'creationTimestamp'));
  const cells = JSON.stringify([nameOf(object), ageOf(now - created)]);
  const shown = rowObject === 'None' ? 'null' : rowObject === 'Object' ? json : partialMetadata(revision);
  return `{"cells":${cells},"object":${shown}}`;
}

export const partialMetadata = ({ object }: Revision): string =>
  `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":${JSON.stringify(metadataInWireOrder(metadataOf(object)))}}`;

/** `17s`, `3m`, `5h`, `2d`. */
function ageOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (Number.isNaN(seconds)) return '<unknown>';
  const [size, unit] = units.find(([most]) => seconds < most)?.[1] ?? [86_400, 'd'];
  return `${String(Math.floor(seconds / size))}${unit}`;
}

/** Below how many seconds which unit is used. */
const units: readonly [number, [number, string]][] = [
  [120, [1, 's']],
  [10_800, [60, 'm']],
  [172_800, [3600, 'h']],
];
