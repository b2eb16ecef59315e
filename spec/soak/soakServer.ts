import { Load, type Step } from '../../src/cli/demo/load.ts';
import { type ApiServer, createApiServer } from '../../src/testing/apiServer.ts';
import type { Fault } from '../../src/testing/faults/fault.ts';
import type { FaultRun } from '../../src/testing/faults/playFaults.ts';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import { freePort } from '../e2e/ports.ts';
import { SELECTIONS } from './messages.ts';

export interface SoakServerOptions {
  readonly seed: number;
  readonly pods: number;
  /** Unit: events a second. */
  readonly rate: number;
  /** Unit: milliseconds. */
  readonly faultEvery: number;
}

/** How often the load catches up with its rate. Unit: milliseconds. */
const TICK = 20;
/** So that a cut of some seconds is got over without a list. Unit: seconds. */
const REMEMBERED = 20;
/** How long nobody can connect. Unit: milliseconds. */
const AWAY = 500;

type Mishap = Fault | 'close' | 'reset' | 'crash' | 'compaction';

/** What happens now and then: to all connections, or to the next request of each informer. */
const MISHAPS: readonly Mishap[] = [
  'close',
  'reset',
  'crash',
  'compaction',
  { kind: 'cut', afterBytes: 30_000 },
  { kind: 'truncate', afterBytes: 30_000 },
  { kind: 'cutCharacter' },
  { kind: 'reset', afterBytes: 30_000 },
  { kind: 'silence', afterBytes: 30_000 },
  { kind: 'status', code: 429, retryAfter: 1 },
  { kind: 'status', code: 500 },
  { kind: 'status', code: 503, retryAfter: 1 },
  { kind: 'status', code: 401 },
  { kind: 'html' },
  { kind: 'expired', as: 'http' },
  { kind: 'expired', as: 'event' },
  { kind: 'expired', as: 'line' },
  { kind: 'delay', by: 1_000 },
  { kind: 'pieces', size: 20_000, every: 20 },
  { kind: 'gzip', size: 20_000, every: 20 },
  { kind: 'duplicate' },
  { kind: 'reorder' },
  { kind: 'bookmarks' },
];

/** An API server with a load at a steady rate, and mishaps. */
export class SoakServer {
  readonly counts: Record<string, number> = {};
  writes = 0;
  readonly #api: ApiServer;
  readonly #options: SoakServerOptions;
  readonly #load: Load;
  readonly #random: () => number;
  readonly #timers: NodeJS.Timeout[] = [];
  /** What befalls the next request with that selector. */
  readonly #armed = new Map<string, Fault>();
  readonly #run: FaultRun;

  private constructor(api: ApiServer, options: SoakServerOptions) {
    this.#api = api;
    this.#options = options;
    this.#random = seededRandom(options.seed);
    this.#load = new Load(options);
    this.#run = api.playFaults(({ query: { labelSelector = '' } }) => {
      const fault = this.#armed.get(labelSelector);
      this.#armed.delete(labelSelector);
      return fault;
    });
    for (const pod of this.#load.first(now())) api.create(pod);
  }

  static async start(options: SoakServerOptions): Promise<SoakServer> {
    const api = await createApiServer({ port: await freePort(), history: REMEMBERED * options.rate });
    return new SoakServer(api, options);
  }

  get url(): string {
    return this.#api.url;
  }

  /** Writes and mishaps, until `calm`. */
  disturb(): void {
    const { rate, faultEvery } = this.#options;
    const begun = performance.now();
    const before = this.writes;
    this.#timers.push(
      setInterval(() => {
        const due = before + ((performance.now() - begun) * rate) / 1_000;
        while (this.writes < due) this.#write();
      }, TICK),
      setInterval(() => void this.#mishap(), faultEvery),
    );
  }

  calm(): void {
    for (const timer of this.#timers.splice(0)) clearInterval(timer);
    this.#armed.clear();
  }

  /** The version of each pod by its key, for each selection. */
  truth(): Record<string, Record<string, string>> {
    return Object.fromEntries(SELECTIONS.map((selector) => [selector, this.#versions(selector)]));
  }

  async close(): Promise<void> {
    this.calm();
    this.#run.stop();
    await this.#api.close();
  }

  #versions(labelSelector: string): Record<string, string> {
    const pods = this.#api.list('v1', 'Pod', { labelSelector });
    return Object.fromEntries(
      pods.map(({ metadata: { namespace, name, resourceVersion } = {} }) => [
        `${namespace ?? ''}/${name ?? ''}`,
        resourceVersion ?? '',
      ]),
    );
  }

  #write(): void {
    this.writes += 1;
    this.#do(this.#load.next(now()));
  }

  #do(step: Step): void {
    switch (step.type) {
      case 'create':
        this.#api.create(step.pod);
        break;
      case 'patch':
        this.#api.patch('v1', 'Pod', step.key, step.patch);
        break;
      case 'delete':
        this.#api.delete('v1', 'Pod', step.key);
    }
  }

  async #mishap(): Promise<void> {
    const mishap = MISHAPS[Math.floor(this.#random() * MISHAPS.length)] ?? 'reset';
    const name = typeof mishap === 'string' ? mishap : `${mishap.kind} of a request`;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    if (mishap === 'crash') {
      await this.#api.crash();
      setTimeout(() => void this.#api.restart(), AWAY);
      return;
    }
    if (mishap === 'compaction') this.#api.compact();
    if (typeof mishap !== 'string') for (const selector of SELECTIONS) this.#armed.set(selector, mishap);
    // So that there is a next request.
    this.#api.closeWatches({ reset: mishap !== 'close' });
  }
}

const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;
