import { InvalidOptionError } from '../errors.ts';

/** A kind as the API serves it. */
export interface Resource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Its name in paths, such as `pods`. */
  readonly plural: string;
  readonly namespaced: boolean;
}

export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
}

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const CORE_VERSION = /^v[0-9]+((alpha|beta)[0-9]+)?$/;

/** `apps/v1` in its parts. Throws InvalidOptionError. */
export function parseApiVersion(apiVersion: string): GroupVersion {
  const parts = typeof apiVersion === 'string' ? apiVersion.split('/') : [];
  const [version = '', group, ...rest] = parts.reverse();
  const valid =
    group === undefined
      ? CORE_VERSION.test(version)
      : DNS_LABEL.test(version) && group.split('.').every((label) => DNS_LABEL.test(label));
  if (!valid || rest.length > 0) {
    throw new InvalidOptionError('apiVersion', apiVersion, 'it is v1, or group/version such as apps/v1');
  }
  return { group: group ?? '', version };
}

/**
 * The path of its collection: of one namespace, or of all where none is given (or the empty one, as in Go).
 * Throws InvalidOptionError for a namespace that cannot be one, and for any with a cluster-scoped kind.
 */
export function resourcePath(resource: Resource, namespace = ''): string {
  const { group, version, plural } = resource;
  const root = group === '' ? ['api'] : ['apis', group];
  const scope = namespace === '' ? [] : ['namespaces', checkedNamespace(resource, namespace)];
  return ['', ...root, version, ...scope, plural].map(encodeURIComponent).join('/');
}

function checkedNamespace({ kind, namespaced }: Resource, namespace: string): string {
  if (!namespaced) {
    throw new InvalidOptionError(
      'namespace',
      namespace,
      `${kind} is cluster-scoped, so leave the namespace out`,
    );
  }
  checkNamespace(namespace);
  return namespace;
}

/** Throws InvalidOptionError for what cannot be the name of a namespace; none, or the empty one, means all. */
export function checkNamespace(namespace: unknown = ''): void {
  if (namespace !== '' && !isDnsLabel(namespace)) {
    throw new InvalidOptionError(
      'namespace',
      namespace,
      'it is at most 63 lower-case letters, digits and hyphens, with a letter or digit at both ends',
    );
  }
}

const isDnsLabel = (value: unknown): boolean => typeof value === 'string' && DNS_LABEL.test(value);
