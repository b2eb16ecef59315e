/** What every object of the API has in common, as it comes over the wire. */
export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
}

/** Times are RFC 3339 strings. */
export interface ObjectMeta {
  name?: string;
  /** Missing on objects of cluster-scoped kinds. */
  namespace?: string;
  generateName?: string;
  /** The identity: a name can be used again, a uid cannot. */
  uid?: string;
  /** Opaque: compare it with `compareVersions`, never as a number. */
  resourceVersion?: string;
  /** Counts the changes of the desired state; changes of status, labels and annotations leave it alone. */
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  /** Unit: seconds. */
  deletionGracePeriodSeconds?: number;
  labels?: { [key: string]: string };
  annotations?: { [key: string]: string };
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: ManagedFieldsEntry[];
  selfLink?: string;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: unknown;
  subresource?: string;
}
