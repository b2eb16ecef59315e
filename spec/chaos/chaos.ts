import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import { below, type Random } from '../scenario/world.ts';
import type { ChaosServer } from './chaosServer.ts';
import { ALL, crowded, followed } from './followed.ts';
import { Follower } from './follower.ts';
import { Ledger } from './ledger.ts';
import { type ChaosReport, reportOf } from './report.ts';
import { Weather } from './weather.ts';
import { Writer } from './writer.ts';

export interface ChaosOptions {
  readonly seed: number;
  /** How long, by the clock of the server. Unit: milliseconds. */
  readonly duration: number;
  /** So many subscribers on one informer, instead of several informers with a few each. */
  readonly crowd?: number | undefined;
  /** The longest calm between two storms. Unit: milliseconds. Default: that of the server. */
  readonly calm?: number | undefined;
  /** Is told at each quiet point. */
  readonly progress?: (report: ChaosReport) => void;
}

/** How many of what goes wrong are kept in words. */
const KEPT = 20;
/** How often it is looked whether all is quiet. */
const GLANCES = 720;

/**
 * Storms of writes and faults around several informers, quiet points behind them, at which everybody must have what the
 * server has, and calm until the next one. At the end all is stopped in the middle of a storm, and nothing may be left.
 */
export class Chaos {
  readonly ledger = new Ledger();
  readonly followers: readonly Follower[];
  readonly violations: string[] = [];
  readonly counts = { quietPoints: 0, comparisons: 0, lost: 0, invented: 0, violations: 0 };
  readonly options: ChaosOptions;
  readonly server: ChaosServer;
  readonly weather: Weather;
  leftovers: readonly string[] = [];
  /** So far, by the timers: the wall clock may leap. Unit: milliseconds. */
  elapsed = 0;
  readonly #random: Random;
  readonly #writer: Writer;

  constructor(server: ChaosServer, options: ChaosOptions) {
    const { seed, crowd } = options;
    this.server = server;
    this.options = options;
    this.#random = seededRandom(seed);
    this.#writer = new Writer(server, this.ledger, this.#random);
    const { watchTimeout } = server.tempo;
    const touch = (key: string): void => this.#writer.touch(key);
    this.followers = (crowd === undefined ? followed(watchTimeout) : crowded(watchTimeout, crowd)).map(
      (follower, index) => new Follower(server, this.ledger, follower, touch, seed * 100 + index * 10),
    );
    this.weather = new Weather({
      server,
      ledger: this.ledger,
      followers: this.followers,
      writer: this.#writer,
      random: this.#random,
      advance: (milliseconds) => this.#advance(milliseconds),
    });
  }

  /** Until the time is over, or something is lost that does not come any more. */
  async run(): Promise<ChaosReport> {
    const { tempo } = this.server;
    const { duration, progress, calm = tempo.calm } = this.options;
    while (this.elapsed < duration && this.counts.violations === 0) {
      await this.weather.storm(below(tempo.storm, this.#random));
      await this.#quietPoint();
      this.weather.gotOver();
      progress?.(this.report);
      await this.weather.calm(Math.min(below(calm, this.#random), duration - this.elapsed));
    }
    await this.weather.storm(tempo.gap);
    await this.#stop();
    return this.report;
  }

  get report(): ChaosReport {
    return reportOf(this);
  }

  async #quietPoint(): Promise<void> {
    const { patience } = this.server.tempo;
    const running = this.followers.filter((follower) => follower.running);
    const served = await Promise.all(running.map(({ selection }) => this.server.list(selection)));
    const truth = (at: number): readonly ConfigMap[] => served[at] ?? [];
    const isQuiet = (): boolean =>
      running.every((follower, at) => follower.informer.live && follower.has(truth(at)));
    const untilQuiet = async (): Promise<void> => {
      for (let glance = 0; glance < GLANCES && !isQuiet(); glance += 1)
        await this.#advance(patience / GLANCES);
    };
    await untilQuiet();
    // And so it stays, though a connection may be found dead only now.
    await this.#advance(this.server.tempo.gap);
    await untilQuiet();

    this.counts.quietPoints += 1;
    this.#note(this.ledger.differences(await this.server.list(ALL)));
    for (const [at, follower] of running.entries()) {
      const { lost, invented, compared } = follower.differences(truth(at));
      this.counts.comparisons += compared;
      if (!follower.informer.live) lost.push(`${follower.name}: it is not live`);
      this.counts.lost += lost.length;
      this.counts.invented += invented.length;
      this.#note([...lost, ...invented]);
    }
    this.#collect();
  }

  async #stop(): Promise<void> {
    this.server.disturb();
    for (const follower of this.followers) {
      await this.#writer.write();
      await this.#advance(this.server.tempo.gap ** this.#random() - 1);
      follower.stop();
    }
    await this.#advance(1_000);
    this.server.calm();
    this.leftovers = await this.server.leftovers();
    this.#note(this.leftovers.map((left) => `left at the end: ${left}`));
    this.#collect();
  }

  /** What was noticed wrong meanwhile. */
  #collect(): void {
    // The page of a proxy is no event. Whatever else cannot be read was damaged by the reader.
    const unreadable = this.followers.reduce((sum, { said }) => sum + said.unreadable, 0);
    const { pages } = this.server;
    if (unreadable > pages) {
      this.#note([`${String(unreadable)} events could not be read, where ${String(pages)} pages came`]);
    }
    for (const follower of this.followers) {
      follower.checkFigures();
      this.#note(follower.violations());
      for (const subscriber of follower.subscribers) {
        const invented = subscriber.invented();
        this.counts.invented += invented.length;
        this.#note(invented.map((what) => `${follower.name}: ${what}`));
      }
    }
  }

  #note(violations: readonly string[]): void {
    this.counts.violations += violations.length;
    const at = `after ${(this.elapsed / 60_000).toFixed(1)} min`;
    this.violations.push(
      ...violations.slice(0, KEPT - this.violations.length).map((violation) => `${at}: ${violation}`),
    );
  }

  async #advance(milliseconds: number): Promise<void> {
    await this.server.advance(milliseconds);
    this.elapsed += milliseconds;
  }
}
