import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { build } from './build.ts';
import { Cluster } from './cluster.ts';

describe('Cluster', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    await build('kubectl');
    cluster = await Cluster.start({ users: { reader: ['readers'] } });
  });

  afterAll(() => cluster.close());

  const createConfigMap = (name: string) =>
    cluster.kubectl(['create', '-f', '-', '-o', 'jsonpath={.metadata.resourceVersion}'], {
      input: JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name },
        data: { colour: 'blue' },
      }),
    });
  const colourOf = (name: string, user = 'admin') =>
    cluster.kubectl(['get', 'configmap', name, '-o', 'jsonpath={.data.colour}'], { user });

  it('creates, gets and deletes an object', async () => {
    await createConfigMap('short-lived');
    expect(await colourOf('short-lived')).toBe('blue');

    await cluster.kubectl(['delete', 'configmap', 'short-lived']);
    await expect(colourOf('short-lived')).rejects.toThrow('(NotFound)');
  });

  it('is trusted by those who know its certificate, and by nobody else', async () => {
    const friend = get(`${cluster.server}/readyz`, { ca: cluster.ca, agent: false });
    const [response] = (await once(friend, 'response')) as [IncomingMessage];
    expect(response.resume()).toHaveProperty('statusCode', 200);

    const stranger = get(`${cluster.server}/readyz`, { agent: false });
    await expect(once(stranger, 'response')).rejects.toHaveProperty('code', 'SELF_SIGNED_CERT_IN_CHAIN');
  });

  it('refuses what RBAC does not allow a user', async () => {
    await createConfigMap('guarded');
    await expect(colourOf('guarded', 'reader')).rejects.toThrow('(Forbidden)');

    await cluster.kubectl(['create', 'role', 'read', '--verb=get', '--resource=configmaps']);
    await cluster.kubectl(['create', 'rolebinding', 'read', '--role=read', '--group=readers']);
    expect(await colourOf('guarded', 'reader')).toBe('blue');
    await expect(cluster.kubectl(['get', 'secrets'], { user: 'reader' })).rejects.toThrow('(Forbidden)');
  });

  it('names the users it has when asked for another', () => {
    expect(() => cluster.kubeconfig('nobody')).toThrow('no user "nobody", only reader, admin');
  });

  it('keeps its data and its address through kill -9 and a restart', async () => {
    await createConfigMap('survivor');
    const { server, ca } = cluster;

    await cluster.kill9();
    await expect(colourOf('survivor')).rejects.toThrow('refused');

    await cluster.restart();
    expect(cluster).toMatchObject({ server, ca });
    expect(await colourOf('survivor')).toBe('blue');
  });

  it('is silent while it is stopped', async () => {
    cluster.stop();
    await expect(cluster.kubectl(['version', '--request-timeout=500ms'])).rejects.toThrow(
      /timeout|deadline/i,
    );

    cluster.cont();
    expect(await cluster.kubectl(['version'])).toMatch(/Server Version: v1\.\d+/);
  });

  it('answers 410 to a watch from before a compaction', async () => {
    await cluster.restart(['--watch-cache-sizes=configmaps#0']);
    const version = await createConfigMap('old');
    await createConfigMap('new');
    const path = `/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1&resourceVersion=${version}`;
    const watch = async (): Promise<unknown> => JSON.parse(await cluster.kubectl(['get', '--raw', path]));
    expect(await watch()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'new' } } });

    await cluster.kubectl(['delete', 'configmap', 'new']);
    await cluster.compact();
    expect(await watch()).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  });

  it('says what the server said when it does not start', async () => {
    await expect(Cluster.start({ flags: ['--no-such-flag'] })).rejects.toThrow(
      'unknown flag: --no-such-flag',
    );
  });
});
