import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';
import { filter, firstValueFrom, interval, map, timeout } from 'rxjs';
import type { ApiError, InformerError, UnknownKindError } from '../../src/errors.ts';
import { createInformer } from '../../src/informer/factory.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { Cluster } from './cluster.ts';

/** Tells of each request that is made in this process. */
const REQUESTS = 'http.client.request.start';
/** Unit: milliseconds. */
const PATIENCE = 30_000;

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget' },
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

interface Gadget extends KubernetesObject {
  spec?: { size?: number };
}

describe('an informer of a real API server', () => {
  let cluster: Cluster;
  let informers: Informer<never>[] = [];

  beforeAll(async () => {
    cluster = await Cluster.start({ users: { reader: ['readers'] } });
  });

  afterEach(() => {
    for (const informer of informers) informer.stop();
    informers = [];
  });

  afterAll(() => cluster.close());

  function kubeConfig(user = 'admin'): KubeConfig {
    const config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfig(user).path);
    return config;
  }

  function stoppedAfterwards<T>(informer: Informer<T>): Informer<T> {
    informers.push(informer as Informer<never>);
    return informer;
  }

  const create = (object: object) =>
    cluster.kubectl(['create', '-f', '-'], { input: JSON.stringify(object) });
  const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

  const synced = (informer: Informer<unknown>) =>
    firstValueFrom(informer.synced$.pipe(timeout(PATIENCE)), { defaultValue: undefined });
  const nextError = (informer: Informer<unknown>): Promise<InformerError> =>
    firstValueFrom(
      informer.status$.pipe(
        filter((status) => status.type === 'error'),
        map(({ error }) => error),
        timeout(PATIENCE),
      ),
    );
  const told = (informer: Informer<unknown>, word: string) =>
    firstValueFrom(
      informer.notifications$.pipe(
        map(({ type, key }) => `${type} ${key}`),
        filter((words) => words === word),
        timeout(PATIENCE),
      ),
    );
  const until = (condition: () => boolean) =>
    firstValueFrom(interval(50).pipe(filter(condition), timeout({ first: PATIENCE })));

  it('is made from a KubeConfig, trusts only the certificate of that, and tells what happens', async () => {
    const maps = stoppedAfterwards(createInformer(kubeConfig(), 'v1', 'ConfigMap', { namespace: 'default' }));
    const added = told(maps, 'add default/one');
    const deleted = told(maps, 'delete default/one');
    await synced(maps);
    await create(configMap('one'));
    await added;
    expect(maps.store.get('default/one')?.object.kind).toBe('ConfigMap');
    await cluster.kubectl(['delete', 'configmap', 'one']);
    await deleted;
    expect(maps.store.has('default/one')).toBe(false);
  });

  it('does not trust another certificate', async () => {
    const config = kubeConfig();
    const clusters = config.clusters.map((entry) => ({ ...entry, caData: undefined }));
    Object.assign(config, { clusters });
    const informer = stoppedAfterwards(createInformer(config, 'v1', 'ConfigMap'));
    const failed = nextError(informer);
    informer.start();
    expect(await failed).toMatchObject({ code: 'CONNECTION', reason: 'SELF_SIGNED_CERT_IN_CHAIN' });
  });

  it('says what a user may not do, and goes on by itself when the user may', async () => {
    const retry = { cap: 1_000 };
    const options = { namespace: 'default', retry };
    const informer = stoppedAfterwards(createInformer(kubeConfig('reader'), 'v1', 'ConfigMap', options));
    const failed = nextError(informer);
    informer.start();
    const error = (await failed) as ApiError;
    expect(error).toMatchObject({ status: 403, reason: 'Forbidden', terminal: false });
    expect(error.message).toMatch(/^(list|watch) \/api\/v1\/namespaces\/default\/configmaps: 403 Forbidden/);
    expect(error.message).not.toContain(cluster.token('reader'));

    await create(configMap('allowed'));
    await cluster.kubectl(['create', 'role', 'read', '--verb=list,watch', '--resource=configmaps']);
    await cluster.kubectl(['create', 'rolebinding', 'read', '--role=read', '--group=readers']);
    await synced(informer);
    expect(informer.store.has('default/allowed')).toBe(true);
  });

  it('finds out where a kind is that was defined a moment ago', async () => {
    await create(definition);
    await cluster.kubectl(['wait', '--for=condition=Established', 'crd/gadgets.example.com']);
    const gadgets = stoppedAfterwards(
      createInformer<Gadget>(kubeConfig(), 'example.com/v1', 'Gadget', { retry: { cap: 1_000 } }),
    );
    const added = told(gadgets, 'add default/small');
    await create({
      apiVersion: 'example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'small' },
      spec: { size: 1 },
    });
    await added;
    expect(gadgets.store.get('default/small')?.object.spec?.size).toBe(1);
  });

  it('names the nearest kind where there is none of that name', async () => {
    const informer = stoppedAfterwards(createInformer(kubeConfig(), 'apps/v1', 'Deploymint'));
    const failed = nextError(informer);
    informer.start();
    const error = (await failed) as UnknownKindError;
    expect(error).toMatchObject({ code: 'UNKNOWN_KIND', nearest: 'apps/v1 Deployment', terminal: false });
  });

  it('follows on when a silent server speaks again', async () => {
    const informer = stoppedAfterwards(createInformer(kubeConfig(), 'v1', 'ConfigMap'));
    informer.start();
    await synced(informer);
    cluster.stop();
    const creating = create(configMap('after-silence'));
    cluster.cont();
    await creating;
    await until(() => informer.store.has('default/after-silence'));
    expect(informer.live).toBe(true);
  });

  it('leaves no connection behind when its last subscriber has left', async () => {
    const sockets = new Set<Socket>();
    const onRequest = (message: unknown): void => {
      const { request } = message as { request: ClientRequest };
      const { socket } = request;
      if (socket !== null) sockets.add(socket);
      else request.once('socket', (socket) => sockets.add(socket));
    };
    subscribe(REQUESTS, onRequest);
    const informer = stoppedAfterwards(createInformer(kubeConfig(), 'v1', 'ConfigMap'));
    const subscriptions = [1, 2].map(() => informer.notifications$.subscribe());
    await until(() => informer.live);
    unsubscribe(REQUESTS, onRequest);
    expect([...sockets].map(({ destroyed }) => destroyed)).toEqual([false]);

    for (const subscription of subscriptions) subscription.unsubscribe();
    await until(() => [...sockets].every(({ closed }) => closed));
    expect(informer.phase.type).toBe('stopped');
  });
});
