import { createInformer } from '../../src/informer/factory.ts';
import { informerOf } from '../../src/informer/informerOf.ts';
import { createSource, type InformerOptions } from '../../src/informer/options.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { createApiServer } from '../../src/testing/apiServer.ts';
import { createClock } from '../../src/testing/clock.ts';
import { FAULT_KINDS, type Fault } from '../../src/testing/faults/fault.ts';
import type { FaultRun } from '../../src/testing/faults/playFaults.ts';
import { randomFaults } from '../../src/testing/faults/randomFaults.ts';
import type { FaultFunction } from '../../src/testing/faults/script.ts';
import type { LoggedRequest } from '../../src/testing/requestLog.ts';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import type { SteppedTime } from '../../src/testing/steppedTime.ts';
import { freePort } from '../e2e/ports.ts';
import type { ChaosServer, ListSelection, Tempo } from './chaosServer.ts';
import { type Climate, climateOf } from './climate.ts';
import { type SimulatedApi, simulatedApi } from './simulatedApi.ts';

interface Parts {
  readonly climate: Climate;
  readonly api: SimulatedApi;
  readonly time: SteppedTime;
  readonly faultOf: FaultFunction;
  informer(options: InformerOptions<ConfigMap>): ReturnType<ChaosServer['informer']>;
}

/** Begins at a time at which the seed is good for nothing. */
const START = Date.UTC(2026, 0, 1);
/** The embedded API server and all of its clients in one process, on time that is stepped. */
export class SteppedServer implements ChaosServer {
  readonly tempo: Tempo;
  readonly scheduler: SteppedTime;
  readonly #parts: Parts;
  readonly #runs: FaultRun[] = [];
  readonly writesAtOnce = true;
  pages = 0;
  /** The last version before it was set back. */
  #highest = 0n;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.scheduler = parts.time;
    this.tempo = {
      gap: parts.climate.gap,
      storm: 20 * parts.climate.gap,
      calm: parts.climate.calm,
      slow: 20_000,
      patience: 3_600_000,
      watchTimeout: 30,
      resync: 600_000,
      backoff: 30_000,
    };
  }

  /** Over real sockets. */
  static async embedded(seed: number): Promise<SteppedServer> {
    const time = createClock({ now: START });
    const random = seededRandom(seed);
    const climate = climateOf(seed);
    const api = await createApiServer({ ...climate, scheduler: time, random, port: await freePort() });
    return new SteppedServer({
      climate,
      api,
      time,
      faultOf: randomFaults(seed, climate),
      informer: (options) => createInformer<ConfigMap>(api.cluster(), 'v1', 'ConfigMap', options),
    });
  }

  /** Without sockets. */
  static simulated(seed: number): SteppedServer {
    const climate = climateOf(seed);
    const { api, time, transport } = simulatedApi(seed, { ...climate, now: START });
    // There is nothing to uncompress in between.
    const kinds = FAULT_KINDS.filter((kind) => kind !== 'gzip');
    return new SteppedServer({
      climate,
      api,
      time,
      faultOf: randomFaults(seed, { kinds, every: climate.every }),
      informer: (options) =>
        informerOf(createSource<ConfigMap>(transport, 'v1', 'ConfigMap', options), options),
    });
  }

  informer(options: InformerOptions<ConfigMap>) {
    return this.#parts.informer(options);
  }

  create(object: ConfigMap): Promise<ConfigMap> {
    return Promise.resolve(this.#parts.api.create(object));
  }

  patch(key: string, patch: object): Promise<ConfigMap> {
    return Promise.resolve(this.#parts.api.patch('v1', 'ConfigMap', key, patch) as ConfigMap);
  }

  delete(key: string): Promise<void> {
    this.#parts.api.delete('v1', 'ConfigMap', key);
    return Promise.resolve();
  }

  list({ namespace = '', labelSelector = '' }: ListSelection): Promise<ConfigMap[]> {
    return Promise.resolve(
      this.#parts.api.list('v1', 'ConfigMap', { namespace, labelSelector }) as ConfigMap[],
    );
  }

  advance(milliseconds: number): Promise<void> {
    return this.#parts.time.advance(milliseconds);
  }

  disturb(): void {
    const { api, faultOf } = this.#parts;
    const counted = (request: LoggedRequest): Fault | undefined => {
      const fault = faultOf(request);
      if (request.verb === 'watch' && fault?.kind === 'html' && fault.code === 200) this.pages += 1;
      return fault;
    };
    this.#runs.push(api.playFaults(counted));
  }

  calm(): void {
    this.#runs.at(-1)?.stop();
  }

  get faults(): Record<string, number> {
    const sums = FAULT_KINDS.map((kind) => [
      kind,
      this.#runs.reduce((sum, { counts }) => sum + counts[kind], 0),
    ]);
    return Object.fromEntries(sums) as Record<string, number>;
  }

  closeWatches(reset: boolean): void {
    this.#parts.api.closeWatches({ reset });
  }

  compact(): Promise<void> {
    this.#parts.api.compact();
    return Promise.resolve();
  }

  backup(): () => void {
    const { api } = this.#parts;
    const restore = api.backup();
    return () => {
      this.#highest = this.#highest > this.#version ? this.#highest : this.#version;
      restore();
    };
  }

  catchUp(): void {
    const { api } = this.#parts;
    const another = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'another' } };
    if (api.get('v1', 'Namespace', 'another') === undefined) api.create(another);
    for (let at = 0; this.#version <= this.#highest; at += 1)
      api.patch('v1', 'Namespace', 'another', { metadata: { annotations: { at: String(at) } } });
  }

  get #version(): bigint {
    return BigInt(this.#parts.api.resourceVersion);
  }

  crash(): Promise<void> {
    return this.#parts.api.crash();
  }

  restart(): Promise<void> {
    return this.#parts.api.restart();
  }

  async leftovers(): Promise<string[]> {
    const { api, time } = this.#parts;
    await time.settle();
    const left = { connections: api.connections, watches: api.watches, timers: time.pending };
    return Object.entries(left)
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${String(count)} ${what}`);
  }

  async close(): Promise<void> {
    await this.#parts.api.close();
    this.#parts.time.dispose();
  }
}
