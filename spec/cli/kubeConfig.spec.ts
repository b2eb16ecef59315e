import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientNodeError, clusterOf } from '../../src/cli/kubeConfig.ts';

const FILE = JSON.stringify({
  clusters: ['dev', 'prod'].map((name) => ({ name, cluster: { server: `https://${name}.example.com` } })),
  users: [{ name: 'me', user: { token: 'a-secret' } }],
  contexts: ['dev', 'prod'].map((name) => ({ name, context: { cluster: name, user: 'me' } })),
  'current-context': 'dev',
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rx-informer-'));
  writeFileSync(join(folder, 'config'), FILE);
  writeFileSync(join(folder, 'damaged'), '{"users": "a-secret');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const found = (kubeconfig: string | undefined, context?: string) =>
  clusterOf({ type: 'cluster', kubeconfig, context }, { env: { INIT_CWD: folder }, cwd: () => '/' });

describe('clusterOf', () => {
  it('takes the current context, or the one named, of a file named from where npm was called', async () => {
    const current = await found('config');
    expect([current.name, current.cluster.server]).toEqual(['context dev', 'https://dev.example.com']);
    const named = await found('config', 'prod');
    expect([named.name, named.cluster.server]).toEqual(['context prod', 'https://prod.example.com']);
  });

  it('says which contexts there are', async () => {
    await expect(found('config', 'prd')).rejects.toThrow(
      '--context: "prd" cannot be used; is prod meant? the kubeconfig has dev, prod',
    );
  });

  it('says that there is no file', async () => {
    await expect(found('nowhere')).rejects.toThrow(
      /"nowhere" cannot be used; there is no such file \(ENOENT\)$/,
    );
  });

  it('says that no file was named, and there is none where kubectl looks', async () => {
    const { env } = process;
    process.env = { HOME: join(folder, 'nobody') };
    try {
      await expect(found(undefined, 'prod')).rejects.toThrow(
        '--context: "prod" cannot be used; there is neither KUBECONFIG nor ~/.kube/config',
      );
    } finally {
      process.env = env;
    }
  });

  it('quotes nothing of a file that it cannot read', async () => {
    const error: unknown = await found('damaged').catch((reason: unknown) => reason);
    expect(String(error)).toMatch(/"damaged" cannot be used; it is no readable kubeconfig$/);
  });
});

describe('ClientNodeError', () => {
  it('says each way out', () => {
    const { message } = new ClientNodeError(new Error('webidl is no function\nat undici'));
    expect(message).toContain('(webidl is no function at undici)');
    expect(message).toContain('install version 1.4');
    expect(message).toContain('"overrides": {"@kubernetes/client-node": {"undici": "^7.30.2"}}');
  });
});
