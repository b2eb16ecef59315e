import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { createInformer } from '../../src/informer/factory.ts';
import type { Cluster, Credentials } from '../../src/transport/cluster.ts';
import { kubeConfigCluster } from '../../src/transport/kubeConfigCluster.ts';
import { failure, pod } from '../testkit/objects.ts';
import { atTheEnd, onStage, play, type Seen, type Stage, until, watching } from '../testkit/play.ts';
import { added, after, end, line, list, modified, refuse, type Step, watch } from '../testkit/steps.ts';

/** An informer of pods by these credentials. */
async function playAs<T = unknown>(stage: Stage, cluster: Cluster): Promise<Seen<T>> {
  const informer = createInformer(cluster, 'v1', 'Pod', {
    scheduler: stage.clock,
    random: () => 0,
    streamingList: false,
  });
  atTheEnd(() => informer.stop());
  const seen = watching(informer);
  await stage.clock.settle();
  return seen as Seen<T>;
}

const tokensOf = ({ server }: Stage): (string | undefined)[] =>
  server.requests.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));

/** A cluster whose tokens are made by this function. */
function clusterWith(stage: Stage, tokenOf: (renewed: number) => string | Promise<string>): Cluster {
  let renewed = 0;
  return {
    server: stage.server.cluster.server,
    async credentials(): Promise<Credentials> {
      const token = await tokenOf(renewed);
      return { headers: { Authorization: `Bearer ${token}` }, tls: {}, agent: undefined };
    },
    renew() {
      renewed += 1;
      return Promise.resolve();
    },
  };
}

it('C49 credentials that take their time are waited for before the very first request, and each watch', async () => {
  const stage = await onStage([list(100), watch(added(pod('a', 101)))]);
  const later = (renewed: number): Promise<string> =>
    new Promise((resolve) => {
      stage.clock.schedule(() => resolve(`T${renewed}`), 1_000);
    });
  const seen = await playAs(stage, clusterWith(stage, later));
  expect(stage.server.asked).toEqual([]);
  await stage.clock.advance(3_000);
  expect(tokensOf(stage)).toEqual(['T0', 'T0']);
  expect(seen.told).toEqual(['synced', 'add a@101']);
});

it.each([
  [401, 'Unauthorized', 0],
  [403, 'Forbidden', 30_000],
] as const)(
  'C49 a bare Status of %i among the events is an error of that watch',
  async (code, reason, wait) => {
    const stage = await onStage([
      list(100, pod('a', 90)),
      watch(line(failure(code, reason)), end()),
      watch(added(pod('b', 101))),
    ]);
    const seen = await playAs(
      stage,
      clusterWith(stage, (renewed) => `T${renewed}`),
    );
    await stage.clock.advance(wait);
    expect(seen.errors).toEqual([`${code} ${reason}`]);
    expect(seen.told).toEqual(['add a@90 initial', 'synced', 'add b@101']);
    expect(stage.server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=100', 'WATCH rv=100']);
    expect(tokensOf(stage)).toEqual(['T0', 'T0', code === 401 ? 'T1' : 'T0']);
  },
);

it('C49 a line of an unknown type is a problem, and the others go on', async () => {
  const { told, problems, errors } = await play([
    list(100),
    watch(line({ type: 'RENAMED', object: pod('a', 101) }), added(pod('b', 102))),
  ]);
  expect(told).toEqual(['synced', 'add b@102']);
  expect(problems).toEqual(['UNREADABLE']);
  expect(errors).toEqual([]);
});

/** A user whose token comes of a plugin, which gives T1 until the first expiry, and then T2. */
function withPlugin({ server: { cluster } }: Stage, expiry: string): KubeConfig {
  const kubeConfig = new KubeConfig();
  const script = `
    const path = process.argv[1], { existsSync, writeFileSync } = require('node:fs');
    const again = existsSync(path);
    writeFileSync(path, '');
    const status = { token: again ? 'T2' : 'T1', expirationTimestamp: again ? undefined : '${expiry}' };
    console.log(JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', status }));`;
  kubeConfig.loadFromOptions({
    clusters: [{ name: 'c', server: cluster.server, skipTLSVerify: false }],
    users: [
      {
        name: 'u',
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command: process.execPath,
          args: ['-e', script, join(folder(), 'ran')],
        },
      },
    ],
    contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
    currentContext: 'x',
  });
  return kubeConfig;
}

/** A folder that is gone after the test. */
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'rx-informer-'));
  atTheEnd(() => rmSync(path, { recursive: true }));
  return path;
}

/** The wall clock shows the time of the stepped one. */
function wallClock({ clock }: Stage): void {
  const spy = jest.spyOn(Date, 'now').mockImplementation(() => clock.now());
  atTheEnd(() => spy.mockRestore());
}

/** Waits for a plugin, which is no socket of this process. */
async function asked(stage: Stage, requests: number): Promise<void> {
  await until(stage.clock, () => stage.server.asked.length >= requests);
  await stage.clock.settle();
}

const AFTER_MINUTE = '1970-01-01T00:01:00Z';
const stays = watch(after(75_000), modified(pod('a', 101)), after(15_000), end());

it('C55 an expired token of a plugin ends no watch, and is not used for the next one', async () => {
  const stage = await onStage([list(100, pod('a', 90)), stays, watch(added(pod('b', 102)))]);
  wallClock(stage);
  const seen = await playAs(stage, kubeConfigCluster(withPlugin(stage, AFTER_MINUTE)));
  await asked(stage, 2);
  await stage.clock.advance(89_000);
  expect(seen.told).toEqual(['add a@90 initial', 'synced', 'update a@90->a@101']);
  await stage.clock.advance(1_000);
  await asked(stage, 3);
  expect(tokensOf(stage)).toEqual(['T1', 'T1', 'T2']);
  expect(seen.errors).toEqual([]);
  expect(seen.told.at(-1)).toBe('add b@102');
});

it('C55 a token that is refused before it expires is renewed at once, once', async () => {
  const stage = await onStage([
    list(100, pod('a', 90)),
    stays,
    refuse('WATCH', 401, 'Unauthorized'),
    watch(added(pod('b', 102))),
  ]);
  wallClock(stage);
  const seen = await playAs(stage, kubeConfigCluster(withPlugin(stage, '1970-01-02T00:00:00Z')));
  await asked(stage, 2);
  await stage.clock.advance(90_000);
  await asked(stage, 4);
  expect(tokensOf(stage)).toEqual(['T1', 'T1', 'T1', 'T2']);
  expect(stage.server.asked.slice(2)).toEqual(['WATCH rv=101', 'WATCH rv=101']);
  expect(seen.errors).toEqual(['401 Unauthorized']);
  expect(seen.told.at(-1)).toBe('add b@102');
});

it('C55 if the new one is refused, too, it is tried again for ever, and visible', async () => {
  const refused = refuse('WATCH', 401, 'Unauthorized');
  const stage = await onStage([list(100), ...Array<Step>(8).fill(refused), watch()]);
  const seen = await playAs(
    stage,
    clusterWith(stage, (renewed) => `T${renewed}`),
  );
  expect(stage.server.requests).toHaveLength(3);
  await stage.clock.advance(20_000);
  const delays = seen.statuses.flatMap((status) => (status.type === 'error' ? [status.delay] : []));
  expect(delays).toEqual([0, 800, 0, 1_600, 0, 3_200, 0, 6_400]);
  expect(tokensOf(stage).slice(1, 4)).toEqual(['T0', 'T1', 'T1']);
  expect(stage.server.asked.at(-1)).toBe('WATCH rv=100');
});

it('C56 a token file that was replaced is read anew, and a 401 of the new token can pass', async () => {
  const path = folder();
  const write = (token: string): void => {
    const file = join(path, `data-${token}`);
    writeFileSync(file, `${token}\n`);
    symlinkSync(file, join(path, 'next'));
    renameSync(join(path, 'next'), join(path, 'token'));
  };
  write('T1');
  const stage = await onStage([
    list(100, pod('a', 90)),
    watch(after(90_000), end()),
    refuse('WATCH', 401, 'Unauthorized'),
    watch(added(pod('b', 101))),
  ]);
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions({
    clusters: [{ name: 'c', server: stage.server.cluster.server, skipTLSVerify: false }],
    users: [{ name: 'u', authProvider: { name: 'tokenFile', config: { tokenFile: join(path, 'token') } } }],
    contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
    currentContext: 'x',
  });
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'], now: 0 });
  atTheEnd(() => jest.useRealTimers());
  const seen = await playAs(stage, kubeConfigCluster(kubeConfig));
  expect(tokensOf(stage)).toEqual(['T1', 'T1']);
  write('T2');
  jest.setSystemTime(90_000);
  await stage.clock.advance(90_000);
  expect(tokensOf(stage)).toEqual(['T1', 'T1', 'T2', 'T2']);
  expect(stage.server.asked.slice(1)).toEqual(['WATCH rv=100', 'WATCH rv=100', 'WATCH rv=100']);
  expect(seen.errors).toEqual(['401 Unauthorized']);
  expect(seen.told).toEqual(['add a@90 initial', 'synced', 'add b@101']);
});
