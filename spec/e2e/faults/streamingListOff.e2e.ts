import { Cluster } from '../cluster.ts';
import { Stage } from './stage.ts';

describe('a server without streaming lists', () => {
  let cluster: Cluster;
  let stage: Stage;

  beforeAll(async () => {
    cluster = await Cluster.start({ flags: ['--feature-gates=WatchList=false'] });
  });

  afterAll(() => stage.close());
  afterAll(() => cluster.close());

  const modes = () => stage.statuses.flatMap((status) => (status.type === 'list' ? [status.mode] : []));

  it('is asked for pages, and nothing failed', async () => {
    stage = await Stage.set(cluster, { pageSize: 2 });
    await stage.create('a', 'b', 'c');
    await stage.agrees();
    expect(stage.told()).toEqual(['add a', 'add b', 'add c']);
    expect(modes()).toEqual(['streaming', 'paged']);
    expect(stage.failures).toEqual([]);
  });

  it('is not asked for a streaming list again', async () => {
    await stage.proxy.refuse();
    await cluster.compact();
    await stage.change('a');
    await cluster.compact();
    await cluster.restart();
    await stage.proxy.accept();
    await stage.fails('410');
    await stage.agrees();
    expect(stage.told()).toEqual(['update a']);
    expect(modes()).toEqual(['streaming', 'paged', 'paged']);
  });

  it('is asked for one by who comes after its upgrade', async () => {
    await cluster.restart(['--feature-gates=WatchList=true']);
    await stage.agrees();
    await stage.close();
    stage = await Stage.set(cluster);
    await stage.agrees();
    expect(modes()).toEqual(['streaming']);
  });
});
