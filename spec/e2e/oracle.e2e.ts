import { setTimeout } from 'node:timers/promises';
import { KubeConfig } from '@kubernetes/client-node';
import { asyncScheduler } from 'rxjs';
import { createInformer } from '../../src/informer/factory.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import { Churn, createInParallel } from '../scenario/churn.ts';
import { GROUP_INDEX, groupsOf, Recorder } from '../scenario/recorder.ts';
import { keyOf, NAMESPACES, namespaceObject, versionOf } from '../scenario/world.ts';
import { Cluster } from './cluster.ts';
import { Admin } from './faults/admin.ts';
import { eventually } from './faults/stage.ts';
import {
  byKey,
  eventOf,
  histories,
  inOurWords,
  notIn,
  type ObjectEvent,
  replay,
  type State,
  stateOf,
} from './history.ts';
import type { KubeApiserver } from './kubeApiserver.ts';
import { Oracle } from './oracle.ts';

const OBJECTS = 100;
const CLIENTS = 6;

/** Our informer, and all that it told. */
function follow(cluster: Cluster, random: () => number) {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(cluster.kubeconfig().text);
  const informer = createInformer<ConfigMap>(kubeConfig, 'v1', 'ConfigMap', {
    indexers: { [GROUP_INDEX]: groupsOf },
    watchTimeout: 4,
    retry: { initial: 200, cap: 1_000 },
    random,
  });
  const recorder = new Recorder('ours', informer.store);
  const events: ObjectEvent[] = [];
  const subscription = informer.notifications$.subscribe((notification) => {
    recorder.take(notification);
    events.push(eventOf(notification));
  });
  return { informer, recorder, events, subscription };
}

describe("beside client-go's informer", () => {
  let cluster: Cluster;
  let admin: Admin;
  let other: KubeApiserver;
  let ours: ReturnType<typeof follow>;

  beforeAll(async () => {
    cluster = await Cluster.start();
    other = await cluster.another();
    admin = new Admin(cluster, other.url);
    for (const name of NAMESPACES) await admin.request('POST', '/api/v1/namespaces', namespaceObject(name));
  });

  afterEach(() => ours.subscription.unsubscribe());
  afterAll(() => admin.close());
  afterAll(() => cluster.close());

  /** The server that has no faults, for those that write. */
  const address = () => ({
    url: other.url,
    headers: { authorization: `Bearer ${cluster.token()}` },
    ca: cluster.ca,
  });

  const served = async (): Promise<Record<string, State>> => {
    const { items } = (await admin.request('GET', '/api/v1/configmaps')) as { items: ConfigMap[] };
    const states = items.map((item) => ({
      key: keyOf(item),
      uid: item.metadata?.uid ?? '',
      version: versionOf(item),
    }));
    return byKey(states);
  };

  const same = (told: readonly ObjectEvent[], truth: Record<string, State>): boolean =>
    JSON.stringify(replay(told)) === JSON.stringify(truth);

  it('tells exactly the same of each object, where nothing fails', async () => {
    const random = seededRandom(1);
    const world = { scheduler: asyncScheduler, address: address() };
    await createInParallel(
      world,
      Array.from({ length: OBJECTS }, (_, number) => number),
      CLIENTS,
      random,
    );
    const theirs = await Oracle.follow(cluster);
    ours = follow(cluster, random);
    await eventually('both are in sync', () => theirs.synced && ours.informer.live);
    const churn = new Churn(world, { objects: OBJECTS, clients: CLIENTS, writes: 2_000, random });
    expect(await churn.ended).toEqual([]);

    const truth = await served();
    await eventually('both are done', () => same(theirs.events, truth) && same(ours.events, truth));
    expect(histories(ours.events)).toEqual(histories(theirs.events));
    expect(byKey(ours.informer.store.list().map(stateOf))).toEqual(truth);
    expect(byKey(await theirs.end())).toEqual(truth);
    expect(ours.recorder.faults).toEqual([]);
    expect(ours.events.length).toBeGreaterThan(1_000);
  });

  it.each([2, 3])(
    'tells nothing that did not happen, and the end of it all, where much fails: seed %d',
    async (seed) => {
      const random = seededRandom(seed);
      const world = { scheduler: asyncScheduler, address: address() };
      const witness = await Oracle.follow(cluster, other.url);
      const theirs = await Oracle.follow(cluster);
      ours = follow(cluster, random);
      await eventually('all are in sync', () => witness.synced && theirs.synced && ours.informer.live);
      const churn = new Churn(world, { objects: OBJECTS, clients: CLIENTS, writes: Infinity, random });
      const faults = {
        crash: async () => {
          await cluster.kill9();
          await setTimeout(random() * 1_000);
          await cluster.restart();
        },
        compaction: async () => {
          await cluster.kill9();
          await cluster.compact();
          await cluster.restart();
        },
        silence: async () => {
          cluster.stop();
          await setTimeout(1_000 + random() * 2_000);
          cluster.cont();
        },
      };
      const order = Object.values(faults)
        .map((fault) => ({ fault, at: random() }))
        .sort((a, b) => a.at - b.at);
      for (const { fault } of order) {
        await setTimeout(random() * 1_000);
        await fault();
        await eventually('it goes on', () => ours.informer.live);
      }
      churn.stop();
      expect(await churn.ended).toEqual([]);

      const truth = await served();
      const all = { witness, theirs, ours };
      const areDone = () => Object.values(all).every(({ events }) => same(events, truth));
      await eventually('all are done', areDone);
      expect(byKey(ours.informer.store.list().map(stateOf))).toEqual(truth);
      expect(byKey(await theirs.end())).toEqual(truth);
      expect(byKey(await witness.end())).toEqual(truth);
      expect(ours.recorder.faults).toEqual([]);

      const whole = histories(witness.events);
      const invented = (events: readonly ObjectEvent[]) =>
        Object.entries(histories(events)).flatMap(([key, told]) => notIn(whole[key] ?? [], told) ?? []);
      expect(invented(inOurWords(theirs.events))).toEqual([]);
      expect(invented(ours.events)).toEqual([]);
      console.log(
        JSON.stringify({
          seed,
          ...Object.fromEntries(Object.entries(all).map(([who, { events }]) => [who, events.length])),
        }),
      );
    },
  );
});
