import { InvalidOptionError } from '../errors.ts';
import { builtinResources } from '../kubernetes/builtinResources.ts';
import { nearestName } from '../kubernetes/nearestName.ts';
import type { Resource } from '../kubernetes/resource.ts';
import { parseApiVersion } from '../kubernetes/resource.ts';

export interface NamedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The short names that kubectl knows of kinds that come with Kubernetes. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  cj: 'CronJob',
  cm: 'ConfigMap',
  crd: 'CustomResourceDefinition',
  crds: 'CustomResourceDefinition',
  cs: 'ComponentStatus',
  csr: 'CertificateSigningRequest',
  deploy: 'Deployment',
  ds: 'DaemonSet',
  ep: 'Endpoints',
  ev: 'Event',
  hpa: 'HorizontalPodAutoscaler',
  ing: 'Ingress',
  limits: 'LimitRange',
  netpol: 'NetworkPolicy',
  no: 'Node',
  ns: 'Namespace',
  pc: 'PriorityClass',
  pdb: 'PodDisruptionBudget',
  po: 'Pod',
  pv: 'PersistentVolume',
  pvc: 'PersistentVolumeClaim',
  quota: 'ResourceQuota',
  rc: 'ReplicationController',
  rs: 'ReplicaSet',
  sa: 'ServiceAccount',
  sc: 'StorageClass',
  sts: 'StatefulSet',
  svc: 'Service',
};

/**
 * A kind as somebody types it. One that comes with Kubernetes: kind, plural or short name, or plural.group, in
 * upper or lower case; any: group/version/Kind. Throws InvalidOptionError.
 */
export function namedKind(name: string): NamedKind {
  if (name.includes('/')) return qualified(name);
  const wanted = name.toLowerCase();
  const builtin = builtinResources.find((resource) => namesOf(resource).includes(wanted));
  if (builtin === undefined) throw unknownKind(name);
  return { apiVersion: apiVersionOf(builtin), kind: builtin.kind };
}

function qualified(name: string): NamedKind {
  const end = name.lastIndexOf('/');
  const apiVersion = name.slice(0, end);
  const kind = name.slice(end + 1);
  if (kind === '') throw new InvalidOptionError('--kind', name, WAY_OUT);
  try {
    parseApiVersion(apiVersion);
  } catch {
    throw new InvalidOptionError('--kind', name, WAY_OUT);
  }
  const builtin = builtinResources.find(
    (resource) => apiVersionOf(resource) === apiVersion && namesOf(resource).includes(kind.toLowerCase()),
  );
  return { apiVersion, kind: builtin?.kind ?? kind };
}

const WAY_OUT =
  'give kind, plural or short name of a kind that comes with Kubernetes, or group/version/Kind of any other';

function unknownKind(name: string): InvalidOptionError {
  const known = builtinResources.flatMap(({ kind, plural }) => [kind, plural]);
  const nearest = nearestName(name, [...known, ...Object.keys(SHORT_NAMES)]);
  return new InvalidOptionError(
    '--kind',
    name,
    nearest === undefined ? WAY_OUT : `is ${nearest} meant? ${WAY_OUT}`,
  );
}

/** All in lower case. */
function namesOf({ kind, plural, group }: Resource): string[] {
  const shorts = Object.keys(SHORT_NAMES).filter((short) => SHORT_NAMES[short] === kind);
  return [kind.toLowerCase(), plural, `${plural}.${group}`, ...shorts];
}

const apiVersionOf = ({ group, version }: Resource): string =>
  group === '' ? version : `${group}/${version}`;
