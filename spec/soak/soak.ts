import { setTimeout as sleep } from 'node:timers/promises';
import { InformerClient } from './informerClient.ts';
import type { Comparison } from './messages.ts';
import { type Figures, type Growth, growthOf, leaksOf, type Sample } from './samples.ts';
import { SoakServer, type SoakServerOptions } from './soakServer.ts';

export interface SoakOptions extends SoakServerOptions {
  /** Unit: milliseconds. */
  readonly duration: number;
  readonly sampled: (sample: Sample) => void;
}

export interface SoakReport {
  readonly seed: number;
  readonly minutes: number;
  readonly writes: number;
  /** By what happened. */
  readonly mishaps: Readonly<Record<string, number>>;
  readonly quietPoints: number;
  /** At the last quiet point. */
  readonly comparison: Comparison;
  /** At the first quiet point, at the last, and after everything was stopped. */
  readonly before: Figures;
  readonly after: Figures;
  readonly stopped: Figures;
  readonly growth: readonly Growth[];
  readonly samples: readonly Sample[];
  /** Whatever is wrong, in words. */
  readonly wrong: readonly string[];
}

/** Unit: milliseconds. */
const LONGEST_SAMPLE = 30_000;
const SAMPLES = 16;
const JOIN_EVERY = 60_000;
const QUIET_EVERY = 300_000;
/** Until everybody has got over everything. */
const PATIENCE = 180_000;
const GLANCE = 1_000;

/** A load and mishaps in real time, and what becomes of the process of the informers meanwhile. */
export class Soak {
  readonly #options: SoakOptions;
  readonly #server: SoakServer;
  readonly #informers = new InformerClient();
  readonly #samples: Sample[] = [];
  readonly #wrong: string[] = [];
  #quietPoints = 0;

  private constructor(server: SoakServer, options: SoakOptions) {
    this.#server = server;
    this.#options = options;
  }

  static async run(options: SoakOptions): Promise<SoakReport> {
    const soak = new Soak(await SoakServer.start(options), options);
    try {
      return await soak.#run();
    } finally {
      await soak.#informers.close();
      await soak.#server.close();
    }
  }

  async #run(): Promise<SoakReport> {
    const { seed, duration } = this.#options;
    await this.#informers.ask({ type: 'start', server: this.#server.url, seed });
    // A guest is there at each quiet point.
    await this.#informers.ask({ type: 'join' });
    await this.#quiet();
    const before = await this.#figures();
    for (let left = duration; left > 0; left -= QUIET_EVERY) {
      await this.#storm(duration - left, Math.min(left, QUIET_EVERY));
      await this.#quiet();
    }
    const after = await this.#restored(before);
    const comparison = await this.#quiet();
    const stopped = await this.#stopped();
    const growth = growthOf(this.#samples);
    this.#wrong.push(
      ...leaksOf(before, after),
      ...leaksOf(NOTHING, stopped).map((leak) => `${leak}, after everything was stopped`),
      ...growth.filter(({ flat }) => !flat).map(({ figure }) => `${figure} grows`),
    );
    return {
      seed,
      minutes: duration / 60_000,
      writes: this.#server.writes,
      mishaps: this.#server.counts,
      quietPoints: this.#quietPoints,
      comparison,
      before,
      after,
      stopped,
      growth,
      samples: this.#samples,
      wrong: [...new Set(this.#wrong)],
    };
  }

  async #storm(from: number, duration: number): Promise<void> {
    const sampleEvery = Math.min(LONGEST_SAMPLE, this.#options.duration / SAMPLES);
    const begun = performance.now();
    this.#server.disturb();
    let joined = 0;
    const elapsed = (): number => performance.now() - begun;
    for (let due = sampleEvery; due <= duration && elapsed() < duration; due += sampleEvery) {
      await sleep(Math.max(0, due - elapsed()));
      const second = Math.round((from + elapsed()) / 1_000);
      const sample = { second, ...(await this.#figures()) };
      this.#samples.push(sample);
      this.#options.sampled(sample);
      if (elapsed() - joined < JOIN_EVERY) continue;
      joined = elapsed();
      await this.#informers.ask({ type: 'join' });
    }
    await sleep(Math.max(0, duration - elapsed()));
    this.#server.calm();
  }

  /** Waits until everybody has what the server has; if that does not come, it is noted. */
  async #quiet(): Promise<Comparison> {
    this.#quietPoints += 1;
    const end = performance.now() + PATIENCE;
    let comparison = await this.#compare();
    while (comparison.lost + comparison.invented > 0 && performance.now() < end) {
      await sleep(GLANCE);
      comparison = await this.#compare();
    }
    this.#wrong.push(...comparison.wrong);
    return comparison;
  }

  /** As soon as there is no more than before: a failed watch may wait for its next try. */
  async #restored(before: Figures): Promise<Figures> {
    const end = performance.now() + PATIENCE;
    let after = await this.#figures();
    while (leaksOf(before, after).length > 0 && performance.now() < end) {
      await sleep(GLANCE);
      after = await this.#figures();
    }
    return after;
  }

  async #stopped(): Promise<Figures> {
    await this.#informers.ask({ type: 'stop' });
    return this.#restored(NOTHING);
  }

  #compare(): Promise<Comparison> {
    return this.#informers.ask({ type: 'compare', truth: this.#server.truth() });
  }

  #figures(): Promise<Figures> {
    return this.#informers.ask({ type: 'sample' });
  }
}

const NOTHING: Figures = { heap: 0, external: 0, rss: 0, sockets: 0, timers: 0, listeners: 0 };
