import { resolve } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import { InformerError, InvalidOptionError } from '../errors.ts';
import { nearestName } from '../kubernetes/nearestName.ts';
import type { Cluster } from '../transport/cluster.ts';
import { kubeConfigCluster } from '../transport/kubeConfigCluster.ts';
import type { ClusterTarget } from './options.ts';
import { plain } from './view/text.ts';

export interface NamedCluster {
  readonly cluster: Cluster;
  /** For people: where it is and by which context. */
  readonly name: string;
}

/** The parts of a process that say where things are. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: () => string;
}

/** The package that reads kubeconfigs is not there, or not for this Node. */
export class ClientNodeError extends InformerError {
  readonly code = 'CLIENT_NODE';
  override readonly terminal = true;

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? plain(cause.message) : String(cause);
    super(
      `@kubernetes/client-node cannot be loaded on Node ${process.versions.node} (${reason}). Its version 2 needs ` +
        'undici 8, which needs a newer Node: install version 1.4, or put ' +
        '"overrides": {"@kubernetes/client-node": {"undici": "^7.30.2"}} in your package.json, or use Node 22 or newer.',
      { cause },
    );
  }
}

/**
 * The cluster of a context; client-node is loaded only now. Rejects with a ClientNodeError, or an
 * InvalidOptionError for a file or context that cannot be used.
 */
export async function clusterOf(target: ClusterTarget, surroundings: Surroundings): Promise<NamedCluster> {
  const { KubeConfig: Config } = await import('@kubernetes/client-node').catch((cause: unknown) => {
    throw new ClientNodeError(cause);
  });
  const load = () => loaded(new Config(), target, surroundings);
  const config = load();
  return {
    cluster: kubeConfigCluster(config, { reload: load }),
    name: `context ${config.getCurrentContext()}`,
  };
}

function loaded(config: KubeConfig, target: ClusterTarget, surroundings: Surroundings): KubeConfig {
  read(config, target, surroundings);
  const { context } = target;
  if (context === undefined) return config;
  const known = config.getContexts().map(({ name }) => name);
  if (!known.includes(context)) throw unknownContext(context, known);
  config.setCurrentContext(context);
  return config;
}

function read(
  config: KubeConfig,
  { kubeconfig: file, context }: ClusterTarget,
  { env, cwd }: Surroundings,
): void {
  try {
    // npm changes the folder, and says where it was.
    if (file === undefined) config.loadFromDefault();
    else config.loadFromFile(resolve(env['INIT_CWD'] ?? cwd(), file));
  } catch (error) {
    throw unreadable(file ?? env['KUBECONFIG'] ?? '~/.kube/config', error);
  }
  if (file === undefined && isMadeUp(config)) {
    throw new InvalidOptionError(
      '--context',
      context,
      'there is neither KUBECONFIG nor ~/.kube/config; name a file with --kubeconfig, or leave --context out for the demo',
    );
  }
}

/** Where there is no file, client-node makes up a cluster at localhost:8080. */
const isMadeUp = (config: KubeConfig): boolean =>
  config.getCurrentContext() === 'loaded-context' &&
  config.getCurrentCluster()?.server === 'http://localhost:8080';

function unreadable(file: string, error: unknown): InvalidOptionError {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  // The message of a parser quotes the file, in which there are secrets.
  const why = code === 'ENOENT' ? 'there is no such file' : 'it is no readable kubeconfig';
  return new InvalidOptionError(
    '--kubeconfig',
    file,
    `${why}${typeof code === 'string' ? ` (${code})` : ''}`,
  );
}

function unknownContext(context: string, known: readonly string[]): InvalidOptionError {
  if (known.length === 0)
    return new InvalidOptionError('--context', context, 'the kubeconfig has no contexts');
  const nearest = nearestName(context, known);
  const meant = nearest === undefined ? '' : `is ${nearest} meant? `;
  return new InvalidOptionError('--context', context, `${meant}the kubeconfig has ${known.join(', ')}`);
}
