import { setTimeout } from 'node:timers/promises';
import { ApiClient } from '../../scenario/apiClient.ts';
import type { Cluster } from '../cluster.ts';

const GROUP = 'rbac.authorization.k8s.io';
const RBAC = `/apis/${GROUP}/v1`;
const ROLES = `${RBAC}/namespaces/default/roles`;
const BINDINGS = `${RBAC}/namespaces/default/rolebindings`;

export interface Subject {
  readonly kind: 'User' | 'ServiceAccount';
  readonly name: string;
}

export function clientOf(cluster: Cluster, user: string, server = cluster.server): ApiClient {
  const headers = { authorization: `Bearer ${cluster.token(user)}` };
  return new ApiClient({ url: server, headers, ca: cluster.ca });
}

/** Does what an administrator does, straight at the server. */
export class Admin {
  readonly #client: ApiClient;

  /** `server`: the address of one of its servers. Default: the first. */
  constructor(cluster: Cluster, server?: string) {
    this.#client = clientOf(cluster, 'admin', server);
  }

  /** Errors where the server refuses. */
  async request(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.#client.send(method, path, body);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${String(answer.status)} ${JSON.stringify(answer.body)}`);
  }

  /** Resolves when there is something at this path. */
  async untilServed(path: string): Promise<void> {
    while ((await this.#client.send('GET', path)).status !== 200) await setTimeout(50);
  }

  /** Makes a role for config maps in the namespace `default`. */
  async createRole(name: string, verbs: readonly string[]): Promise<void> {
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs }];
    await this.request('POST', ROLES, { metadata: { name }, rules });
  }

  async allow({ kind, name }: Subject, role: string): Promise<void> {
    const subject = kind === 'User' ? { apiGroup: GROUP } : { namespace: 'default' };
    await this.request('POST', BINDINGS, {
      metadata: { name },
      roleRef: { apiGroup: GROUP, kind: 'Role', name: role },
      subjects: [{ kind, name, ...subject }],
    });
  }

  /** Takes away what was allowed. */
  async forbid({ name }: Subject): Promise<void> {
    await this.request('DELETE', `${BINDINGS}/${name}`);
  }

  close(): void {
    this.#client.close();
  }
}
