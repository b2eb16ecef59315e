import { KubeConfig } from '@kubernetes/client-node';
import { asyncScheduler, firstValueFrom, from, timeout } from 'rxjs';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { kubeConfigCluster } from '../../src/transport/kubeConfigCluster.ts';
import type { Address } from '../scenario/apiClient.ts';
import type { Kubectl, ScenarioServer } from '../scenario/server.ts';
import { NAMESPACES, namespaceObject } from '../scenario/world.ts';
import { Cluster } from './cluster.ts';

/** Above that of each condition. Unit: milliseconds. */
const PATIENCE = 150_000;

/** A real kube-apiserver, kubectl and real time. */
export class RealServer implements ScenarioServer {
  readonly scheduler = asyncScheduler;
  readonly address: Address;
  readonly kubectl: Kubectl;
  readonly #cluster: Cluster;

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
    const headers = { authorization: `Bearer ${cluster.token()}` };
    this.address = { url: cluster.server, headers, ca: cluster.ca };
    this.kubectl = kubectlOf(cluster);
  }

  static async start(flags: readonly string[]): Promise<RealServer> {
    const cluster = await Cluster.start({ flags });
    const namespaces = { apiVersion: 'v1', kind: 'List', items: NAMESPACES.map(namespaceObject) };
    await cluster.kubectl(['create', '-f', '-'], { input: JSON.stringify(namespaces) });
    return new RealServer(cluster);
  }

  cluster() {
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromFile(this.#cluster.kubeconfig().path);
    return kubeConfigCluster(kubeConfig);
  }

  crash(): Promise<void> {
    return this.#cluster.kill9();
  }

  restart(): Promise<void> {
    return this.#cluster.restart();
  }

  async compact(): Promise<void> {
    await this.#cluster.compact();
    // What etcd has forgotten kube-apiserver may still have in its cache; it starts with an empty one.
    await this.#cluster.restart();
  }

  during<T>(work: Promise<T>): Promise<T> {
    return firstValueFrom(from(work).pipe(timeout({ first: PATIENCE })));
  }

  close(): Promise<void> {
    return this.#cluster.close();
  }
}

function kubectlOf(cluster: Cluster): Kubectl {
  const everywhere = ['configmaps', '--all-namespaces'];
  return {
    async create(objects) {
      const list = { apiVersion: 'v1', kind: 'List', items: objects };
      await cluster.kubectl(['create', '-f', '-', '-o', 'name'], { input: JSON.stringify(list) });
    },
    label: (selector, label, value) =>
      unlessGone(
        cluster.kubectl(['label', ...everywhere, '-l', selector, '--overwrite', `${label}=${value}`]),
      ),
    delete: (selector) =>
      unlessGone(cluster.kubectl(['delete', ...everywhere, '-l', selector, '--wait=false'])),
    async get(selector) {
      const list = await cluster.kubectl([
        'get',
        ...everywhere,
        '-l',
        selector,
        '-o',
        'json',
        '--show-managed-fields',
      ]);
      return (JSON.parse(list) as { items: ConfigMap[] }).items;
    },
  };
}

/** kubectl does what it can, and says at the end that some of what it had found was deleted by somebody else. */
async function unlessGone(work: Promise<string>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!String(error).includes('(NotFound)')) throw error;
  });
}
