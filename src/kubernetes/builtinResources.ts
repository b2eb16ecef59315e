import { pluralOf } from './pluralOf.ts';
import { parseApiVersion, type Resource } from './resource.ts';

interface GroupKinds {
  readonly namespaced?: readonly string[];
  readonly cluster?: readonly string[];
}

/** What Kubernetes 1.37 serves as stable or beta; all others have to be discovered. */
const BUILTINS: Readonly<Record<string, GroupKinds>> = {
  v1: {
    namespaced: [
      'ConfigMap',
      'Endpoints',
      'Event',
      'LimitRange',
      'PersistentVolumeClaim',
      'Pod',
      'PodTemplate',
      'ReplicationController',
      'ResourceQuota',
      'Secret',
      'Service',
      'ServiceAccount',
    ],
    cluster: ['ComponentStatus', 'Namespace', 'Node', 'PersistentVolume'],
  },
  'admissionregistration.k8s.io/v1': {
    cluster: [
      'MutatingAdmissionPolicy',
      'MutatingAdmissionPolicyBinding',
      'MutatingWebhookConfiguration',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
      'ValidatingWebhookConfiguration',
    ],
  },
  'admissionregistration.k8s.io/v1beta1': {
    cluster: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
  },
  'apiextensions.k8s.io/v1': { cluster: ['CustomResourceDefinition'] },
  'apiregistration.k8s.io/v1': { cluster: ['APIService'] },
  'apps/v1': { namespaced: ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'] },
  'autoscaling/v1': { namespaced: ['HorizontalPodAutoscaler'] },
  'autoscaling/v2': { namespaced: ['HorizontalPodAutoscaler'] },
  'batch/v1': { namespaced: ['CronJob', 'Job'] },
  'certificates.k8s.io/v1': {
    namespaced: ['PodCertificateRequest'],
    cluster: ['CertificateSigningRequest', 'ClusterTrustBundle'],
  },
  'certificates.k8s.io/v1beta1': { namespaced: ['PodCertificateRequest'], cluster: ['ClusterTrustBundle'] },
  'coordination.k8s.io/v1': { namespaced: ['Lease'] },
  'coordination.k8s.io/v1beta1': { namespaced: ['LeaseCandidate'] },
  'discovery.k8s.io/v1': { namespaced: ['EndpointSlice'] },
  'events.k8s.io/v1': { namespaced: ['Event'] },
  'flowcontrol.apiserver.k8s.io/v1': { cluster: ['FlowSchema', 'PriorityLevelConfiguration'] },
  'networking.k8s.io/v1': {
    namespaced: ['Ingress', 'NetworkPolicy'],
    cluster: ['IPAddress', 'IngressClass', 'ServiceCIDR'],
  },
  'node.k8s.io/v1': { cluster: ['RuntimeClass'] },
  'policy/v1': { namespaced: ['PodDisruptionBudget'] },
  'rbac.authorization.k8s.io/v1': {
    namespaced: ['Role', 'RoleBinding'],
    cluster: ['ClusterRole', 'ClusterRoleBinding'],
  },
  'resource.k8s.io/v1': {
    namespaced: ['ResourceClaim', 'ResourceClaimTemplate'],
    cluster: ['DeviceClass', 'DeviceTaintRule', 'ResourceSlice'],
  },
  'resource.k8s.io/v1beta1': {
    namespaced: ['ResourceClaim', 'ResourceClaimTemplate'],
    cluster: ['DeviceClass', 'ResourceSlice'],
  },
  'resource.k8s.io/v1beta2': {
    namespaced: ['ResourceClaim', 'ResourceClaimTemplate'],
    cluster: ['DeviceClass', 'DeviceTaintRule', 'ResourceSlice'],
  },
  'scheduling.k8s.io/v1': { cluster: ['PriorityClass'] },
  'scheduling.k8s.io/v1beta1': { namespaced: ['PodGroup', 'Workload'] },
  'storage.k8s.io/v1': {
    namespaced: ['CSIStorageCapacity'],
    cluster: ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment', 'VolumeAttributesClass'],
  },
  'storagemigration.k8s.io/v1': { cluster: ['StorageVersionMigration'] },
  'storagemigration.k8s.io/v1beta1': { cluster: ['StorageVersionMigration'] },
};

const resources = new Map<string, Resource>(
  Object.entries(BUILTINS).flatMap(([apiVersion, { namespaced = [], cluster = [] }]) => [
    ...namespaced.map((kind) => entryOf(apiVersion, kind, true)),
    ...cluster.map((kind) => entryOf(apiVersion, kind, false)),
  ]),
);

/** All of them; of a kind that comes in several versions, the stable one is first. */
export const builtinResources: readonly Resource[] = [...resources.values()];

/** The resource of a kind that comes with Kubernetes; of others nothing is known before discovery. */
export function builtinResource(apiVersion: string, kind: string): Resource | undefined {
  return resources.get(`${apiVersion} ${kind}`);
}

/** The apiVersion of a kind that comes with Kubernetes; the stable one where there are several. */
export function builtinApiVersion(kind: string): string | undefined {
  const found = builtinResources.find((resource) => resource.kind === kind);
  return found && (found.group === '' ? found.version : `${found.group}/${found.version}`);
}

function entryOf(apiVersion: string, kind: string, namespaced: boolean): [string, Resource] {
  return [
    `${apiVersion} ${kind}`,
    Object.freeze({ ...parseApiVersion(apiVersion), kind, plural: pluralOf(kind), namespaced }),
  ];
}
