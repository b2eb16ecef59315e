import { firstValueFrom, type SchedulerLike, timer } from 'rxjs';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { type ApiServer, createApiServer } from '../../src/testing/apiServer.ts';
import { createClock, type SteppedClock } from '../../src/testing/clock.ts';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import { freePort } from '../e2e/ports.ts';
import { type Address, ApiClient } from './apiClient.ts';
import type { Kubectl, ScenarioServer } from './server.ts';
import { collectionOf, NAMESPACES, namespaceObject } from './world.ts';

/** Unit: milliseconds. */
const STEP = 10;
/** How long it is away when it crashed. Unit: milliseconds. */
const AWAY = 5_000;

export interface EmbeddedOptions {
  readonly seed: number;
  readonly watchList: boolean;
}

/** The embedded API server, its clients and its time in one process. */
export class EmbeddedServer implements ScenarioServer {
  readonly clock: SteppedClock;
  readonly api: ApiServer;
  readonly scheduler: SchedulerLike;
  readonly kubectl: Kubectl;

  private constructor(clock: SteppedClock, api: ApiServer) {
    this.clock = clock;
    this.api = api;
    this.scheduler = ticking(clock);
    this.kubectl = standIn(this.address, clock);
  }

  static async start({ seed, watchList }: EmbeddedOptions): Promise<EmbeddedServer> {
    const clock = createClock({ now: Date.UTC(2026, 0, 1) });
    const random = seededRandom(seed);
    const api = await createApiServer({ scheduler: clock, random, watchList, port: await freePort() });
    for (const name of NAMESPACES) api.create(namespaceObject(name));
    return new EmbeddedServer(clock, api);
  }

  get address(): Address {
    return { url: this.api.url, headers: {} };
  }

  cluster() {
    return this.api.cluster();
  }

  crash(): Promise<void> {
    return this.api.crash();
  }

  async restart(): Promise<void> {
    await this.clock.advance(AWAY);
    await this.api.restart();
  }

  compact(): Promise<void> {
    this.api.compact();
    return Promise.resolve();
  }

  async during<T>(work: Promise<T>): Promise<T> {
    const waiting = new Set([work]);
    const settled = (): void => waiting.clear();
    work.then(settled, settled);
    while (waiting.size > 0) await this.clock.advance(STEP);
    return work;
  }

  async close(): Promise<void> {
    await this.api.close();
    this.clock.dispose();
  }
}

/**
 * The same time, except that it goes on a little each time somebody looks at it: so work that is done in slices is,
 * with everything else in between.
 */
function ticking(clock: SteppedClock): SchedulerLike {
  let ticks = 0;
  return {
    now() {
      ticks += 1;
      return clock.now() + ticks / 2;
    },
    schedule: clock.schedule.bind(clock),
  };
}

/** The requests that kubectl makes. */
function standIn(address: Address, scheduler: SchedulerLike): Kubectl {
  const each = async (
    selector: string,
    ask: (client: ApiClient, path: string) => Promise<unknown>,
  ): Promise<void> => {
    const client = new ApiClient(address);
    for (const { metadata } of await itemsOf(client, selector))
      await ask(client, `${collectionOf(metadata?.namespace ?? '')}/${metadata?.name ?? ''}`);
    client.close();
  };
  return {
    async create(objects) {
      const client = new ApiClient(address);
      for (const object of objects) {
        await firstValueFrom(timer(1, scheduler));
        await client.send('POST', collectionOf(object.metadata?.namespace ?? ''), object);
      }
      client.close();
    },
    label: (selector, label, value) =>
      each(selector, (client, path) =>
        client.send('PATCH', path, { metadata: { labels: { [label]: value } } }),
      ),
    delete: (selector) => each(selector, (client, path) => client.send('DELETE', path)),
    async get(selector) {
      const client = new ApiClient(address);
      const items = await itemsOf(client, selector);
      client.close();
      return items.map((item) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...item }));
    },
  };
}

async function itemsOf(client: ApiClient, selector: string): Promise<ConfigMap[]> {
  const query = `labelSelector=${encodeURIComponent(selector)}`;
  const { body } = await client.send('GET', `/api/v1/configmaps?${query}`);
  return (body as { items: ConfigMap[] }).items;
}
