import { copyFileSync } from 'node:fs';
import { Cluster } from '../cluster.ts';
import { CONFIG_MAPS, Stage } from './stage.ts';

const ALICE = { kind: 'User', name: 'alice' } as const;
const BOB = { kind: 'User', name: 'bob' } as const;

describe('client certificates, from files that are replaced', () => {
  let cluster: Cluster;
  let stage: Stage;

  beforeAll(async () => {
    cluster = await Cluster.start();
    await openssl('req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 1 -subj /CN=authority');
    await issue('alice', 1);
    await issue('bob', 1);
    // It is over as soon as it begins.
    await issue('expired', 0);
    await cluster.restart([`--client-ca-file=${cluster.path('ca.crt')}`]);
    use('alice');
    const user = { certFile: cluster.path('client.crt'), keyFile: cluster.path('client.key') };
    stage = await Stage.set(cluster, { user });
    await stage.admin.createRole('reader', ['list', 'watch']);
    await stage.admin.allow(ALICE, 'reader');
    await stage.create('kept', 'changed');
    await stage.agrees();
    stage.told();
  });

  afterAll(() => stage.close());
  afterAll(() => cluster.close());

  async function openssl(args: string): Promise<void> {
    const { code, stderr } = await cluster.guard.run('/usr/bin/env', ['openssl', ...args.split(' ')]);
    if (code !== 0) throw new Error(`openssl ${args} failed: ${stderr}`);
  }

  /** Makes `<name>.crt` and `<name>.key`. */
  async function issue(name: string, days: number): Promise<void> {
    await openssl(`req -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.csr -subj /CN=${name}`);
    const from = '-CA ca.crt -CAkey ca.key -CAcreateserial';
    await openssl(`x509 -req -in ${name}.csr ${from} -days ${String(days)} -out ${name}.crt`);
  }

  function use(name: string): void {
    for (const type of ['crt', 'key']) {
      copyFileSync(cluster.path(`${name}.${type}`), cluster.path(`client.${type}`));
    }
  }

  it('takes the new one, and no connection that was made with the old one', async () => {
    await stage.admin.allow(BOB, 'reader');
    use('bob');
    await stage.admin.forbid(ALICE);
    const { statuses } = stage;
    const seen = statuses.length;
    await stage.change('changed');
    await stage.watches(3);
    expect(statuses.slice(seen).filter(({ type }) => type === 'error')).toEqual([]);
    await stage.agrees();
    expect(stage.told()).toEqual(['update changed']);
  });

  it('keeps the store, marked stale, while the one there is is expired', async () => {
    use('expired');
    // Of a watch, or of the list of one object that follows a silent one.
    await stage.fails(`${CONFIG_MAPS}: 401 Unauthorized`);
    await stage.delete('kept');
    expect(stage.informer.store.stale).toBe(true);
    expect(stage.told()).toEqual([]);

    use('bob');
    await stage.agrees();
    expect(stage.told()).toEqual(['delete kept']);
    expect(new Set(stage.lists)).toEqual(new Set(['first']));
  });
});
