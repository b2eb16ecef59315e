import { below, type Random } from '../scenario/world.ts';
import type { ChaosServer } from './chaosServer.ts';
import type { Follower } from './follower.ts';
import type { Ledger } from './ledger.ts';
import type { Writer } from './writer.ts';

/** Writes at once, at the most. */
const BURST = 20;
/** While the server is away. */
const WRITES_UNSEEN = 10;
/** In how many storms a server is set back. */
const RESTORES = 0.15;
/** How often it is noted down what there is. */
const BACKUPS = 0.05;
/** How much rarer everything is while it is calm. */
const CALMER = 20;

export interface World {
  readonly server: ChaosServer;
  readonly ledger: Ledger;
  readonly followers: readonly Follower[];
  readonly writer: Writer;
  readonly random: Random;
  /** Unit: milliseconds. */
  readonly advance: (milliseconds: number) => Promise<void>;
}

/** What happens between two quiet points: a storm, or little of it. */
export class Weather {
  readonly counts = { crash: 0, compaction: 0, restore: 0 };
  readonly #world: World;
  /** The way back to an earlier state of the server. */
  #restore: (() => void) | undefined;
  #isSetBack = false;

  constructor(world: World) {
    this.#world = world;
  }

  async storm(duration: number): Promise<void> {
    const { server, writer } = this.#world;
    server.disturb();
    writer.touches = true;
    await this.#actFor(duration, server.tempo.gap, () => this.#act());
    writer.touches = false;
    if (this.#world.random() < RESTORES) await this.#setBack();
    server.calm();
  }

  /** Nothing that is started now may fail. */
  async calm(duration: number): Promise<void> {
    const { server, followers } = this.#world;
    // A connection that is silent since the storm may be found dead before that.
    const settled = 25 * 1_000 * server.tempo.watchTimeout;
    await this.#actFor(Math.min(settled, duration), CALMER * server.tempo.gap, () => this.#actCalmly());
    for (const { said } of followers) said.calm = true;
    await this.#actFor(duration - settled, CALMER * server.tempo.gap, () => this.#actCalmly());
    for (const { said } of followers) said.calm = false;
  }

  /** Everybody has got over it that the server was set back. */
  gotOver(): void {
    if (!this.#isSetBack) return;
    const { server, followers } = this.#world;
    this.#isSetBack = false;
    server.catchUp?.();
    for (const follower of followers) follower.ordered = true;
  }

  /** One thing after the other, with a wait before each. */
  async #actFor(duration: number, gap: number, act: () => Promise<void>): Promise<void> {
    const { random, advance } = this.#world;
    for (let left = duration; left > 0; ) {
      const wait = gap ** random() - 1;
      await advance(wait);
      left -= wait;
      await act();
    }
  }

  async #act(): Promise<void> {
    const { server, writer, random, advance } = this.#world;
    const chance = random();
    if (chance < 0.75) await writer.write();
    else if (chance < 0.8) await this.#write(below(BURST, random));
    else if (chance < 0.97) this.#comeOrGo();
    else if (chance < 0.98) {
      this.counts.compaction += 1;
      await server.compact();
    } else {
      // What is written in one piece may come in another order, so it has to arrive as a whole.
      await advance(1_000);
      if (chance < 0.993) server.closeWatches(random() < 0.5);
      else await this.#crash();
    }
    if (random() < BACKUPS) this.#backUp();
  }

  async #actCalmly(): Promise<void> {
    if (this.#world.random() < 0.7) await this.#world.writer.write();
    else this.#comeOrGo();
  }

  #comeOrGo(): void {
    const { followers, random } = this.#world;
    followers[below(followers.length, random)]?.comeOrGo();
  }

  async #crash(): Promise<void> {
    const { server, random, advance } = this.#world;
    this.counts.crash += 1;
    await server.crash();
    await this.#write(below(WRITES_UNSEEN, random));
    await advance(below(2 * server.tempo.gap, random));
    await server.restart();
  }

  #backUp(): void {
    const { server, ledger } = this.#world;
    const restoreServer = server.backup?.();
    const restoreLedger = ledger.backup();
    if (restoreServer === undefined) return;
    this.#restore = () => {
      restoreServer();
      restoreLedger();
    };
  }

  /** Until everybody has got over it nobody writes: which of two histories has a version, nobody could tell then. */
  async #setBack(): Promise<void> {
    const { server, followers, random, advance } = this.#world;
    if (this.#restore === undefined) return;
    this.counts.restore += 1;
    this.#isSetBack = true;
    for (const follower of followers) follower.ordered = false;
    await server.crash();
    await advance(below(2 * server.tempo.gap, random));
    this.#restore();
    this.#restore = undefined;
    await server.restart();
    await advance(below(2 * server.tempo.gap, random));
  }

  async #write(times: number): Promise<void> {
    for (let left = times; left > 0; left -= 1) await this.#world.writer.write();
  }
}
