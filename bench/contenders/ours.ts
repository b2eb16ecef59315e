import { monitorEventLoopDelay } from 'node:perf_hooks';
import { filter, firstValueFrom, type Observable } from 'rxjs';
import type { Informer } from '../../src/informer/informer.ts';
import type { Pod } from '../../src/kubernetes/kinds.ts';
import type { Notification } from '../../src/store/notification.ts';
import type { Cluster } from '../../src/transport/cluster.ts';
import { Checksum } from '../checksum.ts';
import { Control, sharedNow } from '../control.ts';
import { built } from '../dist.ts';
import type { Job, Outcome } from '../job.ts';
import { held, heldSince, measuring } from '../measure.ts';
import { CHANGED } from '../pods.ts';
import { percentile } from '../statistics.ts';
import { measureWatch } from '../watching.ts';

/** An informer of this package, as its users get it. */
export async function ours(job: Job): Promise<Outcome> {
  const informer = await informerFor(job);
  const before = await held();
  const run = new Run(informer, job);
  const outcome: Outcome = { ...(await run.list()), held: heldSince(before, await held(), job.objects) };
  const watch = job.events === 0 ? {} : await run.watch();
  const relist = job.relists === undefined ? {} : await run.relist(job.relists);
  informer.stop();
  return { ...outcome, ...watch, ...relist };
}

/** Versions that expire in quick succession would be waited for, up to a minute each. */
const AT_ONCE = { initial: 1, cap: 1 };

async function informerFor({ kubeconfig, server, list, as, omit }: Job): Promise<Informer<Pod>> {
  const { createInformer } = built();
  const options = { streamingList: list !== 'paged', objects: as, omit, retry: AT_ONCE };
  if (kubeconfig === undefined) return createInformer(clusterAt(server), 'v1', 'Pod', options);
  const { KubeConfig } = await import('@kubernetes/client-node');
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(kubeconfig);
  return createInformer(kubeConfig, 'v1', 'Pod', options);
}

const clusterAt = (server: string): Cluster => ({
  server,
  credentials: () => Promise.resolve({ headers: {}, tls: {}, agent: undefined }),
  renew: () => Promise.resolve(),
});

class Run {
  readonly #informer: Informer<Pod>;
  readonly #job: Job;
  readonly #seen = new Checksum();
  readonly #read: (notification: Notification<Pod>) => unknown;
  /** When each event of a paced run was told. */
  readonly #told: number[] = [];
  /** What the other subscribers read, so that nobody can leave it away. */
  #keys = 0;
  #enough: { readonly count: number; readonly reached: () => void } | undefined;

  constructor(informer: Informer<Pod>, job: Job) {
    this.#informer = informer;
    this.#job = job;
    this.#read = READ[job.read ?? 'key'];
  }

  async list(): Promise<Pick<Outcome, 'list' | 'maxBlock'>> {
    const { notifications$, synced$ } = this.#informer;
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const cost = measuring();
    notifications$.subscribe((notification) => this.#take(notification));
    for (let more = 1; more < (this.#job.subscribers ?? 1); more += 1) this.#subscribeToo(notifications$);
    await firstValueFrom(synced$, { defaultValue: undefined });
    const list = { ...cost(), seen: this.#seen.take() };
    delay.disable();
    return { list, maxBlock: delay.max / 1e6 };
  }

  async watch(): Promise<Pick<Outcome, 'watch' | 'late'>> {
    const { events, rate } = this.#job;
    const told = (): Promise<void> =>
      new Promise((reached) => {
        this.#enough = { count: events, reached };
      });
    const { watch, due } = await measureWatch(this.#job, this.#seen, told);
    if (rate === undefined) return { watch };
    const late = this.#told.map((time, event) => time - due - (event / rate) * 1000);
    return { watch, late: percentile(late, 0.99) };
  }

  /** The first one is measured; what the others add is what leaks. */
  async relist(times: number): Promise<Pick<Outcome, 'relist' | 'leaked'>> {
    const { status$ } = this.#informer;
    const once = async (): Promise<void> => {
      const applied = firstValueFrom(status$.pipe(filter(({ type }) => type === 'applied')));
      await new Control(this.#job.server).expire();
      await applied;
      // Until it watches again there is nobody to tell that the version expired.
      if (!this.#informer.live) await firstValueFrom(status$.pipe(filter(({ type }) => type === 'live')));
    };
    const cost = measuring();
    await once();
    const first = cost();
    const before = await held();
    for (let more = 1; more < times; more += 1) await once();
    const after = heldSince(before, await held(), this.#job.objects);
    const relist = { ...first, notifications: this.#seen.count };
    return { relist, leaked: after.heap + after.external };
  }

  #take(notification: Notification<Pod>): void {
    this.#read(notification);
    const { uid, resourceVersion } = notification.entry;
    this.#seen.add(uid, resourceVersion);
    if (this.#enough === undefined) return;
    if (this.#job.rate !== undefined)
      this.#told[Number(resourceVersion) - CHANGED - this.#job.events] = sharedNow();
    if (this.#seen.count === this.#enough.count) this.#enough.reached();
  }

  #subscribeToo(notifications$: Observable<Notification<Pod>>): void {
    notifications$.subscribe(({ key }) => {
      this.#keys += key.length;
    });
  }
}

const READ: Record<NonNullable<Job['read']>, (notification: Notification<Pod>) => unknown> = {
  key: ({ key }) => key,
  metadata: ({ meta }) => [meta.labels?.['app'], meta.ownerReferences?.[0]?.name, meta.annotations],
  object: ({ object }) => [object.spec?.nodeName, object.status?.phase],
};
