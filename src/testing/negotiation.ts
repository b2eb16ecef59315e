import type { ServedKind } from './kinds.ts';
import { notAcceptable } from './status.ts';

/** In which form objects are answered: whole, only what identifies them, or as rows for people. */
export type Form = 'object' | 'metadata' | 'metadataList' | 'table';

export const mediaTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const streams = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

const forms = new Map<string, Form>([
  ['', 'object'],
  ['PartialObjectMetadata', 'metadata'],
  ['PartialObjectMetadataList', 'metadataList'],
  ['Table', 'table'],
]);

/**
 * The form that an Accept header asks for, of those that this server has: JSON only, so that YAML and protobuf are
 * passed over for the next choice. `collection`: whether the path is one, which can be watched.
 *
 * Errors: StatusError 406.
 */
export function formOf(accept: string | undefined, kind: ServedKind, collection: boolean): Form {
  if (accept === undefined || accept === '') return 'object';
  const clauses = clausesOf(accept).filter(({ type }) => acceptsJson(type, kind));
  for (const { parameters } of clauses) {
    const form = forms.get(parameters.get('as') ?? '');
    if (form !== undefined && isMetaVersion(form, parameters)) return form;
  }
  if (clauses.length === 0 && kind.custom !== true) {
    const available = [...mediaTypes, ...(collection ? streams : [])].join(', ');
    throw notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${available}`, {});
  }
  throw notAcceptable(`only the following media types are accepted: ${mediaTypes.join(', ')}`);
}

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Best first. */
function clausesOf(accept: string): Clause[] {
  const clauses = accept.split(',').map((clause) => {
    const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
    return { type, parameters: new Map(parameters.map(parameterOf)) };
  });
  const quality = ({ parameters }: Clause) => Number(parameters.get('q') ?? 1);
  return clauses.sort((a, b) => quality(b) - quality(a));
}

function parameterOf(text: string): [string, string] {
  const [name = '', value = ''] = text.split('=');
  return [name, value];
}

/** `application/*` is understood for custom kinds only. */
const acceptsJson = (type: string, { custom }: ServedKind): boolean =>
  type === 'application/json' || type === '*/*' || (custom === true && type === 'application/*');

const isMetaVersion = (form: Form, parameters: ReadonlyMap<string, string>): boolean =>
  form === 'object' || (parameters.get('g') === 'meta.k8s.io' && parameters.get('v') === 'v1');
