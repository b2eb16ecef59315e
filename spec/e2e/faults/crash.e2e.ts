import { Cluster } from '../cluster.ts';
import { CONFIG_MAPS, Stage } from './stage.ts';

describe('the server crashes', () => {
  let cluster: Cluster;
  let stage: Stage;

  beforeAll(async () => {
    cluster = await Cluster.start();
    stage = await Stage.set(cluster, { straight: true });
    await stage.create('kept', 'changed', 'deleted');
    await stage.agrees();
    stage.told();
  });

  afterAll(() => stage.close());
  afterAll(() => cluster.close());

  it('tells what changed when it is back', async () => {
    await cluster.kill9();
    await stage.fails('ECONNREFUSED');
    expect(stage.informer.store.size).toBe(3);
    expect(stage.informer.store.stale).toBe(true);

    await cluster.restart();
    await stage.change('changed');
    await stage.delete('deleted');
    await stage.agrees();
    expect(stage.told()).toEqual(['delete deleted', 'update changed']);
    expect(stage.failures).toContain(`watch ${CONFIG_MAPS}: ECONNREFUSED`);
  });

  it('tells nothing when nothing changed meanwhile', async () => {
    await cluster.restart();
    await stage.agrees();
    expect(stage.told()).toEqual([]);
  });

  it('is in sync as soon as a server is there that was not when it began', async () => {
    await stage.close();
    await cluster.kill9();
    stage = await Stage.set(cluster, { straight: true });
    await stage.fails(`watch ${CONFIG_MAPS}: ECONNREFUSED`);
    expect(stage.told()).toEqual([]);
    await cluster.restart();
    await stage.agrees();
    expect(stage.told()).toEqual(['add changed', 'add kept']);
  });
});
