import { asyncScheduler, firstValueFrom, timer } from 'rxjs';
import { createInformer } from '../../src/informer/factory.ts';
import type { InformerOptions } from '../../src/informer/options.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import type { Cluster as ClusterAccess } from '../../src/transport/cluster.ts';
import { Cluster } from '../e2e/cluster.ts';
import { ApiClient } from '../scenario/apiClient.ts';
import { below, collectionOf, NAMESPACES, namespaceObject, type Random } from '../scenario/world.ts';
import { type TcpFault, TcpProxy } from '../testkit/tcpProxy.ts';
import type { ChaosServer, ListSelection, Tempo } from './chaosServer.ts';

/** A real kube-apiserver in real time, with a proxy before it that makes the faults. */
export class RealServer implements ChaosServer {
  readonly scheduler = asyncScheduler;
  readonly tempo: Tempo = {
    gap: 400,
    calm: 0,
    storm: 15_000,
    slow: 200,
    patience: 120_000,
    watchTimeout: 5,
    resync: 5_000,
    backoff: 2_000,
  };
  readonly writesAtOnce = false;
  readonly pages = 0;
  readonly #cluster: Cluster;
  readonly #proxy: TcpProxy;
  readonly #client: ApiClient;
  readonly #random: Random;
  readonly #timersBefore = openTimers();

  private constructor(cluster: Cluster, proxy: TcpProxy, seed: number) {
    this.#cluster = cluster;
    this.#proxy = proxy;
    this.#random = seededRandom(seed);
    const headers = { authorization: `Bearer ${cluster.token()}` };
    this.#client = new ApiClient({ url: cluster.server, headers, ca: cluster.ca });
  }

  /** Errors: that of the launcher, such as for want of Go. */
  static async start(seed: number): Promise<RealServer> {
    const cluster = await Cluster.start();
    const namespaces = { apiVersion: 'v1', kind: 'List', items: NAMESPACES.map(namespaceObject) };
    await cluster.kubectl(['create', '-f', '-'], { input: JSON.stringify(namespaces) });
    const proxy = await TcpProxy.start({ to: Number(new URL(cluster.server).port) });
    return new RealServer(cluster, proxy, seed);
  }

  informer(options: InformerOptions<ConfigMap>) {
    const headers = { Authorization: `Bearer ${this.#cluster.token()}` };
    const tls = { ca: this.#cluster.ca };
    const access: ClusterAccess = {
      server: `https://127.0.0.1:${String(this.#proxy.port)}`,
      credentials: () => Promise.resolve({ headers, tls, agent: undefined }),
      renew: () => Promise.resolve(),
    };
    return createInformer<ConfigMap>(access, 'v1', 'ConfigMap', options);
  }

  async create(object: ConfigMap): Promise<ConfigMap> {
    const path = collectionOf(object.metadata?.namespace ?? '');
    return typed(await this.#send('POST', path, object));
  }

  async patch(key: string, patch: object): Promise<ConfigMap> {
    return typed(await this.#send('PATCH', pathOf(key), patch));
  }

  async delete(key: string): Promise<void> {
    await this.#send('DELETE', pathOf(key));
  }

  async list({ namespace, labelSelector = '' }: ListSelection): Promise<ConfigMap[]> {
    const path = namespace === undefined ? '/api/v1/configmaps' : collectionOf(namespace);
    const list = await this.#send('GET', `${path}?labelSelector=${encodeURIComponent(labelSelector)}`);
    return (list as { items: ConfigMap[] }).items.map(typed);
  }

  async advance(milliseconds: number): Promise<void> {
    await firstValueFrom(timer(milliseconds));
  }

  disturb(): void {
    this.#proxy.faultOf = () => (this.#random() < 0.5 ? undefined : anyFault(this.#random));
  }

  calm(): void {
    this.#proxy.faultOf = () => undefined;
  }

  get faults(): Record<string, number> {
    return { ...this.#proxy.counts };
  }

  closeWatches(reset: boolean): void {
    if (reset) this.#proxy.resetAll();
    else this.#proxy.closeAll();
  }

  async compact(): Promise<void> {
    await this.#cluster.compact();
  }

  crash(): Promise<void> {
    return this.#proxy.refuse();
  }

  restart(): Promise<void> {
    return this.#proxy.accept();
  }

  leftovers(): Promise<string[]> {
    const left = { sockets: this.#proxy.sockets, timers: openTimers() - this.#timersBefore };
    return Promise.resolve(
      Object.entries(left)
        .filter(([, count]) => count > 0)
        .map(([what, count]) => `${String(count)} ${what}`),
    );
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#proxy.close();
    await this.#cluster.close();
  }

  async #send(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await this.#client.send(method, path, body);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${String(answer.status)} ${JSON.stringify(answer.body)}`);
  }
}

const FAULTS = ['delay', 'cut', 'reset', 'silence'] as const;

/** Of the bytes of TLS, some thousands belong to its handshake. */
function anyFault(random: Random): TcpFault {
  const kind = FAULTS[below(FAULTS.length, random)] ?? 'cut';
  return kind === 'delay' ? { kind, by: below(1_000, random) } : { kind, afterBytes: below(40_000, random) };
}

const pathOf = (key: string): string => {
  const [namespace = '', name = ''] = key.split('/');
  return `${collectionOf(namespace)}/${name}`;
};

/** Items of a list come without a type. */
const typed = (object: unknown): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  ...(object as ConfigMap),
});

const openTimers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
