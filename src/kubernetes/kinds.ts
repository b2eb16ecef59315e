import type {
  CoreV1Event,
  EventsV1Event,
  V1APIService,
  V1CertificateSigningRequest,
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1ComponentStatus,
  V1ConfigMap,
  V1ControllerRevision,
  V1CronJob,
  V1CSIDriver,
  V1CSINode,
  V1CSIStorageCapacity,
  V1CustomResourceDefinition,
  V1DaemonSet,
  V1Deployment,
  V1EndpointSlice,
  V1Endpoints,
  V1FlowSchema,
  V1HorizontalPodAutoscaler,
  V1Ingress,
  V1IngressClass,
  V1IPAddress,
  V1Job,
  V1Lease,
  V1LimitRange,
  V1MutatingWebhookConfiguration,
  V1Namespace,
  V1NetworkPolicy,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1PodTemplate,
  V1PriorityClass,
  V1PriorityLevelConfiguration,
  V1ReplicaSet,
  V1ReplicationController,
  V1ResourceQuota,
  V1Role,
  V1RoleBinding,
  V1RuntimeClass,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1ServiceCIDR,
  V1StatefulSet,
  V1StorageClass,
  V1ValidatingAdmissionPolicy,
  V1ValidatingAdmissionPolicyBinding,
  V1ValidatingWebhookConfiguration,
  V1VolumeAttachment,
  V1VolumeAttributesClass,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node';
import type { Wire } from './wire.ts';

export type ComponentStatus = Wire<V1ComponentStatus>;
export type ConfigMap = Wire<V1ConfigMap>;
export type Endpoints = Wire<V1Endpoints>;
export type Event = Wire<CoreV1Event>;
export type LimitRange = Wire<V1LimitRange>;
export type Namespace = Wire<V1Namespace>;
export type Node = Wire<V1Node>;
export type PersistentVolume = Wire<V1PersistentVolume>;
export type PersistentVolumeClaim = Wire<V1PersistentVolumeClaim>;
export type Pod = Wire<V1Pod>;
export type PodTemplate = Wire<V1PodTemplate>;
export type ReplicationController = Wire<V1ReplicationController>;
export type ResourceQuota = Wire<V1ResourceQuota>;
export type Secret = Wire<V1Secret>;
export type Service = Wire<V1Service>;
export type ServiceAccount = Wire<V1ServiceAccount>;
export type MutatingWebhookConfiguration = Wire<V1MutatingWebhookConfiguration>;
export type ValidatingAdmissionPolicy = Wire<V1ValidatingAdmissionPolicy>;
export type ValidatingAdmissionPolicyBinding = Wire<V1ValidatingAdmissionPolicyBinding>;
export type ValidatingWebhookConfiguration = Wire<V1ValidatingWebhookConfiguration>;
export type CustomResourceDefinition = Wire<V1CustomResourceDefinition>;
export type APIService = Wire<V1APIService>;
export type ControllerRevision = Wire<V1ControllerRevision>;
export type DaemonSet = Wire<V1DaemonSet>;
export type Deployment = Wire<V1Deployment>;
export type ReplicaSet = Wire<V1ReplicaSet>;
export type StatefulSet = Wire<V1StatefulSet>;
/** The one of `autoscaling/v1`, which knows CPU only. */
export type HorizontalPodAutoscalerV1 = Wire<V1HorizontalPodAutoscaler>;
export type HorizontalPodAutoscaler = Wire<V2HorizontalPodAutoscaler>;
export type CronJob = Wire<V1CronJob>;
export type Job = Wire<V1Job>;
export type CertificateSigningRequest = Wire<V1CertificateSigningRequest>;
export type Lease = Wire<V1Lease>;
export type EndpointSlice = Wire<V1EndpointSlice>;
/** The Event of `events.k8s.io/v1`: the same objects as the core ones, by other names of fields. */
export type EventsEvent = Wire<EventsV1Event>;
export type FlowSchema = Wire<V1FlowSchema>;
export type PriorityLevelConfiguration = Wire<V1PriorityLevelConfiguration>;
export type IPAddress = Wire<V1IPAddress>;
export type Ingress = Wire<V1Ingress>;
export type IngressClass = Wire<V1IngressClass>;
export type NetworkPolicy = Wire<V1NetworkPolicy>;
export type ServiceCIDR = Wire<V1ServiceCIDR>;
export type RuntimeClass = Wire<V1RuntimeClass>;
export type PodDisruptionBudget = Wire<V1PodDisruptionBudget>;
export type ClusterRole = Wire<V1ClusterRole>;
export type ClusterRoleBinding = Wire<V1ClusterRoleBinding>;
export type Role = Wire<V1Role>;
export type RoleBinding = Wire<V1RoleBinding>;
export type PriorityClass = Wire<V1PriorityClass>;
export type CSIDriver = Wire<V1CSIDriver>;
export type CSINode = Wire<V1CSINode>;
export type CSIStorageCapacity = Wire<V1CSIStorageCapacity>;
export type StorageClass = Wire<V1StorageClass>;
export type VolumeAttachment = Wire<V1VolumeAttachment>;
export type VolumeAttributesClass = Wire<V1VolumeAttributesClass>;

/** The types of the built-in kinds, by apiVersion and kind: what `for('apps/v1', 'Deployment')` infers from. */
export interface Kinds {
  v1: {
    ComponentStatus: ComponentStatus;
    ConfigMap: ConfigMap;
    Endpoints: Endpoints;
    Event: Event;
    LimitRange: LimitRange;
    Namespace: Namespace;
    Node: Node;
    PersistentVolume: PersistentVolume;
    PersistentVolumeClaim: PersistentVolumeClaim;
    Pod: Pod;
    PodTemplate: PodTemplate;
    ReplicationController: ReplicationController;
    ResourceQuota: ResourceQuota;
    Secret: Secret;
    Service: Service;
    ServiceAccount: ServiceAccount;
  };
  'admissionregistration.k8s.io/v1': {
    MutatingWebhookConfiguration: MutatingWebhookConfiguration;
    ValidatingAdmissionPolicy: ValidatingAdmissionPolicy;
    ValidatingAdmissionPolicyBinding: ValidatingAdmissionPolicyBinding;
    ValidatingWebhookConfiguration: ValidatingWebhookConfiguration;
  };
  'apiextensions.k8s.io/v1': {
    CustomResourceDefinition: CustomResourceDefinition;
  };
  'apiregistration.k8s.io/v1': {
    APIService: APIService;
  };
  'apps/v1': {
    ControllerRevision: ControllerRevision;
    DaemonSet: DaemonSet;
    Deployment: Deployment;
    ReplicaSet: ReplicaSet;
    StatefulSet: StatefulSet;
  };
  'autoscaling/v1': {
    HorizontalPodAutoscaler: HorizontalPodAutoscalerV1;
  };
  'autoscaling/v2': {
    HorizontalPodAutoscaler: HorizontalPodAutoscaler;
  };
  'batch/v1': {
    CronJob: CronJob;
    Job: Job;
  };
  'certificates.k8s.io/v1': {
    CertificateSigningRequest: CertificateSigningRequest;
  };
  'coordination.k8s.io/v1': {
    Lease: Lease;
  };
  'discovery.k8s.io/v1': {
    EndpointSlice: EndpointSlice;
  };
  'events.k8s.io/v1': {
    Event: EventsEvent;
  };
  'flowcontrol.apiserver.k8s.io/v1': {
    FlowSchema: FlowSchema;
    PriorityLevelConfiguration: PriorityLevelConfiguration;
  };
  'networking.k8s.io/v1': {
    IPAddress: IPAddress;
    Ingress: Ingress;
    IngressClass: IngressClass;
    NetworkPolicy: NetworkPolicy;
    ServiceCIDR: ServiceCIDR;
  };
  'node.k8s.io/v1': {
    RuntimeClass: RuntimeClass;
  };
  'policy/v1': {
    PodDisruptionBudget: PodDisruptionBudget;
  };
  'rbac.authorization.k8s.io/v1': {
    ClusterRole: ClusterRole;
    ClusterRoleBinding: ClusterRoleBinding;
    Role: Role;
    RoleBinding: RoleBinding;
  };
  'scheduling.k8s.io/v1': {
    PriorityClass: PriorityClass;
  };
  'storage.k8s.io/v1': {
    CSIDriver: CSIDriver;
    CSINode: CSINode;
    CSIStorageCapacity: CSIStorageCapacity;
    StorageClass: StorageClass;
    VolumeAttachment: VolumeAttachment;
    VolumeAttributesClass: VolumeAttributesClass;
  };
}
