import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { Cluster } from '../spec/e2e/cluster.ts';
import { podBody, podStatus } from './podBody.ts';

/** Requests under way at a time. */
const AT_ONCE = 16;

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A real kube-apiserver, with pods that its own clients could have made. */
export class RealPods {
  readonly cluster: Cluster;
  readonly #agent: Agent;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
    this.#agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, ca: cluster.ca });
  }

  static async start(): Promise<RealPods> {
    return new RealPods(await Cluster.start());
  }

  /** `owners`: the managers of their fields are those of a cluster that runs, too. */
  async create(count: number): Promise<void> {
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let index = next++; index < count; index = next++) await this.#createOne(index);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  /** Each pod as a watch tells it, in the bytes of the server. */
  async lines(): Promise<string[]> {
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const { body } = await this.#ask('GET', `/api/v1/pods?${query}&timeoutSeconds=2`);
    const start = '{"type":"ADDED","object":';
    const added = body.split('\n').filter((line) => line.startsWith(start));
    return added.map((line) => line.slice(start.length, -1));
  }

  close(): Promise<void> {
    this.#agent.destroy();
    return this.cluster.close();
  }

  async #createOne(index: number): Promise<void> {
    const pods = '/api/v1/namespaces/default/pods';
    const body = podBody(index);
    await this.#ask('POST', `${pods}?fieldManager=kube-controller-manager`, body);
    const status = `${pods}/${body.metadata.name}/status?fieldManager=kubelet`;
    await this.#ask('PATCH', status, { status: podStatus(index) });
  }

  async #ask(method: string, path: string, body?: object): Promise<Answer> {
    const { server } = this.cluster;
    const answer = await new Promise<Answer>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${this.cluster.token()}`,
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      };
      const asked = request(server + path, { method, headers, agent: this.#agent }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
      });
      asked.on('error', reject).end(body && JSON.stringify(body));
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.body}`);
    return answer;
  }
}
