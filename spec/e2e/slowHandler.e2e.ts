import { KubeConfig } from '@kubernetes/client-node';
import { firstValueFrom, type Subscription, timer } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import { handle } from '../../operators/handle.ts';
import { createInformer } from '../../src/informer/factory.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { Cluster } from './cluster.ts';
import { Admin } from './faults/admin.ts';
import { CONFIG_MAPS, eventually } from './faults/stage.ts';

/** How many changes are told in each phase, and of how many objects. */
const CHANGES = 600;
const OBJECTS = 60;
/** Unit: milliseconds. */
const SLEEP = 1_000;

/** What machines differ by, and one run from the next. Unit: milliseconds. */
const NOISE = 100;

describe('a handler that sleeps a second for each change', () => {
  let cluster: Cluster;
  let admin: Admin;
  let informer: Informer<ConfigMap>;
  let everybody: Subscription;

  beforeAll(async () => {
    cluster = await Cluster.start();
    admin = new Admin(cluster);
    const config = new KubeConfig();
    config.loadFromFile(cluster.kubeconfig().path);
    informer = createInformer(config, 'v1', 'ConfigMap', { namespace: 'default', labelSelector: 'load' });
    for (let index = 0; index < OBJECTS; index += 1) {
      const metadata = { name: nameOf(index), labels: { load: 'yes' } };
      await admin.request('POST', CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    }
  });

  afterAll(async () => {
    everybody.unsubscribe();
    admin.close();
    await cluster.close();
  });

  it('does not delay the one beside it', async () => {
    const delays: number[] = [];
    const { context } = informer;
    const fast = {
      onUpdate(_: ConfigMap, { data }: ConfigMap) {
        delays.push(performance.now() - Number(data?.['at']));
      },
    };
    everybody = informer.notifications$.pipe(handle(fast, { context, name: 'fast' })).subscribe();
    await firstValueFrom(informer.synced$);

    const alone = await p99Of(() => change(0), delays);
    const slow = coalesce(() => timer(SLEEP), { context, name: 'slow' });
    everybody.add(informer.notifications$.pipe(slow).subscribe());
    const beside = await p99Of(() => change(CHANGES), delays);

    const backlogs = Object.fromEntries([...context.backlogs].map((backlog) => [backlog.name, backlog]));
    // Far behind, and what it was not told yet of the store does not even wait.
    expect(backlogs['slow']?.handed).toBeLessThan(OBJECTS);
    expect(backlogs['slow']?.length).toBeLessThanOrEqual(OBJECTS);
    expect(backlogs['fast']).toMatchObject({ length: 0, lost: 0 });
    expect(beside).toBeLessThan(2 * alone + NOISE);
  });

  /** Changes object after object, each with the time when it was sent. */
  async function change(first: number): Promise<void> {
    for (let index = first; index < first + CHANGES; index += 1) {
      const data = { at: String(performance.now()) };
      await admin.request('PATCH', `${CONFIG_MAPS}/${nameOf(index % OBJECTS)}`, { data });
    }
  }

  /** Of the delays from a change to its handler, the one that only one of a hundred exceeds. */
  async function p99Of(load: () => Promise<void>, delays: number[]): Promise<number> {
    delays.length = 0;
    await load();
    await eventually('each change is handled', () => delays.length === CHANGES);
    return delays.sort((a, b) => a - b)[Math.floor(CHANGES * 0.99)] ?? 0;
  }
});

const nameOf = (index: number): string => `load-${String(index)}`;
