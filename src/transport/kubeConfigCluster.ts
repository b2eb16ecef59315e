import type { Agent } from 'node:http';
import type { RequestOptions } from 'node:https';
import type { Cluster as ClusterEntry, KubeConfig } from '@kubernetes/client-node';
import { InvalidOptionError } from '../errors.ts';
import { type Cluster, type Credentials, TLS_MATERIAL, type TlsMaterial } from './cluster.ts';

export interface KubeConfigClusterOptions {
  /**
   * Loads the KubeConfig anew after the server refused the credentials, or a certificate was not accepted. Give it
   * where the file itself may change, since a KubeConfig does not remember what it was loaded from.
   *
   * Default: the same clusters, users and contexts, without the tokens that were cached for them.
   */
  readonly reload?: (() => KubeConfig) | undefined;
}

/**
 * The cluster and user of the current context.
 *
 * Errors: InvalidOptionError when there is no current cluster, or its address cannot be used.
 */
export function kubeConfigCluster(kubeConfig: KubeConfig, options: KubeConfigClusterOptions = {}): Cluster {
  if (!isKubeConfig(kubeConfig)) {
    throw new InvalidOptionError(
      'kubeConfig',
      typeof kubeConfig,
      'give a KubeConfig of @kubernetes/client-node',
    );
  }
  let current = kubeConfig;
  let stale = false;
  let loading: Promise<Credentials> | undefined;
  currentCluster(current);

  const load = async () => {
    if (stale) {
      const renewed = options.reload?.() ?? withoutCaches(current);
      currentCluster(renewed);
      current = renewed;
      stale = false;
    }
    return credentialsOf(current);
  };

  return {
    get server() {
      return currentCluster(current).server;
    },
    credentials() {
      // Many that start at the same time would otherwise each run the exec plugin.
      if (loading === undefined) {
        const own = load().finally(() => {
          if (loading === own) loading = undefined;
        });
        loading = own;
      }
      return loading;
    },
    renew() {
      stale = true;
      loading = undefined;
      return Promise.resolve();
    },
    abandoned() {
      loading = undefined;
    },
  };
}

/** By its shape, since several copies of client-node may be loaded. */
export function isKubeConfig(value: unknown): value is KubeConfig {
  const candidate = value as Partial<KubeConfig> | null | undefined;
  return (
    typeof candidate?.getCurrentCluster === 'function' && typeof candidate.applyToHTTPSOptions === 'function'
  );
}

function currentCluster(kubeConfig: KubeConfig): ClusterEntry {
  const cluster = kubeConfig.getCurrentCluster();
  if (cluster === null) {
    throw new InvalidOptionError(
      'kubeConfig.currentContext',
      kubeConfig.getCurrentContext(),
      'it names no context with a cluster; load a file that has one, or call setCurrentContext with the name of one',
    );
  }
  if (!/^https?:\/\//i.test(cluster.server) || !URL.canParse(cluster.server)) {
    throw new InvalidOptionError('cluster.server', cluster.server, 'it must be an http: or https: URL');
  }
  return cluster;
}

async function credentialsOf(kubeConfig: KubeConfig): Promise<Credentials> {
  const cluster = currentCluster(kubeConfig);
  const options: RequestOptions = {};
  await forOneConnection(kubeConfig, cluster).applyToHTTPSOptions(options);
  return {
    headers: headersOf(options),
    tls: tlsOf(options),
    agent: cluster.proxyUrl ? destroyable(options.agent as ProxyAgent | undefined) : undefined,
  };
}

/** Such an agent knows nothing of a tunnel that the proxy has not opened yet, which would go on by itself. */
function destroyable(agent: ProxyAgent | undefined): Agent | undefined {
  if (agent?.proxyRequestOptions === undefined) return agent;
  const tunnel = new AbortController();
  agent.proxyRequestOptions = { ...agent.proxyRequestOptions, signal: tunnel.signal };
  const destroy = agent.destroy.bind(agent);
  agent.destroy = () => {
    tunnel.abort();
    destroy();
  };
  return agent;
}

/** What `hpagent` asks a proxy with. */
type ProxyAgent = Agent & { proxyRequestOptions?: RequestOptions };

/**
 * The same KubeConfig, except that a plain `http:` cluster needs no `skipTLSVerify` (there is no TLS whose
 * check could be skipped), and that no agent is cached by the names of cluster and user, where it would
 * outlive its certificates.
 */
function forOneConnection(kubeConfig: KubeConfig, cluster: ClusterEntry): KubeConfig {
  const view = Object.create(kubeConfig, { agentCache: { value: new Map() } }) as KubeConfig;
  if (isPlain(cluster)) view.getCurrentCluster = () => ({ ...cluster, skipTLSVerify: true });
  return view;
}

const isPlain = (cluster: ClusterEntry): boolean => cluster.server.toLowerCase().startsWith('http:');

function headersOf({ headers = {}, auth }: RequestOptions): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // A token read from a file ends with a line break, which a header may not contain.
    if (value !== undefined) result[name] = String(value).trim();
  }
  if (auth) result['Authorization'] = `Basic ${Buffer.from(auth).toString('base64')}`;
  return result;
}

function tlsOf(options: RequestOptions): TlsMaterial {
  return Object.fromEntries(
    TLS_MATERIAL.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]),
  );
}

/**
 * Tokens of exec plugins, token files and OpenID Connect are cached in the authenticators of a KubeConfig,
 * which each instance has anew; what the user added to it (authenticators) is carried over.
 */
function withoutCaches(kubeConfig: KubeConfig): KubeConfig {
  if (typeof kubeConfig.loadFromOptions !== 'function') return kubeConfig;
  const renewed = new (kubeConfig.constructor as new () => KubeConfig)();
  renewed.loadFromOptions({
    clusters: kubeConfig.getClusters(),
    users: kubeConfig.getUsers(),
    contexts: kubeConfig.getContexts(),
    currentContext: kubeConfig.getCurrentContext(),
  });
  const { custom_authenticators: added = [] } = kubeConfig as unknown as WithAuthenticators;
  for (const authenticator of added) renewed.addAuthenticator(authenticator);
  return renewed;
}

interface WithAuthenticators {
  readonly custom_authenticators?: Parameters<KubeConfig['addAuthenticator']>[0][];
}
