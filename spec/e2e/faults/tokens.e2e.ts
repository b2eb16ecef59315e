import { writeFileSync } from 'node:fs';
import { Cluster } from '../cluster.ts';
import { Admin } from './admin.ts';
import { CONFIG_MAPS, Stage } from './stage.ts';

const ROBOT = { kind: 'ServiceAccount', name: 'robot' } as const;
const CORE = '/api/v1/namespaces/default';
/** Of a watch, or of the list of one object that follows a silent one. */
const REFUSED = `${CONFIG_MAPS}: 401 Unauthorized`;
const FILE = 'robot.token';

describe('tokens of a service account, from a file', () => {
  let cluster: Cluster;
  let admin: Admin;
  let stage: Stage;
  let made = 0;

  beforeAll(async () => {
    cluster = await Cluster.start();
    admin = new Admin(cluster);
    await admin.createRole('reader', ['list', 'watch']);
    await admin.allow(ROBOT, 'reader');
    await admin.request('POST', `${CORE}/serviceaccounts`, { metadata: { name: ROBOT.name } });
  });

  afterEach(() => stage.close());
  afterAll(() => admin.close());
  afterAll(() => cluster.close());

  /** A token that is good as long as its secret is there, in the file. Resolves with the name of the secret. */
  async function rotate(): Promise<string> {
    made += 1;
    const secret = `bound-${String(made)}`;
    await admin.request('POST', `${CORE}/secrets`, { metadata: { name: secret } });
    const { status } = (await admin.request('POST', `${CORE}/serviceaccounts/${ROBOT.name}/token`, {
      spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: secret } },
    })) as { status: { token: string } };
    writeFileSync(cluster.path(FILE), `${status.token}\n`);
    return secret;
  }

  const revoke = (secret: string) => admin.request('DELETE', `${CORE}/secrets/${secret}`);
  const user = () => ({ authProvider: { name: 'tokenFile', config: { tokenFile: cluster.path(FILE) } } });
  const delays = () =>
    stage.statuses.flatMap((status) => (status.type === 'error' && status.attempt > 0 ? [status.delay] : []));

  it('reads the file again at once when its token is refused', async () => {
    const first = await rotate();
    stage = await Stage.set(cluster, { user: user() });
    await stage.create('kept', 'changed');
    await stage.agrees();
    stage.told();

    await rotate();
    await revoke(first);
    await stage.fails(REFUSED);
    await stage.change('changed');
    await stage.agrees();
    expect(stage.told()).toEqual(['update changed']);
    expect(delays()).toEqual([0]);
    expect(new Set(stage.lists)).toEqual(new Set(['first']));
    await stage.delete('kept', 'changed');
  });

  it('keeps the store, marked stale, until there is a token that is good', async () => {
    const first = await rotate();
    stage = await Stage.set(cluster, { user: user() });
    await stage.create('kept', 'deleted');
    await stage.agrees();
    stage.told();

    await revoke(first);
    await stage.fails(REFUSED);
    await stage.delete('deleted');
    expect(stage.informer.store.stale).toBe(true);
    expect(stage.informer.store.size).toBe(2);
    expect(stage.told()).toEqual([]);

    await rotate();
    await stage.agrees();
    expect(stage.told()).toEqual(['delete deleted']);
    expect(stage.failures.filter((failure) => !failure.endsWith(REFUSED))).toEqual([]);
    expect(JSON.stringify(stage.statuses)).not.toContain('eyJ');
  });
});
