import { KubeConfig, type User } from '@kubernetes/client-node';
import { filter, firstValueFrom, interval, type Subscription, timeout } from 'rxjs';
import type { RequestError } from '../../../src/errors.ts';
import { createInformer } from '../../../src/informer/factory.ts';
import type { Informer } from '../../../src/informer/informer.ts';
import type { InformerOptions } from '../../../src/informer/options.ts';
import type { ConfigMap } from '../../../src/kubernetes/kinds.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import type { InformerStatus, ListReason } from '../../../src/status.ts';
import type { Notification } from '../../../src/store/notification.ts';
import { GROUP_INDEX, groupsOf, Recorder } from '../../scenario/recorder.ts';
import { keyOf, versionOf } from '../../scenario/world.ts';
import { TcpProxy } from '../../testkit/tcpProxy.ts';
import type { Cluster } from '../cluster.ts';
import { freePort } from '../ports.ts';
import { Admin } from './admin.ts';
import { CountingScheduler } from './countingScheduler.ts';

export interface StageOptions extends InformerOptions<ConfigMap> {
  /** Name of a user of the cluster, or credentials of another. Default: `admin`. */
  readonly user?: string | Omit<User, 'name'>;
  /** Default: v1. */
  readonly apiVersion?: string;
  /** Default: ConfigMap. */
  readonly kind?: string;
  /** Of the kind. Default: that of config maps in the namespace `default`. */
  readonly path?: string;
  /** Whether it connects to the server itself, not through the proxy. Default: false. */
  readonly straight?: boolean;
  /** Whether somebody subscribes at once. Default: true. */
  readonly subscribed?: boolean;
}

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

/** Waits as a user could have them who cannot wait for long. */
const IMPATIENT = { watchTimeout: 2, retry: { initial: 100, cap: 500 } };
/** Unit: milliseconds. */
const PATIENCE = 60_000;
const GLANCE = 20;

/**
 * An informer that reaches a real server through a proxy, somebody who listens to it, and a client that writes past
 * the proxy.
 */
export class Stage {
  readonly proxy: TcpProxy;
  readonly admin: Admin;
  readonly informer: Informer<ConfigMap>;
  readonly recorder: Recorder;
  readonly statuses: InformerStatus[] = [];
  readonly #options: Required<Pick<StageOptions, 'apiVersion' | 'kind' | 'path'>>;
  readonly #timers = new CountingScheduler();
  readonly #socketsBefore = sockets();
  readonly #subscription: Subscription;
  readonly #told: Notification<ConfigMap>[] = [];

  private constructor(cluster: Cluster, proxy: TcpProxy, options: StageOptions) {
    const {
      user = 'admin',
      apiVersion = 'v1',
      kind = 'ConfigMap',
      path = CONFIG_MAPS,
      straight = false,
      subscribed = true,
      ...informer
    } = options;
    this.proxy = proxy;
    this.#options = { apiVersion, kind, path };
    this.admin = new Admin(cluster);
    const kubeConfig = kubeConfigOf(
      cluster,
      straight ? cluster.server : `https://127.0.0.1:${String(proxy.port)}`,
      user,
    );
    this.informer = createInformer<ConfigMap>(kubeConfig, apiVersion, kind, {
      ...IMPATIENT,
      namespace: 'default',
      indexers: { [GROUP_INDEX]: groupsOf },
      scheduler: this.#timers,
      ...informer,
    });
    this.recorder = new Recorder('the subscriber', this.informer.store);
    this.#subscription = this.informer.status$.subscribe((status) => {
      this.statuses.push(status);
    });
    if (subscribed) this.subscribe();
  }

  static async set(cluster: Cluster, options: StageOptions = {}): Promise<Stage> {
    const proxy = await TcpProxy.start({ to: portOf(cluster.server) }, await freePort());
    return new Stage(cluster, proxy, options);
  }

  subscribe(): void {
    this.#subscription.add(
      this.informer.notifications$.subscribe((notification) => {
        this.#told.push(notification);
        this.recorder.take(notification);
      }),
    );
  }

  /** What was told since this was asked last, such as `add a`, sorted: a list tells its difference in no order. */
  told(): string[] {
    return this.#told
      .splice(0)
      .map(({ type, key }) => `${type} ${key.replace('default/', '')}`)
      .sort();
  }

  /** The errors told on the status so far, each once: `watch /api/v1/…: 410 Expired`. */
  get failures(): string[] {
    return [...new Set(this.statuses.flatMap((status) => (status.type === 'error' ? inWords(status) : [])))];
  }

  /** Why the whole set was read, each time. */
  get lists(): ListReason[] {
    return this.statuses.flatMap((status) => (status.type === 'list' ? status.reason : []));
  }

  /** Makes these objects. */
  async create(...names: string[]): Promise<void> {
    for (const name of names) await this.#send('POST', '', objectOf(this.#options, name));
  }

  /** Changes these objects. */
  async change(...names: string[]): Promise<void> {
    for (const name of names) await this.#send('PATCH', `/${name}`, { data: { at: String(Date.now()) } });
  }

  async delete(...names: string[]): Promise<void> {
    for (const name of names) await this.#send('DELETE', `/${name}`);
  }

  /** Resolves when a failure was told whose words contain these. */
  async fails(words: string): Promise<void> {
    await this.#eventually(`a failure is told: ${words}`, () =>
      this.failures.some((each) => each.includes(words)),
    );
  }

  /** Resolves when so many more watches were answered. */
  async watches(more: number): Promise<void> {
    const answered = () => this.statuses.filter(({ type }) => type === 'live').length;
    const before = answered();
    await this.#eventually(`${String(more)} watches are answered`, () => answered() >= before + more);
  }

  async isLive(): Promise<void> {
    await this.#eventually('it is live', () => this.informer.live && !this.informer.store.stale);
  }

  /**
   * Resolves when the store has exactly what the server has, and what was told is exactly that too.
   *
   * Errors: what is otherwise, or was told and never true.
   */
  async agrees(): Promise<void> {
    const served = await this.#served();
    const { store } = this.informer;
    const isEqual = () =>
      store.size === served.size &&
      [...served].every(([key, object]) => store.get(key)?.resourceVersion === versionOf(object));
    await eventually('the store has what the server has', isEqual).catch(() => undefined);
    const entries = store.list();
    expect(Object.fromEntries(entries.map(({ key, object }) => [key, object]))).toEqual(
      Object.fromEntries(served),
    );
    expect([...this.recorder.state.keys()].sort()).toEqual([...store.keys()].sort());
    const differing = entries.filter((entry) => this.recorder.state.get(entry.key) !== entry);
    expect(differing.map(({ key }) => key)).toEqual([]);
    expect(this.recorder.faults).toEqual([]);
    await this.isLive();
  }

  /**
   * Everybody leaves. Resolves when no socket and no timer of it is left. One stage at a time: sockets of the whole
   * process are counted.
   */
  async close(): Promise<void> {
    this.#subscription.unsubscribe();
    this.admin.close();
    try {
      await eventually('its sockets are closed', () => sockets() <= this.#socketsBefore, 2_000);
      expect(this.#timers.pending).toBe(0);
    } finally {
      await this.proxy.close();
    }
  }

  /** The same as `eventually`; where it does not come about, it says what the informer told. */
  async #eventually(what: string, condition: () => boolean): Promise<void> {
    await eventually(what, condition).catch((error: unknown) => {
      const told = this.statuses.slice(-5).map(({ type }) => type);
      const failures = this.failures.join(', ') || 'none';
      throw new Error(`${String(error)}; at last it told ${told.join(', ')}; failures: ${failures}`);
    });
  }

  async #send(method: string, path: string, body?: unknown): Promise<void> {
    await this.admin.request(method, this.#options.path + path, body);
  }

  async #served(): Promise<Map<string, ConfigMap>> {
    const { apiVersion, kind, path } = this.#options;
    const { items } = (await this.admin.request('GET', path)) as { items: ConfigMap[] };
    return new Map(items.map((item) => [keyOf(item), { apiVersion, kind, ...item }]));
  }
}

export const portOf = (address: string): number => Number(new URL(address).port);

/** Lets time pass until a condition holds, for a bounded time. */
export function eventually(what: string, condition: () => boolean, patience = PATIENCE): Promise<number> {
  const inVain = () => {
    throw new Error(`in ${String(patience / 1_000)} s it did not come about that ${what}`);
  };
  return firstValueFrom(interval(GLANCE).pipe(filter(condition), timeout({ first: patience, with: inVain })));
}

/** Of everybody in this process. */
const sockets = (): number =>
  process.getActiveResourcesInfo().filter((type) => type === 'TCPSocketWrap').length;

function kubeConfigOf(cluster: Cluster, server: string, user: string | Omit<User, 'name'>): KubeConfig {
  const credentials = typeof user === 'string' ? { token: cluster.token(user) } : user;
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions({
    clusters: [
      {
        name: 'e2e',
        server,
        caData: Buffer.from(cluster.ca).toString('base64'),
        skipTLSVerify: false,
      },
    ],
    users: [{ name: 'user', ...credentials }],
    contexts: [{ name: 'e2e', cluster: 'e2e', user: 'user' }],
    currentContext: 'e2e',
  });
  return kubeConfig;
}

const objectOf = (
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  name: string,
): KubernetesObject & { data: Record<string, string> } => ({
  apiVersion,
  kind,
  metadata: { name, labels: { [GROUP_INDEX]: 'g1' } },
  data: { at: '0' },
});

function inWords({ error }: Extract<InformerStatus, { type: 'error' }>): string {
  const { verb, path, status, reason } = error as RequestError & { status?: number; reason?: string };
  return `${verb} ${path}: ${[status, reason ?? error.code].filter(Boolean).join(' ')}`;
}
