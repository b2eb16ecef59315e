import type { KubernetesObject, ObjectMeta } from '../../src/kubernetes/objects.ts';
import type { StatusBody } from '../../src/kubernetes/status.ts';

/**
 * The pod `default/<name>` at this version, as a list item: without kind and apiVersion. Its uid is made of
 * its name, so that it stays the same object unless another uid is given.
 */
export const pod = (name: string, version: number | string, meta: ObjectMeta = {}): KubernetesObject => ({
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: String(version), ...meta },
});

/** A Status of a failure. */
export const failure = (
  code: number,
  reason?: string,
  more: Pick<StatusBody, 'message' | 'details'> = {},
): StatusBody => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: `answer ${code}`,
  ...(reason === undefined ? {} : { reason }),
  ...more,
  code,
});

/** What a server says to a version that it has never reached. */
export const TOO_LARGE = {
  message: 'Too large resource version: 200, current: 100',
  details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] },
};
