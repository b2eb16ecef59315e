import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IntOrString, V1MicroTime, V1ObjectMeta } from '@kubernetes/client-node';
import type {
  CustomResourceDefinition,
  Deployment,
  EndpointSlice,
  Kinds,
  Lease,
  NetworkPolicy,
  Pod,
  Secret,
  Service,
} from '../../src/kubernetes/kinds.ts';
import type { KubernetesObject, ObjectMeta } from '../../src/kubernetes/objects.ts';
import type { JsonSchemaWireNames, Wire, WireNames } from '../../src/kubernetes/wire.ts';

/** The assertions of this file are types: the compiler, not jest, finds them broken. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- so the compiler asks whether both are identical
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = (proof: true): void => {
  expect(proof).toBe(true);
};

type Spec<T extends { spec?: unknown }> = NonNullable<T['spec']>;
type Of<T, K extends keyof T> = NonNullable<T[K]>;

describe('Wire', () => {
  it('has times as strings, at any depth', () => {
    holds(true satisfies Equal<Of<Of<Pod, 'metadata'>, 'creationTimestamp'>, string>);
    holds(
      true satisfies Equal<Of<Of<Of<Pod, 'status'>, 'conditions'>[number], 'lastTransitionTime'>, string>,
    );
    holds(true satisfies Equal<Of<Spec<Lease>, 'renewTime'>, string>);
    holds(true satisfies Equal<Wire<V1MicroTime>, string>);
    holds(true satisfies Equal<Wire<{ [key: string]: Date[] }>, { [key: string]: string[] }>);
  });

  it('leaves other values as they are', () => {
    holds(true satisfies Equal<Of<Of<Spec<Service>, 'ports'>[number], 'targetPort'>, IntOrString>);
    holds(true satisfies Equal<Of<Secret, 'data'>, { [key: string]: string }>);
    holds(true satisfies Equal<Of<Spec<Pod>, 'hostNetwork'>, boolean>);
    holds(true satisfies Equal<Wire<'a' | 1 | null | undefined>, 'a' | 1 | null | undefined>);
    holds(true satisfies Equal<Wire<{ anything: unknown }>, { anything: unknown }>);
  });

  it('keeps what is optional and what is not', () => {
    holds(
      true satisfies Equal<
        Wire<{ a: Date; b?: Date; c: Date | null }>,
        { a: string; b?: string; c: string | null }
      >,
    );
    holds(true satisfies Equal<Spec<Pod>['containers'][number]['name'], string>);
  });

  it('is mutable', () => {
    holds(
      true satisfies Equal<Wire<{ readonly a: readonly { readonly b: string }[] }>, { a: { b: string }[] }>,
    );
  });

  it('calls the fields as the API does', () => {
    type Rule = Of<Spec<NetworkPolicy>, 'ingress'>[number];
    holds(true satisfies 'from' extends keyof Rule ? true : false);
    holds(true satisfies '_from' extends keyof Rule ? false : true);

    type Schema = Of<Of<Spec<CustomResourceDefinition>['versions'][number], 'schema'>, 'openAPIV3Schema'>;
    holds(true satisfies Equal<Schema['$ref'], string | undefined>);
    holds(true satisfies Equal<Schema['x-kubernetes-int-or-string'], boolean | undefined>);
    holds(true satisfies Equal<Schema['default'], unknown>);
    holds(true satisfies 'ref' extends keyof Schema ? false : true);
    holds(true satisfies 'ref' extends keyof Wire<{ ref: string }> ? true : false);
  });

  it('knows each name that client-node changes', () => {
    // The compiler keeps these two the same as the types.
    const names: { [K in keyof WireNames]: WireNames[K] } = {
      _continue: 'continue',
      _default: 'default',
      _enum: 'enum',
      _from: 'from',
      _int: 'int',
      x_kubernetes_embedded_resource: 'x-kubernetes-embedded-resource',
      x_kubernetes_int_or_string: 'x-kubernetes-int-or-string',
      x_kubernetes_list_map_keys: 'x-kubernetes-list-map-keys',
      x_kubernetes_list_type: 'x-kubernetes-list-type',
      x_kubernetes_map_type: 'x-kubernetes-map-type',
      x_kubernetes_preserve_unknown_fields: 'x-kubernetes-preserve-unknown-fields',
      x_kubernetes_validations: 'x-kubernetes-validations',
    };
    const inSchemas: { [K in keyof JsonSchemaWireNames]: JsonSchemaWireNames[K] } = {
      ref: '$ref',
      schema: '$schema',
    };
    expect(renamedIn(models())).toEqual({ ...names, ...inSchemas });
  });

  it('takes a plain object, and gives one', () => {
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', creationTimestamp: '2026-01-02T03:04:05Z', labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'web:1', ports: [{ containerPort: 80 }] }] },
      status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-02T03:04:05Z' }] },
    };
    pod.spec?.containers.push({ name: 'sidecar' });
    const object: KubernetesObject = pod;
    expect(object.metadata?.name).toBe('a');

    // @ts-expect-error -- a Date is not what comes over the wire
    const wrong: Pod = { metadata: { creationTimestamp: new Date(0) } };
    expect(wrong).toBeDefined();
  });
});

describe('ObjectMeta', () => {
  it('is the metadata of every kind', () => {
    holds(true satisfies Equal<Required<ObjectMeta>, Required<Wire<V1ObjectMeta>>>);
    type All = { [A in keyof Kinds]: Kinds[A][keyof Kinds[A]] }[keyof Kinds];
    holds(true satisfies All extends KubernetesObject ? true : false);
  });
});

describe('Kinds', () => {
  it('gives the type of an apiVersion and a kind', () => {
    holds(true satisfies Equal<Kinds['v1']['Pod'], Pod>);
    holds(true satisfies Equal<Kinds['apps/v1']['Deployment'], Deployment>);
    holds(true satisfies Equal<Kinds['discovery.k8s.io/v1']['EndpointSlice'], EndpointSlice>);
  });
});

/** The models that the installed client-node exports. */
function models(): string[] {
  const folder = join(dirname(require.resolve('@kubernetes/client-node')), 'gen', 'models');
  const exported = readFileSync(join(folder, 'all.d.ts'), 'utf8');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.js') && exported.includes(`/${file}'`))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

function renamedIn(sources: readonly string[]): Record<string, string> {
  const fields = sources.flatMap((source) => [
    ...source.matchAll(/"name": "([^"]+)",\s*"baseName": "([^"]+)"/g),
  ]);
  const renamed = fields.filter(([, name, baseName]) => name !== baseName);
  return Object.fromEntries(renamed.map(([, name = '', baseName = '']) => [name, baseName]));
}
