import { Cluster } from '../cluster.ts';
import { CONFIG_MAPS, eventually, Stage } from './stage.ts';

const NO_CACHE = '--watch-cache-sizes=configmaps#0';

describe('etcd forgets what was before', () => {
  let cluster: Cluster;
  let stage: Stage;

  beforeAll(async () => {
    cluster = await Cluster.start({ flags: [NO_CACHE, '--feature-gates=WatchList=false'] });
  });

  afterEach(() => stage.close());
  afterAll(() => cluster.close());

  it('tells the difference when the version of the watch is expired', async () => {
    stage = await Stage.set(cluster);
    await stage.create('kept', 'changed', 'deleted', 'made-again');
    await stage.agrees();
    stage.told();

    await stage.proxy.refuse();
    await stage.fails('ECONNREFUSED');
    await stage.delete('deleted', 'made-again');
    await stage.create('created', 'made-again');
    await stage.change('changed', 'changed');
    await cluster.compact();
    await stage.proxy.accept();
    await stage.fails('410');

    await stage.agrees();
    expect(stage.told()).toEqual([
      'add created',
      'add made-again',
      'delete deleted',
      'delete made-again',
      'update changed',
    ]);
    expect(stage.failures).toContain(`watch ${CONFIG_MAPS}: 410 Expired`);
    await stage.delete('kept', 'changed', 'made-again', 'created');
  });

  it('begins again with page one when the version of the pages is expired', async () => {
    stage = await Stage.set(cluster, { pageSize: 2, streamingList: false, subscribed: false });
    await stage.create('a', 'b', 'c', 'd', 'e');
    const { flow } = stage.informer.context;
    const pages = () => stage.statuses.filter(({ type }) => type === 'page').length;
    let release = () => {};
    stage.informer.status$.subscribe(({ type }) => {
      if (type === 'page' && pages() <= 1) release = flow.hold();
    });
    stage.subscribe();
    await eventually('a page came', () => pages() === 1);
    await stage.delete('a', 'e');
    await cluster.compact();
    release();

    await stage.agrees();
    expect(stage.failures).toEqual([`list ${CONFIG_MAPS}: 410 Expired`]);
    expect(stage.told()).toEqual(['add b', 'add c', 'add d']);
  });

  it('brings up to date who follows the cache of a server that was restarted', async () => {
    await cluster.restart([]);
    stage = await Stage.set(cluster);
    await stage.agrees();
    stage.told();
    await stage.proxy.refuse();
    await stage.delete('b');
    await stage.change('c');
    await cluster.compact();
    await cluster.restart();
    await stage.proxy.accept();
    await stage.fails('410');
    await stage.agrees();
    expect(stage.told()).toEqual(['delete b', 'update c']);
    expect(stage.failures).toContain(`watch ${CONFIG_MAPS}: 410 Expired`);
  });
});
