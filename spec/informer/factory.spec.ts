import { KubeConfig } from '@kubernetes/client-node';
import { createInformer, createInformerFactory, type FactoryOptions } from '../../src/informer/factory.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import type { Store } from '../../src/store/store.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, heldIn, onStage, watching } from '../testkit/play.ts';
import { list, type Step, watch } from '../testkit/steps.ts';

async function factoryOn(steps: readonly Step[], options: FactoryOptions = {}) {
  const { clock, server } = await onStage(steps);
  const informers = createInformerFactory(server.cluster, { random: () => 0, ...options, scheduler: clock });
  atTheEnd(() => informers.stop());
  return { clock, server, informers };
}

const first = list(100, pod('a', 90));
const byName = ({ metadata }: KubernetesObject): string[] => [metadata?.name ?? ''];
const byNamespace = ({ metadata }: KubernetesObject): string[] => [metadata?.namespace ?? ''];
/** Names only, so that the words of the store fit every kind. */
const namesIn = (store: Store<never>, index: string, value: string) =>
  store.byIndex(index, value).map(({ name }) => name);

describe('an informer is shared', () => {
  it('by all who ask for the same kind, namespace and selectors, however they write them', async () => {
    const { informers } = await factoryOn([]);
    const one = informers.for('v1', 'Pod', { labelSelector: 'app=web,tier in (b,a)', namespace: 'x' });
    const two = informers.for('v1', 'Pod', {
      namespace: 'x',
      labelSelector: {
        matchLabels: { app: 'web' },
        matchExpressions: [{ key: 'tier', operator: 'In', values: ['b', 'a'] }],
      },
    });
    expect(two).toBe(one);
    expect(informers.for('v1', 'Pod')).toBe(informers.for('v1', 'Pod', {}));
  });

  it.each([
    [{ namespace: 'x' }],
    [{ labelSelector: 'app=web' }],
    [{ fieldSelector: 'spec.nodeName=n1' }],
    [{ name: 'mine' }],
  ])('not with one who asks for %p', async (options) => {
    const { informers } = await factoryOn([]);
    expect(informers.for('v1', 'Pod', options)).not.toBe(informers.for('v1', 'Pod'));
  });

  it('not with another kind or version of the same name', async () => {
    const { informers } = await factoryOn([]);
    expect(informers.for('v1', 'Event')).not.toBe(informers.for('events.k8s.io/v1', 'Event'));
    expect(informers.for('v1', 'Pod')).not.toBe(informers.for('v1', 'Node'));
  });

  it('with one list and one watch', async () => {
    const { clock, server, informers } = await factoryOn([first, watch()]);
    const seen = [1, 2, 3].map(() => watching(informers.for('v1', 'Pod')));
    await clock.settle();
    expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=100']);
    for (const { told } of seen) expect(told).toContain('add a@90 initial');
  });
});

describe('options that one informer cannot have twice', () => {
  const transform = (object: KubernetesObject) => object;

  it.each([
    [{ transform }],
    [{ key: () => 'x' }],
    [{ resync: 1_000 }],
    [{ poll: 1_000 }],
    [{ streamingList: false }],
    [{ maxItemBytes: 1_000 }],
    [{ pageSize: 7 }],
    [{ watchTimeout: 7 }],
    [{ linger: 7 }],
    [{ retry: { cap: 60_000 } }],
  ])('%p is refused by its name, and a `name` is the way out', async (options) => {
    const { informers } = await factoryOn([]);
    const [option] = Object.keys(options);
    const shared = informers.for('v1', 'Pod');
    const refused = expect.objectContaining({ code: 'INVALID_OPTION', option }) as Error;
    expect(() => informers.for('v1', 'Pod', options)).toThrow(refused);
    expect(informers.for('v1', 'Pod', { ...options, name: 'mine' })).not.toBe(shared);
  });

  it('are fine where they are the same, or left to the first', async () => {
    const { informers } = await factoryOn([]);
    const shared = informers.for('v1', 'Pod', { transform, resync: 1_000, retry: { cap: 60_000 } });
    expect(informers.for('v1', 'Pod', { transform, retry: { cap: 60_000 } })).toBe(shared);
    expect(informers.for('v1', 'Pod')).toBe(shared);
  });
});

describe('indexes', () => {
  it('of all who share an informer are its indexes, whenever they come', async () => {
    const { clock, informers } = await factoryOn([first, watch()]);
    const { store } = informers.for('v1', 'Pod', { indexers: { name: byName } });
    informers.start();
    await clock.settle();
    informers.for('v1', 'Pod', { indexers: { name: byName, namespace: byNamespace } });
    informers.for('v1', 'Pod', { indexers: { namespace: byNamespace } });
    expect(namesIn(store as Store<never>, 'name', 'a')).toEqual(['a']);
    expect(namesIn(store as Store<never>, 'namespace', 'default')).toEqual(['a']);
  });

  it('of one name must be the same function', async () => {
    const { informers } = await factoryOn([]);
    const { store } = informers.for('v1', 'Pod', { indexers: { x: byName } });
    const refused = expect.objectContaining({ code: 'INVALID_OPTION', option: 'indexers' }) as Error;
    const indexers = { x: byNamespace, y: byNamespace };
    expect(() => informers.for('v1', 'Pod', { indexers })).toThrow(refused);
    expect(() => store.byIndex('y', '')).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }) as Error,
    );
  });
});

describe('start() and stop()', () => {
  it('are for all that were asked for so far', async () => {
    const { clock, server, informers } = await factoryOn([first, watch(), first, watch(), first, watch()]);
    const one = informers.for('v1', 'Pod', { namespace: 'x' });
    informers.start();
    await clock.settle();
    const two = informers.for('v1', 'Pod', { namespace: 'y' });
    await clock.settle();
    expect([one.live, two.live]).toEqual([true, false]);

    informers.start();
    await clock.settle();
    expect([one.live, two.live]).toEqual([true, true]);
    expect(server.asked).toHaveLength(4);

    informers.stop();
    informers.stop();
    await clock.settle();
    expect([one.phase, two.phase]).toEqual([{ type: 'stopped' }, { type: 'stopped' }]);
    expect(server.sockets.size).toBe(0);
    expect(heldIn(one.store)).toEqual(['a@90']);

    one.start();
    await clock.settle();
    expect(server.requests.at(-2)?.path).toBe('/api/v1/namespaces/x/pods');
  });
});

describe('the rate limit', () => {
  it('is one for all informers of the factory', async () => {
    const { clock, server, informers } = await factoryOn([first, first, watch(), watch()], {
      qps: 1,
      burst: 1,
    });
    for (const namespace of ['x', 'y']) {
      informers.for('v1', 'Pod', { namespace, streamingList: false }).start();
    }
    await clock.advance(10_000);
    expect(server.requests.map(({ at }) => at)).toEqual([0, 1_000, 2_000, 3_000]);
  });

  it.each<[string, FactoryOptions]>([
    ['qps', { qps: 0 }],
    ['burst', { qps: 1, burst: 0 }],
    ['burst', { qps: 1, burst: NaN }],
  ])('that is none (%s) is refused', async (option, options) => {
    const { server } = await onStage([]);
    const refused = expect.objectContaining({ code: 'INVALID_OPTION', option }) as Error;
    expect(() => createInformerFactory(server.cluster, options)).toThrow(refused);
  });
});

describe('a KubeConfig', () => {
  it('is as good as a cluster, with its credentials', async () => {
    const { clock, server } = await onStage([first, watch()]);
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromOptions({
      clusters: [{ name: 'c', server: server.cluster.server, skipTLSVerify: false }],
      users: [{ name: 'u', token: 'secret' }],
      contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
      currentContext: 'x',
    });
    const informer = createInformer(kubeConfig, 'v1', 'Pod', { scheduler: clock });
    atTheEnd(() => informer.stop());
    informer.start();
    await clock.settle();
    expect(heldIn(informer.store)).toEqual(['a@90']);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer secret',
      'Bearer secret',
    ]);
  });

  it.each([undefined, null, {}, 'https://10.0.0.1', { server: 'https://10.0.0.1', token: 'secret' }])(
    'is asked for in place of %j, of which nothing is told',
    (cluster) => {
      const refused = expect.objectContaining({
        code: 'INVALID_OPTION',
        option: 'cluster',
        message: expect.not.stringMatching(/secret|10\.0/) as string,
      }) as Error;
      expect(() => createInformer(cluster as never, 'v1', 'Pod')).toThrow(refused);
      expect(() => createInformerFactory(cluster as never)).toThrow(refused);
    },
  );

  it('without a current cluster is refused at once', () => {
    expect(() => createInformerFactory(new KubeConfig())).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }) as Error,
    );
  });
});
