import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { createInformer } from '../../src/informer/factory.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, onStage, until, watching } from '../testkit/play.ts';
import { list, watch } from '../testkit/steps.ts';

const apiVersion = 'client.authentication.k8s.io/v1';

/** Says its process id in the file, and hangs; the next time, it works. */
const SCRIPT = `
  const { existsSync, writeFileSync } = require('node:fs');
  if (existsSync(process.argv[1])) {
    console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: '${apiVersion}', status: { token: 'T' } }));
  } else {
    writeFileSync(process.argv[1], String(process.pid));
    process.stdin.resume();
  }`;

it('a plugin that hangs is run again', async () => {
  const stage = await onStage([list(100, pod('a', 90)), watch()]);
  const folder = mkdtempSync(join(tmpdir(), 'rx-informer-'));
  atTheEnd(() => rmSync(folder, { recursive: true }));
  const ran = join(folder, 'ran');
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions({
    clusters: [{ name: 'c', server: stage.server.cluster.server, skipTLSVerify: false }],
    users: [{ name: 'u', exec: { apiVersion, command: process.execPath, args: ['-e', SCRIPT, ran] } }],
    contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
    currentContext: 'x',
  });
  const informer = createInformer(kubeConfig, 'v1', 'Pod', { scheduler: stage.clock, streamingList: false });
  atTheEnd(() => informer.stop());
  const { told, errors } = watching(informer);
  let pid = 0;
  await until(stage.clock, () => (pid = pidIn(ran)) > 0);
  atTheEnd(() => process.kill(pid));

  await stage.clock.advance(67_000);
  await until(stage.clock, () => told.length > 0);
  expect([told, errors]).toEqual([['add a@90 initial', 'synced'], ['STALLED']]);
});

function pidIn(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return 0;
  }
}
