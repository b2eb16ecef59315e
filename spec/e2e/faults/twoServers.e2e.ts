import { interval } from 'rxjs';
import { TcpProxy } from '../../testkit/tcpProxy.ts';
import { Cluster } from '../cluster.ts';
import type { KubeApiserver } from '../kubeApiserver.ts';
import { freePort } from '../ports.ts';
import { CONFIG_MAPS, portOf, Stage } from './stage.ts';

describe('two servers behind one address', () => {
  let cluster: Cluster;
  /** Between the second server and etcd. */
  let storage: TcpProxy;
  let second: KubeApiserver;
  let stage: Stage;

  beforeAll(async () => {
    cluster = await Cluster.start();
    storage = await TcpProxy.start({ to: portOf(cluster.storage) }, await freePort());
    second = await cluster.another([], `http://127.0.0.1:${String(storage.port)}`);
    stage = await Stage.set(cluster);
    await stage.create('kept', 'changed', 'deleted', 'made-again');
    await stage.agrees();
    stage.told();
  });

  afterAll(() => storage.close());
  afterAll(() => stage.close());
  afterAll(() => cluster.close());

  function leadTo(server: string): void {
    stage.proxy.to = portOf(server);
    stage.proxy.resetAll();
  }

  it('goes on at the other one where it was', async () => {
    leadTo(second.url);
    await stage.change('changed');
    await stage.agrees();
    leadTo(cluster.server);
    await stage.change('changed');
    await stage.agrees();
    expect(stage.told()).toEqual(['update changed', 'update changed']);
    expect(stage.lists).toEqual(['first']);
    await stage.watches(1);
  });

  it('tells nothing old at one that lags, and what it missed when that has caught up', async () => {
    storage.hold();
    await stage.change('changed');
    await stage.delete('deleted', 'made-again');
    await stage.create('created', 'made-again');
    await stage.agrees();
    const told = ['add created', 'add made-again', 'delete deleted', 'delete made-again', 'update changed'];
    expect(stage.told()).toEqual(told);

    leadTo(second.url);
    await stage.watches(1);
    await stage.change('kept');
    expect(stage.told()).toEqual([]);
    expect(stage.informer.store.size).toBe(4);
    storage.release();
    await stage.agrees();
    expect(stage.told()).toEqual(['update kept']);
    await stage.watches(1);
  });

  it('takes no list of one that lags', async () => {
    leadTo(cluster.server);
    storage.hold();
    await stage.change('changed');
    await stage.agrees();
    stage.told();
    leadTo(second.url);
    // A watch that is cut again and again leads to a list.
    const cuts = interval(100).subscribe(() => {
      if (stage.informer.live) stage.proxy.resetAll();
    });
    await stage.fails(`watch ${CONFIG_MAPS}: 504 Timeout`).finally(() => cuts.unsubscribe());
    expect(stage.lists).toContain('watch keeps failing');
    expect(stage.told()).toEqual([]);
    storage.release();
    await stage.agrees();
    expect(stage.told()).toEqual([]);
  });

  it('goes on at the other one when one dies', async () => {
    await second.kill9();
    await stage.change('changed');
    stage.proxy.to = portOf(cluster.server);
    await stage.agrees();
    expect(stage.told()).toEqual(['update changed']);
  });
});
