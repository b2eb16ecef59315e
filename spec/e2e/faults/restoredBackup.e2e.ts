import { isOlder } from '../../../src/kubernetes/version.ts';
import { Cluster } from '../cluster.ts';
import { Stage } from './stage.ts';

describe('a backup is restored behind the same address', () => {
  let cluster: Cluster;
  let stage: Stage;

  beforeAll(async () => {
    cluster = await Cluster.start();
  });

  afterEach(() => stage.close());
  afterAll(() => cluster.close());

  it.each(['a streaming', 'a paged'])('goes back to what the server has now, with %s list', async (list) => {
    stage = await Stage.set(cluster, { streamingList: list === 'a streaming' });
    await stage.create('kept', 'changed', 'deleted', 'made-again');
    await stage.agrees();
    cluster.backUp();
    await stage.change('changed', 'changed');
    await stage.delete('deleted', 'made-again');
    await stage.create('created', 'made-again');
    // A restart itself writes a lot: the version must be far ahead to be ahead of it.
    for (let time = 0; time < 200; time += 1) await stage.change('changed');
    await stage.agrees();
    stage.told();

    const before = stage.informer.resourceVersion ?? '';
    stage.recorder.ordered = false;
    await cluster.restore();
    await stage.agrees();
    expect(stage.told()).toEqual([
      'add deleted',
      'add made-again',
      'delete created',
      'delete made-again',
      'update changed',
    ]);
    expect(isOlder(stage.informer.resourceVersion ?? '', before)).toBe(true);
    expect(stage.informer.store.get('default/changed')?.object.data).toEqual({ at: '0' });

    stage.recorder.ordered = true;
    await stage.change('kept');
    await stage.create('new');
    await stage.agrees();
    expect(stage.told()).toEqual(['add new', 'update kept']);
    await stage.delete('kept', 'changed', 'deleted', 'made-again', 'new');
  });
});
