import type { KubernetesObject, ObjectMeta } from '../kubernetes/objects.ts';

/** An object that has a key. */
export type Named = KubernetesObject & { metadata: ObjectMeta & { name: string } };

export function isNamed(value: unknown): value is Named {
  if (typeof value !== 'object' || value === null) return false;
  const { name, namespace } = (value as KubernetesObject).metadata ?? {};
  return isKeyPart(name) && (namespace === undefined || namespace === '' || isKeyPart(namespace));
}

/** With a slash in it the key could not be split again. */
export function isKeyPart(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('/');
}
