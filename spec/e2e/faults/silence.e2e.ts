import { Cluster } from '../cluster.ts';
import { CONFIG_MAPS, eventually, Stage } from './stage.ts';

describe('the server is silent', () => {
  let cluster: Cluster;
  let stage: Stage;

  beforeAll(async () => {
    cluster = await Cluster.start();
    stage = await Stage.set(cluster);
    await stage.create('kept', 'changed');
    await stage.agrees();
    stage.told();
  });

  afterAll(() => stage.close());
  afterAll(() => cluster.close());

  it('has patience for a while', async () => {
    cluster.stop();
    await eventually('it is silent for 3 s', () => (stage.informer.silence ?? 0) > 3_000);
    expect(stage.informer.live).toBe(true);
    cluster.cont();
    await stage.change('changed');
    await stage.agrees();
    expect(stage.told()).toEqual(['update changed']);
    expect(stage.failures).toEqual([]);
  });

  it('takes the connection for dead at last, and goes on where it was', async () => {
    cluster.stop();
    await stage.fails('STALLED');
    expect(stage.informer.store.stale).toBe(true);
    expect(stage.informer.store.size).toBe(2);
    cluster.cont();
    await stage.change('changed');
    await stage.create('created');
    await stage.agrees();
    expect(stage.told()).toEqual(['add created', 'update changed']);
    expect(stage.failures).toEqual([`watch ${CONFIG_MAPS}: STALLED`]);
    expect(stage.lists).toEqual(['first']);
  });

  it('says so too when the first list is not answered', async () => {
    await stage.close();
    cluster.stop();
    stage = await Stage.set(cluster);
    await stage.fails(`watch ${CONFIG_MAPS}: STALLED`);
    expect(stage.told()).toEqual([]);
    cluster.cont();
    await stage.agrees();
    expect(stage.told()).toEqual(['add changed', 'add created', 'add kept']);
  });
});
