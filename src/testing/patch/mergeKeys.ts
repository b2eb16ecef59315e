/**
 * How strategic merge patch treats the fields of a built-in type, as the tags `patchStrategy` and `patchMergeKey` of
 * k8s.io/api say. What is not named here is as in a merge patch: objects are merged, lists replaced.
 */
export interface FieldRules {
  readonly [field: string]: FieldRule;
}

export interface FieldRule {
  /** Default: `merge` for an object, `replace` for a list. */
  readonly strategy?: 'merge' | 'replace';
  /** The field that tells the elements of a merged list apart. Without it they are scalars. */
  readonly mergeKey?: string;
  /** The rules within the object, or within each element of the list. */
  readonly fields?: FieldRules;
}

/** The rules of a kind; those of metadata for one that has no others. */
export const fieldRulesOf = (kind: { readonly group: string; readonly kind: string }): FieldRules => ({
  metadata,
  ...rulesOfKinds[kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`],
});

const merged = (mergeKey: string, fields: FieldRules = {}): FieldRule => ({
  strategy: 'merge',
  mergeKey,
  fields,
});
const mergedScalars: FieldRule = { strategy: 'merge' };
const replaced: FieldRule = { strategy: 'replace' };
const within = (fields: FieldRules): FieldRule => ({ fields });

const metadata = within({ ownerReferences: merged('uid'), finalizers: mergedScalars });
const conditions = within({ conditions: merged('type') });

const containers = merged('name', {
  ports: merged('containerPort'),
  env: merged('name'),
  volumeMounts: merged('mountPath'),
  volumeDevices: merged('devicePath'),
});

const podSpec = within({
  volumes: merged('name'),
  initContainers: containers,
  containers,
  ephemeralContainers: containers,
  imagePullSecrets: merged('name'),
  hostAliases: merged('ip'),
  topologySpreadConstraints: merged('topologyKey'),
  schedulingGates: merged('name'),
  resourceClaims: merged('name'),
});

const podStatus = within({
  conditions: merged('type'),
  hostIPs: merged('ip'),
  podIPs: merged('ip'),
  resourceClaimStatuses: merged('name'),
});

const podTemplate = within({ metadata, spec: podSpec });
const workload: FieldRules = { spec: within({ template: podTemplate }), status: conditions };
const jobSpec = within({ template: podTemplate });
const onlyConditions: FieldRules = { status: conditions };
const policy: FieldRules = { spec: within({ matchConditions: merged('name'), variables: merged('name') }) };
const webhooks: FieldRules = { webhooks: merged('name', { matchConditions: merged('name') }) };

const rulesOfKinds: Readonly<Record<string, FieldRules>> = {
  Namespace: onlyConditions,
  Node: {
    spec: within({ podCIDRs: mergedScalars }),
    status: within({ conditions: merged('type'), addresses: merged('type') }),
  },
  PersistentVolumeClaim: onlyConditions,
  Pod: { spec: podSpec, status: podStatus },
  PodTemplate: { template: podTemplate },
  ReplicationController: workload,
  Service: { spec: within({ ports: merged('port') }), status: conditions },
  ServiceAccount: { secrets: merged('name') },

  'DaemonSet.apps': workload,
  'Deployment.apps': workload,
  'ReplicaSet.apps': workload,
  'StatefulSet.apps': workload,
  'Job.batch': { spec: jobSpec, status: conditions },
  'CronJob.batch': { spec: within({ jobTemplate: within({ metadata, spec: jobSpec }) }) },

  'HorizontalPodAutoscaler.autoscaling': onlyConditions,
  'PodDisruptionBudget.policy': { spec: within({ selector: replaced }), status: conditions },
  'ServiceCIDR.networking.k8s.io': onlyConditions,
  'CSINode.storage.k8s.io': { spec: within({ drivers: merged('name') }) },
  'CertificateSigningRequest.certificates.k8s.io': onlyConditions,
  'FlowSchema.flowcontrol.apiserver.k8s.io': onlyConditions,
  'PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io': onlyConditions,
  'ResourceClaim.resource.k8s.io': { status: within({ reservedFor: merged('uid') }) },
  'MutatingWebhookConfiguration.admissionregistration.k8s.io': webhooks,
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io': webhooks,
  'MutatingAdmissionPolicy.admissionregistration.k8s.io': policy,
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io': policy,
};
