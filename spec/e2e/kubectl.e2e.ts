import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiServer, createApiServer } from '../../src/testing/apiServer.ts';
import { build } from './build.ts';
import { Guard } from './guard.ts';

const configMap = (
  name: string,
  data: Record<string, string>,
  labels: Record<string, string> = { app: 'a' },
) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', labels },
  data,
});

const deployment = (containers: { name: string; image?: string }[] = []) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { template: { spec: { containers } } },
});

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', shortNames: ['wg'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

describe('kubectl with the embedded API server', () => {
  let server: ApiServer;
  let guard: Guard;
  let program: string;

  beforeAll(async () => {
    program = await build('kubectl');
  });

  beforeEach(async () => {
    guard = new Guard();
    server = await createApiServer();
    writeFileSync(join(guard.folder, 'kubeconfig'), server.kubeconfig());
  });

  afterEach(async () => {
    await server.close();
    await guard.close();
  });

  /** Resolves with what it printed. */
  async function kubectl(command: string, input?: unknown): Promise<string> {
    const { code, stdout, stderr } = await guard.run(
      program,
      [...command.split(' '), `--kubeconfig=${join(guard.folder, 'kubeconfig')}`],
      input === undefined ? '' : JSON.stringify(input),
    );
    if (code !== 0) throw new Error(stderr.trim());
    return stdout.trim();
  }

  /** Resolves when somebody begins to watch. */
  const nextWatch = () =>
    new Promise<void>((resolve) => {
      server.onRequest(({ verb }) => {
        if (verb === 'watch') resolve();
      });
    });

  const held = (name: string) => server.get('v1', 'ConfigMap', `default/${name}`);

  it('knows it as a server of its own version', async () => {
    const versions = JSON.parse(await kubectl('version -o json')) as Record<string, { minor: string }>;
    expect(versions.serverVersion?.minor).toBe(versions.clientVersion?.minor);
  });

  it('finds kinds by short name, category and group', async () => {
    server.create(configMap('a', {}));
    expect(await kubectl('get cm -o name')).toBe('configmap/a');
    server.create(deployment());
    expect(await kubectl('get all -o name')).toBe('deployment.apps/web');
    expect(await kubectl('api-resources --api-group=coordination.k8s.io -o name')).toBe(
      'leases.coordination.k8s.io',
    );
  });

  it('shows objects in a table', async () => {
    server.create(configMap('a', {}));
    expect(await kubectl('get configmaps')).toMatch(/^NAME +AGE\na +\d+s$/);
    expect(await kubectl('get configmaps --show-labels -A')).toContain('LABELS');
  });

  it('reads long lists in pages', async () => {
    for (const name of ['a', 'b', 'c']) server.create(configMap(name, {}));
    expect(await kubectl('get configmaps -o name --chunk-size=1')).toBe(
      'configmap/a\nconfigmap/b\nconfigmap/c',
    );
    expect(server.requests.filter(({ query }) => query.continue !== undefined)).toHaveLength(2);
  });

  it('selects', async () => {
    server.create(configMap('a', {}, { app: 'web' }));
    server.create(configMap('b', {}, { app: 'db' }));
    expect(await kubectl('get configmaps -o name -l app!=db')).toBe('configmap/a');
    expect(await kubectl('get configmaps -o name --field-selector metadata.name=b')).toBe('configmap/b');
  });

  it('creates, replaces, labels and deletes', async () => {
    await kubectl('create -f -', configMap('a', { x: '1' }));
    await expect(kubectl('create -f -', configMap('a', {}))).rejects.toThrow('AlreadyExists');
    await kubectl('replace -f -', configMap('a', { x: '2' }));
    await kubectl('label configmap a tier=front');
    await kubectl('annotate configmap a note=this');
    expect(held('a')).toMatchObject({
      data: { x: '2' },
      metadata: { labels: { tier: 'front' }, annotations: { note: 'this' } },
    });
    await kubectl('delete configmap a');
    expect(held('a')).toBeUndefined();
  });

  it('patches in three ways', async () => {
    server.create(configMap('a', { x: '1', y: '1', z: '1' }));
    await kubectl('patch configmap a --type=merge -p {"data":{"x":null}}');
    await kubectl('patch configmap a --type=json -p [{"op":"remove","path":"/data/y"}]');
    await kubectl('patch configmap a --type=strategic -p {"data":{"$retainKeys":["w"],"w":"1"}}');
    expect(held('a')?.data).toEqual({ w: '1' });
  });

  it('applies: what it said once and says no more is gone, what others say stays', async () => {
    await kubectl('apply -f -', configMap('a', { x: '1', y: '1' }));
    server.patch('v1', 'ConfigMap', 'default/a', { data: { other: '1' } });
    expect(await kubectl('apply -f -', configMap('a', { y: '2' }))).toBe('configmap/a configured');
    expect(held('a')?.data).toEqual({ y: '2', other: '1' });
    expect(await kubectl('apply -f -', configMap('a', { y: '2' }))).toBe('configmap/a unchanged');
  });

  it('applies lists of a built-in kind element by element', async () => {
    await kubectl(
      'apply -f -',
      deployment([
        { name: 'a', image: 'a:1' },
        { name: 'b', image: 'b:1' },
      ]),
    );
    const injected = deployment([
      { name: 'a', image: 'a:1' },
      { name: 'b', image: 'b:1' },
      { name: 'sidecar' },
    ]);
    server.patch('apps/v1', 'Deployment', 'default/web', { spec: injected.spec });
    await kubectl('apply -f -', deployment([{ name: 'a', image: 'a:2' }]));
    expect(server.get('apps/v1', 'Deployment', 'default/web')).toMatchObject({
      spec: { template: { spec: { containers: [{ name: 'a', image: 'a:2' }, { name: 'sidecar' }] } } },
    });
  });

  it('defines kinds and applies objects of them', async () => {
    await kubectl('apply -f -', definition);
    expect(await kubectl('wait --for=condition=Established crd/widgets.example.com')).toContain(
      'condition met',
    );
    const widget = (spec: object) => ({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      spec,
    });
    await kubectl('apply -f -', widget({ size: 1, colour: 'red' }));
    await kubectl('apply -f -', widget({ size: 2 }));
    expect(await kubectl('get wg w -o jsonpath={.spec}')).toBe('{"size":2}');
    await kubectl('delete crd widgets.example.com');
    await expect(kubectl('get wg')).rejects.toThrow('NotFound');
  });

  it('watches', async () => {
    server.create(configMap('a', { x: '1' }));
    const watched = nextWatch();
    const waiting = kubectl('wait --for=jsonpath={.data.x}=2 configmap/a');
    await watched;
    server.patch('v1', 'ConfigMap', 'default/a', { data: { x: '2' } });
    expect(await waiting).toBe('configmap/a condition met');
  });

  it('prints what it watches as it comes', async () => {
    server.create(configMap('a', { x: '1' }));
    const watched = nextWatch();
    const printing = kubectl('get configmaps -w -o name --request-timeout=2s');
    await watched;
    server.create(configMap('b', {}));
    expect(await printing).toBe('configmap/a\nconfigmap/b');
  });

  it('deletes what waits for finalizers, and waits with it', async () => {
    server.create({
      ...configMap('a', {}),
      metadata: { name: 'a', namespace: 'default', finalizers: ['example.com/x'] },
    });
    const watched = nextWatch();
    const deleting = kubectl('delete configmap a');
    await watched;
    server.patch('v1', 'ConfigMap', 'default/a', { metadata: { finalizers: null } });
    await deleting;
    expect(held('a')).toBeUndefined();
  });

  it('is told what this server does not do', async () => {
    await expect(kubectl('apply --server-side -f -', configMap('a', {}))).rejects.toThrow(
      'no server-side apply',
    );
    await expect(kubectl('create configmap a --from-literal=x=1')).rejects.toThrow('unknown format');
  });

  it('sends no token over plain HTTP, so that a server that asks for one refuses it', async () => {
    server.token = 'secret';
    await expect(kubectl('get configmaps')).rejects.toThrow('asked for the client to provide credentials');
  });
});
