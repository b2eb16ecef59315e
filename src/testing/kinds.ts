/** A kind that the server serves, in one version of its group. */
export interface ServedKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Defined by a CustomResourceDefinition. Default: false. */
  readonly custom?: boolean;
  /** Has a status subresource, so that writes of the object leave the status alone. Default: false. */
  readonly status?: boolean;
  /** `metadata.generation` counts what is asked for (of a custom kind always). Default: false. */
  readonly generation?: boolean;
}

type Facts = Partial<Pick<ServedKind, 'shortNames' | 'categories' | 'status' | 'generation'>>;

const status = true;
const generation = true;
const all = ['all'];
const extensions = ['api-extensions'];

const cluster = (kind: string, facts: Facts = {}) => ({ kind, ...facts, namespaced: false });
const namespaced = (kind: string, facts: Facts = {}) => ({ kind, ...facts, namespaced: true });

const served = (
  group: string,
  version: string,
  ...kinds: (Facts & Pick<ServedKind, 'kind' | 'namespaced'>)[]
): ServedKind[] =>
  kinds.map(({ kind, ...facts }) => {
    const singular = kind.toLowerCase();
    return { group, version, kind, plural: pluralOf(singular), singular, ...facts };
  });

function pluralOf(singular: string): string {
  if (singular === 'endpoints') return singular;
  if (singular.endsWith('y')) return `${singular.slice(0, -1)}ies`;
  return /s$/.test(singular) ? `${singular}es` : `${singular}s`;
}

/** The kinds of kube-apiserver 1.37 that are stored objects, in the order of its groups. */
export const builtinKinds: readonly ServedKind[] = [
  ...served(
    '',
    'v1',
    namespaced('ConfigMap', { shortNames: ['cm'] }),
    namespaced('Endpoints', { shortNames: ['ep'] }),
    namespaced('Event', { shortNames: ['ev'] }),
    namespaced('LimitRange', { shortNames: ['limits'] }),
    cluster('Namespace', { shortNames: ['ns'], status }),
    cluster('Node', { shortNames: ['no'], status }),
    namespaced('PersistentVolumeClaim', { shortNames: ['pvc'], status }),
    cluster('PersistentVolume', { shortNames: ['pv'], status }),
    namespaced('Pod', { shortNames: ['po'], categories: all, status, generation }),
    namespaced('PodTemplate', { generation }),
    namespaced('ReplicationController', { shortNames: ['rc'], categories: all, status, generation }),
    namespaced('ResourceQuota', { shortNames: ['quota'], status }),
    namespaced('Secret'),
    namespaced('ServiceAccount', { shortNames: ['sa'] }),
    namespaced('Service', { shortNames: ['svc'], categories: all, status }),
  ),
  ...served('apiregistration.k8s.io', 'v1', cluster('APIService', { categories: extensions, status })),
  ...served(
    'apps',
    'v1',
    namespaced('ControllerRevision'),
    namespaced('DaemonSet', { shortNames: ['ds'], categories: all, status, generation }),
    namespaced('Deployment', { shortNames: ['deploy'], categories: all, status, generation }),
    namespaced('ReplicaSet', { shortNames: ['rs'], categories: all, status, generation }),
    namespaced('StatefulSet', { shortNames: ['sts'], categories: all, status, generation }),
  ),
  ...served('events.k8s.io', 'v1', namespaced('Event', { shortNames: ['ev'] })),
  ...served(
    'autoscaling',
    'v2',
    namespaced('HorizontalPodAutoscaler', { shortNames: ['hpa'], categories: all, status, generation }),
  ),
  ...served(
    'batch',
    'v1',
    namespaced('CronJob', { shortNames: ['cj'], categories: all, status, generation }),
    namespaced('Job', { categories: all, status, generation }),
  ),
  ...served(
    'certificates.k8s.io',
    'v1',
    cluster('CertificateSigningRequest', { shortNames: ['csr'], status }),
    cluster('ClusterTrustBundle'),
  ),
  ...served(
    'networking.k8s.io',
    'v1',
    cluster('IngressClass', { generation }),
    namespaced('Ingress', { shortNames: ['ing'], status, generation }),
    cluster('IPAddress', { shortNames: ['ip'] }),
    namespaced('NetworkPolicy', { shortNames: ['netpol'], generation }),
    cluster('ServiceCIDR', { status }),
  ),
  ...served('policy', 'v1', namespaced('PodDisruptionBudget', { shortNames: ['pdb'], status, generation })),
  ...served(
    'rbac.authorization.k8s.io',
    'v1',
    cluster('ClusterRoleBinding'),
    cluster('ClusterRole'),
    namespaced('RoleBinding'),
    namespaced('Role'),
  ),
  ...served(
    'storage.k8s.io',
    'v1',
    cluster('CSIDriver'),
    cluster('CSINode', { status }),
    namespaced('CSIStorageCapacity'),
    cluster('StorageClass', { shortNames: ['sc'] }),
    cluster('VolumeAttachment', { status }),
    cluster('VolumeAttributesClass', { shortNames: ['vac'] }),
  ),
  ...served(
    'admissionregistration.k8s.io',
    'v1',
    cluster('MutatingAdmissionPolicy', { categories: extensions, generation }),
    cluster('MutatingAdmissionPolicyBinding', { categories: extensions, generation }),
    cluster('MutatingWebhookConfiguration', { categories: extensions, generation }),
    cluster('ValidatingAdmissionPolicy', { categories: extensions, status, generation }),
    cluster('ValidatingAdmissionPolicyBinding', { categories: extensions, generation }),
    cluster('ValidatingWebhookConfiguration', { categories: extensions, generation }),
  ),
  ...served(
    'apiextensions.k8s.io',
    'v1',
    cluster('CustomResourceDefinition', {
      shortNames: ['crd', 'crds'],
      categories: extensions,
      status,
      generation,
    }),
  ),
  ...served('scheduling.k8s.io', 'v1', cluster('PriorityClass', { shortNames: ['pc'], generation })),
  ...served('coordination.k8s.io', 'v1', namespaced('Lease')),
  ...served('node.k8s.io', 'v1', cluster('RuntimeClass')),
  ...served('discovery.k8s.io', 'v1', namespaced('EndpointSlice', { generation })),
  ...served(
    'resource.k8s.io',
    'v1',
    cluster('DeviceClass', { generation }),
    namespaced('ResourceClaim', { status }),
    namespaced('ResourceClaimTemplate'),
    cluster('ResourceSlice', { generation }),
  ),
  ...served(
    'flowcontrol.apiserver.k8s.io',
    'v1',
    cluster('FlowSchema', { status, generation }),
    cluster('PriorityLevelConfiguration', { status, generation }),
  ),
];
