import { isDeepStrictEqual } from 'node:util';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Observable, SchedulerLike } from 'rxjs';
import { checkOptions, requireText } from '../checks.ts';
import { createContext } from '../context.ts';
import { InvalidOptionError } from '../errors.ts';
import type { Kinds } from '../kubernetes/kinds.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import type { Cluster } from '../transport/cluster.ts';
import { createTransport, type Transport } from '../transport/http.ts';
import { isKubeConfig, kubeConfigCluster } from '../transport/kubeConfigCluster.ts';
import { createTokenBucket } from '../transport/tokenBucket.ts';
import { InformerGroup } from './group.ts';
import { type StartOptions, stepsOf, type TimeoutOptions, timeoutIn } from './groupOptions.ts';
import { type Health, type HealthOptions, healthOf } from './health.ts';
import type { Informer } from './informer.ts';
import { informerOf } from './informerOf.ts';
import { createSource, type InformerOptions, selectionOf } from './options.ts';
import type { Readiness } from './readiness.ts';

export interface FactoryOptions {
  /** Requests a second of all its informers together, for long. Default: no limit. */
  readonly qps?: number | undefined;
  /** Requests at once after a pause. Default: twice `qps`. */
  readonly burst?: number | undefined;
  /** Default: `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
  /** Uniform in [0, 1). Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Options of one informer of a factory. */
export interface SharedInformerOptions<T> extends Omit<InformerOptions<T>, 'scheduler' | 'random'> {
  /**
   * Shared by everybody who asks for the same kind, namespace, selectors and this name. Give one where another
   * `transform`, `key`, or anything else than selection and indexes makes it another informer; without, that
   * is an InvalidOptionError. Default: ''.
   */
  readonly name?: string | undefined;
}

/** The informers of one process: each is made once and shared. */
export interface InformerFactory {
  /** For a kind that comes with Kubernetes; the type of its objects is inferred. Throws InvalidOptionError. */
  for<V extends keyof Kinds, K extends keyof Kinds[V] & string>(
    apiVersion: V,
    kind: K,
    options?: SharedInformerOptions<Kinds[V][K]>,
  ): Informer<Kinds[V][K]>;
  /** For any other kind. Throws InvalidOptionError. */
  for<T extends KubernetesObject>(
    apiVersion: string,
    kind: string,
    options?: SharedInformerOptions<T>,
  ): Informer<T>;
  /**
   * Starts all that were asked for so far and do not run. One that is asked for later is started by its first
   * subscriber, its own `start()`, or by calling this again. Throws InvalidOptionError.
   */
  start(options?: StartOptions): void;
  /** Stops all. `start()` begins anew. */
  stop(): void;
  /**
   * Stops all, at once, also where nobody subscribes to what it returns: that emits once and completes when everybody
   * who hands notifications to a handler (with the informer's `context`) is done with what waited. Handlers are not
   * ended. `start()` begins anew, also before that.
   *
   * Errors: ShutdownTimeoutError with who is still at work. Throws InvalidOptionError.
   */
  shutdown(options?: TimeoutOptions): Observable<void>;
  /**
   * Emits once and completes when all that were asked for so far are in sync. It starts none.
   *
   * Errors: SyncTimeoutError with those that are not, and why; the terminal error of one at once. Throws
   * InvalidOptionError.
   */
  waitForSync(options?: TimeoutOptions): Observable<void>;
  /** How each does, in the order in which they were asked for: now, and each time the state of one is another. Never ends. */
  readonly states$: Observable<readonly Readiness[]>;
  /** How they do now, for a probe. Throws InvalidOptionError. */
  health(options?: HealthOptions): Health;
}

/** Throws InvalidOptionError. */
export function createInformerFactory(
  cluster: KubeConfig | Cluster,
  options: FactoryOptions = {},
): InformerFactory {
  const transport = transportTo(cluster);
  const context = createContext(options);
  const group = new InformerGroup(context);
  const bucket = bucketOf(options);
  const { scheduler, random } = options;
  const informers = new Map<string, Shared<never>>();

  return {
    for<T>(apiVersion: string, kind: string, given: SharedInformerOptions<T> = {}): Informer<T> {
      checkOptions('options', given);
      const { name = '', namespace = '' } = given;
      if (name !== '') requireText('name', name);
      const id = JSON.stringify([apiVersion, kind, namespace, selectionOf(given), name]);
      const shared = informers.get(id) as Shared<T> | undefined;
      if (shared !== undefined) {
        shareWith(shared, given);
        return shared.informer;
      }
      const source = createSource<T>(transport, apiVersion, kind, given, bucket);
      const informer = informerOf(source, { ...given, scheduler, random }, name);
      group.add(informer);
      informers.set(id, { informer, options: { ...given } } as Shared<T> as never);
      return informer;
    },
    start: (given) => group.start(stepsOf(group.all, given)),
    stop: () => group.stop(),
    shutdown: (given) => group.shutdown(timeoutIn(given)),
    waitForSync: (given) => group.waitForSync(timeoutIn(given)),
    states$: group.states$,
    health: (given) => healthOf(group.readiness(), context.scheduler.now(), given),
  };
}

/** One informer by itself. Throws InvalidOptionError. */
export function createInformer<V extends keyof Kinds, K extends keyof Kinds[V] & string>(
  cluster: KubeConfig | Cluster,
  apiVersion: V,
  kind: K,
  options?: InformerOptions<Kinds[V][K]>,
): Informer<Kinds[V][K]>;
export function createInformer<T extends KubernetesObject>(
  cluster: KubeConfig | Cluster,
  apiVersion: string,
  kind: string,
  options?: InformerOptions<T>,
): Informer<T>;
export function createInformer<T>(
  cluster: KubeConfig | Cluster,
  apiVersion: string,
  kind: string,
  options: InformerOptions<T> = {},
): Informer<T> {
  return informerOf(createSource<T>(transportTo(cluster), apiVersion, kind, options), options);
}

function transportTo(cluster: KubeConfig | Cluster): Transport {
  return createTransport(isKubeConfig(cluster) ? kubeConfigCluster(cluster) : cluster);
}

function bucketOf({ qps, burst }: FactoryOptions) {
  if (qps === undefined) return undefined;
  return createTokenBucket({ qps, burst: burst ?? Math.max(1, Math.ceil(qps * 2)) });
}

/** The same for all who share an informer, since it was found by them. */
const NEVER_CLASH: ReadonlySet<string> = new Set(['name', 'namespace', 'labelSelector', 'fieldSelector']);

interface Shared<T> {
  readonly informer: Informer<T>;
  /** Of all who share it. */
  options: SharedInformerOptions<T>;
}

/** Adds the indexes that are new. Throws InvalidOptionError where one informer cannot do what both ask for. */
function shareWith<T>(shared: Shared<T>, { indexers = {}, ...given }: SharedInformerOptions<T>): void {
  for (const [option, value] of Object.entries(given)) {
    if (NEVER_CLASH.has(option) || value === undefined) continue;
    if (!isDeepStrictEqual(value, shared.options[option as keyof SharedInformerOptions<T>])) {
      const wayOut = 'somebody else made this informer with another one; give this one a `name` of its own';
      throw new InvalidOptionError(option, value, wayOut);
    }
  }
  const present = shared.options.indexers ?? {};
  const added = Object.entries(indexers).filter(([name, indexOf]) => present[name] !== indexOf);
  shared.informer.store.addIndexers(Object.fromEntries(added));
  shared.options = { ...shared.options, indexers: { ...present, ...indexers } };
}
