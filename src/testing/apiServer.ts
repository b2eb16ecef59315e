import type { KubernetesObject } from '../kubernetes/objects.ts';
import type { Cluster } from '../transport/cluster.ts';
import { backupOf, type ControlPlaneOptions, createControlPlane } from './controlPlane.ts';
import { type FaultRun, playFaults } from './faults/playFaults.ts';
import type { FaultScript } from './faults/script.ts';
import { type Interceptor, Interceptors } from './interceptors.ts';
import type { ServedKind } from './kinds.ts';
import { kubeconfigOf } from './kubeconfig.ts';
import { Listener } from './listener.ts';
import { LocalAccess } from './localAccess.ts';
import { RequestHandler } from './requestHandler.ts';
import { type LoggedRequest, RequestLog } from './requestLog.ts';

export interface ApiServerOptions extends ControlPlaneOptions {
  /** The bearer token that requests must carry, or they are answered 401. Default: none is asked for. */
  readonly token?: string;
  /** The port on 127.0.0.1. Default: a free one. */
  readonly port?: number;
}

/** A Kubernetes API server in this process, over real HTTP on the loopback. */
export interface ApiServer
  extends Pick<LocalAccess, 'create' | 'update' | 'patch' | 'delete' | 'get' | 'list'> {
  readonly url: string;
  /** Of the last change of anything. */
  readonly resourceVersion: string;
  /** What requests must carry from now on; `undefined`: nothing. */
  token: string | undefined;
  /** The last 10,000 requests, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** How many sockets are open. */
  readonly connections: number;
  /** How many watches are being answered. */
  readonly watches: number;
  /** For the transport of this package. */
  cluster(): Cluster;
  /** For kubectl and KubeConfig. */
  kubeconfig(): string;
  /** Serves one more kind, or the same in another way. */
  register(kind: ServedKind): void;
  /** Stops serving a kind and ends its watches; its objects stay. */
  unregister(kind: ServedKind): void;
  /** Forgets the history: older versions and the continue tokens of older lists are expired. */
  compact(): void;
  /**
   * Returns the way back to what there is now, as if the server were restored from a backup: objects and versions of
   * this moment, no history, and all watches reset. Which kinds are served stays as it is.
   */
  backup(): () => void;
  /** Is told of each request as it comes in; returns the way to stop that. */
  onRequest(listener: (request: LoggedRequest) => void): () => void;
  /** Answers or disturbs requests by hand, the newest interceptor first; returns the way to take it out. */
  intercept(interceptor: Interceptor): () => void;
  /**
   * Plays faults on the requests that come in from now on: by a script, or at random (`randomFaults`).
   *
   * Errors: InvalidOptionError.
   */
  playFaults(script: FaultScript): FaultRun;
  /** Ends all watches: cleanly, or by a reset of their connections. */
  closeWatches(how?: { readonly reset?: boolean }): void;
  /**
   * Resets all connections and refuses new ones until `restart`; the objects and their history stay. Give the server a
   * `port` below those that the operating system hands out: one of its own clients could get another in the meantime.
   */
  crash(): Promise<void>;
  /** Listens again at the same address. Errors: that of the operating system where somebody else does so. */
  restart(): Promise<void>;
  /** Ends everything: no socket and no timer is left. */
  close(): Promise<void>;
}

const loggedRequests = 10_000;
const systemNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/**
 * Starts one. Caveats: there are no controllers, no admission beyond namespaces, no defaults and no validation of what
 * is particular to a kind.
 *
 * Errors: InvalidOptionError; the error of `listen` where the port is taken.
 */
export async function createApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const plane = createControlPlane(options);
  const local = new LocalAccess(plane.registry, plane.storage, plane.kinds, plane.namespaces);
  for (const name of systemNamespaces) local.createNamespace(name);

  const access = { token: options.token };
  const log = new RequestLog(loggedRequests);
  const interceptors = new Interceptors();
  const handler = new RequestHandler(plane, log, interceptors, access);
  const listener = new Listener((...exchange) => handler.handle(...exchange), options.port);
  await listener.listen();
  const { url } = listener;

  return {
    url,
    get resourceVersion() {
      return String(plane.storage.version);
    },
    get token() {
      return access.token;
    },
    set token(token) {
      access.token = token;
    },
    get requests() {
      return log.entries;
    },
    get connections() {
      return listener.connections;
    },
    get watches() {
      return plane.streams.count;
    },
    create: <T extends KubernetesObject>(object: T) => local.create(object),
    update: (object) => local.update(object),
    patch: (...args) => local.patch(...args),
    delete: (...args) => local.delete(...args),
    get: (...args) => local.get(...args),
    list: (...args) => local.list(...args),
    cluster: () => ({
      server: url,
      credentials: () => Promise.resolve({ headers: headersOf(access.token), tls: {}, agent: undefined }),
      renew: () => Promise.resolve(),
    }),
    kubeconfig: () => kubeconfigOf(url, access.token),
    register: (kind) => plane.kinds.register(kind),
    unregister: (kind) => plane.kinds.unregister(kind),
    compact: () => plane.storage.compact(),
    backup: () => backupOf(plane),
    onRequest: (told) => log.listen(told),
    intercept: (interceptor) => interceptors.add(interceptor),
    playFaults: (script) => playFaults(plane, interceptors, script),
    closeWatches: (how) => plane.streams.close(how),
    crash: () => listener.close({ reset: true }),
    restart: () => listener.listen(),
    async close() {
      plane.streams.close();
      await listener.close();
    },
  };
}

const headersOf = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { Authorization: `Bearer ${token}` };
