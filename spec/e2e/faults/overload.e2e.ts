import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import type { ApiError } from '../../../src/errors.ts';
import { Cluster } from '../cluster.ts';
import { Admin, clientOf } from './admin.ts';
import { CONFIG_MAPS, Stage } from './stage.ts';

const READER = { kind: 'User', name: 'reader' } as const;
const WRITER = { kind: 'User', name: 'writer' } as const;
const FLOW_CONTROL = '/apis/flowcontrol.apiserver.k8s.io/v1';

/** It has no seat, which means one as long as nobody sits on it; who comes then is refused with a 429. */
const level = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name: 'narrow' },
  spec: {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: 0,
      borrowingLimitPercent: 0,
      limitResponse: { type: 'Reject' },
    },
  },
};

/** What these two ask for belongs to that level. */
const flowSchema = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name: 'narrow' },
  spec: {
    priorityLevelConfiguration: { name: 'narrow' },
    matchingPrecedence: 100,
    rules: [
      {
        subjects: [READER, WRITER].map(({ kind, name }) => ({ kind, user: { name } })),
        resourceRules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'], namespaces: ['*'] }],
      },
    ],
  },
};

describe('the server is overloaded', () => {
  let cluster: Cluster;
  let stage: Stage;

  beforeAll(async () => {
    cluster = await Cluster.start({ users: { reader: [], writer: [] } });
    const admin = new Admin(cluster);
    await admin.createRole('reader', ['list', 'watch']);
    await admin.createRole('writer', ['create']);
    await admin.allow(READER, 'reader');
    await admin.allow(WRITER, 'writer');
    await admin.request('POST', `${FLOW_CONTROL}/prioritylevelconfigurations`, level);
    await admin.request('POST', `${FLOW_CONTROL}/flowschemas`, flowSchema);
    admin.close();
  });

  afterEach(() => stage.close());
  afterAll(() => cluster.close());

  /** Takes the seat for a request that does not come to its end, and returns how to give it back. */
  async function takeSeat(): Promise<() => void> {
    const reader = clientOf(cluster, READER.name);
    const headers = { authorization: `Bearer ${cluster.token(WRITER.name)}`, 'content-length': '1000' };
    const options = { method: 'POST', ca: cluster.ca, headers, agent: false };
    let sitting: ClientRequest | undefined;
    const sit = () => {
      sitting = request(cluster.server + CONFIG_MAPS, options);
      // Somebody else may have had it at this moment.
      sitting.on('response', sit).on('error', () => undefined);
      sitting.write('{');
    };
    sit();
    while ((await reader.send('GET', CONFIG_MAPS)).status !== 429) await setTimeout(50);
    reader.close();
    return () => {
      sitting?.destroy();
    };
  }

  const tooMany = () =>
    stage.statuses.flatMap((status) =>
      status.type === 'error' && (status.error as ApiError).status === 429 ? [status] : [],
    );

  it('waits as long as it is told to, and goes on with the watch', async () => {
    stage = await Stage.set(cluster, { user: 'reader' });
    await stage.create('kept', 'changed', 'deleted');
    await stage.agrees();
    stage.told();

    const release = await takeSeat();
    await stage.fails(`${CONFIG_MAPS}: 429`);
    await stage.delete('deleted');
    await stage.change('changed');
    expect(stage.informer.store.stale).toBe(true);
    expect(stage.told()).toEqual([]);

    release();
    await stage.agrees();
    expect(stage.told()).toEqual(['delete deleted', 'update changed']);
    expect(new Set(stage.lists)).toEqual(new Set(['first']));
    for (const { error, delay } of tooMany()) {
      expect(error).toMatchObject({ retryAfter: 1_000 });
      expect(delay).toBeGreaterThanOrEqual(1_000);
    }
  });

  it('begins when there is a seat', async () => {
    const release = await takeSeat();
    stage = await Stage.set(cluster, { user: 'reader' });
    await stage.fails(`watch ${CONFIG_MAPS}: 429`);
    release();
    await stage.agrees();
    expect(stage.told()).toEqual(['add changed', 'add kept']);
  });
});
