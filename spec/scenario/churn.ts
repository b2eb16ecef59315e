import { firstValueFrom, timer } from 'rxjs';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import { ApiClient } from './apiClient.ts';
import type { ScenarioServer } from './server.ts';
import {
  anyColour,
  anyGroup,
  below,
  collectionOf,
  configMap,
  namespaceOf,
  pathOf,
  type Random,
} from './world.ts';

export interface ChurnOptions {
  readonly objects: number;
  readonly clients: number;
  /** The clients end after so many writes of all of them; with Infinity only with the server. */
  readonly writes: number;
  /** Each client gets a sequence of its own from it. */
  readonly random: Random;
}

export type WritableServer = Pick<ScenarioServer, 'address' | 'scheduler'>;

/** At the most, between two bursts of a client. Unit: milliseconds. */
const PAUSE = 10;
/** Writes at the same time of one client, at the most. */
const BURST = 8;
const EXPECTED: ReadonlySet<number> = new Set([200, 201, 404, 409]);

/** Parallel clients that change, delete and make objects at random; several may meet at one object. */
export class Churn {
  /** Resolves with the errors of the clients whose connection failed; rejects where an answer makes no sense. */
  readonly ended: Promise<unknown[]>;
  readonly #server: WritableServer;
  readonly #options: ChurnOptions;
  #writes = 0;
  #stopped = false;

  constructor(server: WritableServer, options: ChurnOptions) {
    this.#server = server;
    this.#options = options;
    const { clients: length, random } = options;
    const clients = Array.from({ length }, () => this.#client(seededRandom(random() * 2 ** 31)));
    this.ended = Promise.all(clients).then((errors) => errors.filter((error) => error !== undefined));
    // Whoever started it may look at it later.
    this.ended.catch(() => undefined);
  }

  /** After the writes under way, the clients end. */
  stop(): void {
    this.#stopped = true;
  }

  /** Those that changed something. */
  get writes(): number {
    return this.#writes;
  }

  async #client(random: Random): Promise<unknown> {
    const { writes } = this.#options;
    const client = new ApiClient(this.#server.address);
    try {
      while (this.#writes < writes && !this.#stopped) {
        await firstValueFrom(timer(below(PAUSE, random), this.#server.scheduler));
        const burst = Array.from({ length: 1 + below(BURST, random) }, () => this.#write(client, random));
        await Promise.all(burst);
      }
      return undefined;
    } catch (error) {
      if (error instanceof SenselessAnswer) throw error;
      return error;
    } finally {
      client.close();
    }
  }

  async #write(client: ApiClient, random: Random): Promise<void> {
    const number = below(this.#options.objects, random);
    const path = pathOf(number);
    const chance = random();
    if (chance < 0.5) await this.#send(client, 'PATCH', path, { data: { value: String(random()) } });
    else if (chance < 0.65)
      await this.#send(client, 'PATCH', path, { metadata: { labels: { colour: anyColour(random) } } });
    else if (chance < 0.8)
      await this.#send(client, 'PATCH', path, { metadata: { labels: { group: anyGroup(random) } } });
    else {
      const again = configMap(number, random);
      const lasting = random() < 0.3;
      await this.#send(client, 'DELETE', path);
      if (!lasting) await this.#send(client, 'POST', collectionOf(namespaceOf(number)), again);
    }
  }

  async #send(client: ApiClient, method: string, path: string, body?: unknown): Promise<void> {
    const answer = await client.send(method, path, body);
    if (!EXPECTED.has(answer.status)) {
      throw new SenselessAnswer(`${method} ${path}: ${String(answer.status)} ${JSON.stringify(answer.body)}`);
    }
    if (answer.status < 300) this.#writes += 1;
  }
}

class SenselessAnswer extends Error {}

/** Parallel clients make these objects. */
export async function createInParallel(
  server: WritableServer,
  numbers: readonly number[],
  clients: number,
  random: Random,
): Promise<void> {
  const waiting = numbers.map((number) => ({ number, object: configMap(number, random) }));
  const create = async (): Promise<void> => {
    const client = new ApiClient(server.address);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await firstValueFrom(timer(1, server.scheduler));
      const { status } = await client.send('POST', collectionOf(namespaceOf(next.number)), next.object);
      if (status !== 201) throw new Error(`creating ${pathOf(next.number)} was answered ${String(status)}`);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: clients }, create));
}
