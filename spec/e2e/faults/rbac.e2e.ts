import { Cluster } from '../cluster.ts';
import { Admin } from './admin.ts';
import { CONFIG_MAPS, Stage } from './stage.ts';

const READER = { kind: 'User', name: 'reader' } as const;

describe('the role is taken away', () => {
  let cluster: Cluster;
  let stage: Stage;

  beforeAll(async () => {
    cluster = await Cluster.start({ users: { reader: [] } });
    const admin = new Admin(cluster);
    await admin.createRole('reader', ['list', 'watch']);
    await admin.allow(READER, 'reader');
    admin.close();
  });

  afterEach(() => stage.close());
  afterAll(() => cluster.close());

  it('keeps the store, marked stale, and is right again when it is given back', async () => {
    stage = await Stage.set(cluster, { user: 'reader' });
    await stage.create('kept', 'changed', 'deleted');
    await stage.agrees();
    stage.told();

    await stage.admin.forbid(READER);
    // Of a watch, or of the list of one object that follows a silent one.
    await stage.fails(`${CONFIG_MAPS}: 403 Forbidden`);
    await stage.delete('deleted');
    await stage.change('changed');
    expect(stage.informer.store.stale).toBe(true);
    expect(stage.informer.store.size).toBe(3);
    expect(stage.told()).toEqual([]);

    await stage.admin.allow(READER, 'reader');
    await stage.agrees();
    expect(stage.told()).toEqual(['delete deleted', 'update changed']);
    expect(new Set(stage.lists)).toEqual(new Set(['first']));
  });

  it('waits for a role that it does not have yet', async () => {
    const admin = new Admin(cluster);
    await admin.forbid(READER);
    admin.close();
    stage = await Stage.set(cluster, { user: 'reader' });
    await stage.fails(`list ${CONFIG_MAPS}: 403 Forbidden`);
    expect(stage.told()).toEqual([]);
    await stage.admin.allow(READER, 'reader');
    await stage.agrees();
    expect(stage.told()).toEqual(['add changed', 'add kept']);
  });
});
