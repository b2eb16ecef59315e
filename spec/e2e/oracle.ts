import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { build } from './build.ts';
import type { Cluster } from './cluster.ts';
import type { Conversation } from './guard.ts';
import type { ObjectEvent, State } from './history.ts';

type Line =
  | ObjectEvent
  | { readonly type: 'synced' }
  | { readonly type: 'store'; readonly store?: readonly State[] };

/** client-go's informer of the config maps of all namespaces, a process of its own. */
export class Oracle {
  /** What it told so far. */
  readonly events: ObjectEvent[] = [];
  readonly #program: Conversation;
  #synced = false;
  #store: readonly State[] = [];

  private constructor(program: Conversation) {
    this.#program = program;
    createInterface({ input: program.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Line;
      if (line.type === 'synced') this.#synced = true;
      else if (line.type === 'store') this.#store = line.store ?? [];
      else this.events.push(line);
    });
  }

  /** `server`: the address of one of the servers of the cluster. */
  static async follow(cluster: Cluster, server = cluster.server): Promise<Oracle> {
    const { path } = cluster.kubeconfig('admin', server);
    const log = cluster.path(`oracle-${new URL(server).port}.log`);
    const program = await build('oracle');
    return new Oracle(await cluster.guard.converse(program, [path, 'v1/configmaps'], log));
  }

  /** Whether it has told the first list. */
  get synced(): boolean {
    return this.#synced;
  }

  /** Ends it, and resolves with what its store held at the end. */
  async end(): Promise<readonly State[]> {
    const closed = once(this.#program, 'close');
    this.#program.stdin.end();
    await closed;
    return this.#store;
  }
}
