import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { ServedKind } from '../kinds.ts';
import { badRequest, quote } from '../status.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly negated: boolean;
  readonly value: string;
}

/** Errors: StatusError 400 with the words of kube-apiserver, also for a field that it cannot select this kind by. */
export function parseFieldSelector(text: string, kind: ServedKind): FieldRequirement[] {
  const terms = text.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? [];
  return terms
    .map((term) => requirementOf(term, text))
    .map((requirement) => ({ ...requirement, field: supported(requirement.field, kind) }));
}

export const matchesFields = (object: JsonObject, requirements: readonly FieldRequirement[]): boolean =>
  requirements.every(({ field, negated, value }) => (fieldOf(object, field) === value) !== negated);

function requirementOf(term: string, selector: string): FieldRequirement {
  const parts = /^(?<field>.*?)(?<operator>!=|==|=)(?<value>.*)$/s.exec(term)?.groups;
  if (parts === undefined) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  const { field = '', operator, value = '' } = parts;
  return { field, negated: operator === '!=', value: unescaped(value) };
}

function unescaped(value: string): string {
  return value.replaceAll(
    /\\(.?)|([,=])/gsu,
    (sequence: string, after: string | undefined, bare?: string) => {
      if (bare !== undefined) {
        throw badRequest(
          `invalid field selector: unescaped character in value: ${String(bare.codePointAt(0))}`,
        );
      }
      if (after === '\\' || after === ',' || after === '=') return after;
      throw badRequest(`invalid field selector: invalid escape sequence: ${sequence}`);
    },
  );
}

function supported(field: string, kind: ServedKind): string {
  const name = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const own = ownFields[name];
  const renamed = name === 'Pod' && field === 'spec.host' ? 'spec.nodeName' : field;
  if (renamed === 'metadata.name') return renamed;
  if (renamed === 'metadata.namespace' && !clusterScoped.has(name)) return renamed;
  if (own?.includes(renamed) === true) return renamed;
  if (own !== undefined)
    throw badRequest(unsupportedMessages[name]?.(field) ?? `field label not supported: ${field}`);
  if (kind.custom === true) throw badRequest(`field label not supported: ${field}`);
  throw badRequest(
    `${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}

/** By what else than name and namespace the built-in kinds can be selected. */
const ownFields: Readonly<Record<string, readonly string[]>> = {
  Pod: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  Node: ['spec.unschedulable'],
  Namespace: ['status.phase'],
  Secret: ['type'],
  Service: ['spec.clusterIP', 'spec.type'],
  ReplicationController: ['status.replicas'],
  Event: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  'Job.batch': ['status.successful'],
  'CertificateSigningRequest.certificates.k8s.io': ['spec.signerName'],
};

/** Those whose own list of fields has no namespace in it. */
const clusterScoped = new Set(['Node', 'Namespace', 'CertificateSigningRequest.certificates.k8s.io']);

const unsupportedMessages: Readonly<Record<string, (field: string) => string>> = {
  'Job.batch': (field) => `field label ${quote(field)} not supported for Job`,
};

/** A missing one is empty, and a missing flag is false, as in the Go types. */
function fieldOf(object: JsonObject, path: string): string {
  const value = path
    .split('.')
    .reduce<JsonValue | undefined>((at, field) => (isJsonObject(at) ? at[field] : undefined), object);
  if (value === undefined || value === null) return defaults[path] ?? '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const defaults: Readonly<Record<string, string>> = {
  'spec.unschedulable': 'false',
  'spec.hostNetwork': 'false',
  'status.replicas': '0',
};
