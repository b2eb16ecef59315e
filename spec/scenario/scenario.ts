import { BehaviorSubject, delay, filter } from 'rxjs';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import type { Notification } from '../../src/store/notification.ts';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import { Churn, createInParallel } from './churn.ts';
import { Observation } from './observation.ts';
import { type ScenarioServer, until } from './server.ts';
import { configMap, type Random } from './world.ts';

export interface ScenarioOptions {
  readonly seed: number;
  readonly objects: number;
  /** Writes at random: so many before the crash, as many after it, and a third of it in between. */
  readonly writes: number;
}

export interface Outcome {
  readonly observations: readonly Observation[];
  /** Of the informers that heard of the server's return after the compaction only. */
  readonly expired: readonly Observation[];
  /** What was noticed wrong, in words. */
  readonly faults: readonly string[];
  readonly figures: Readonly<Record<string, unknown>>;
}

/** What part of the objects kubectl makes; parallel clients make the others. */
const BY_KUBECTL = 0.4;
const KUBECTLS = 4;
const CLIENTS = 8;
/** Unit: milliseconds. */
const RETRY = 500;
const SUBSCRIBERS = 10;

/**
 * Objects are made, changed and deleted by kubectl and by parallel clients, while informers run and subscribers
 * join; the server crashes in the middle of it, and while the informers do not know yet that it is back, more is
 * deleted and the history is compacted. At the end all must have what the server has.
 */
export const play = (server: ScenarioServer, options: ScenarioOptions): Promise<Outcome> =>
  new Scenario(server, options).play();

class Scenario {
  readonly #server: ScenarioServer;
  readonly #options: ScenarioOptions;
  readonly #random: Random;
  /** Whether anybody has told the informers that the server can be reached. */
  readonly #reachable = new BehaviorSubject(true);
  readonly #all: Observation;
  readonly #few: Observation;
  readonly #red: Observation;
  readonly #observations: readonly Observation[];
  readonly #faults: string[] = [];
  #writes = 0;

  constructor(server: ScenarioServer, options: ScenarioOptions) {
    this.#server = server;
    this.#options = options;
    this.#random = seededRandom(options.seed);
    const random = this.#random;
    const retry = {
      notifier: () => this.#reachable.pipe(filter(Boolean), delay(RETRY, server.scheduler)),
    };
    this.#all = new Observation(server, { selector: '', random, retry });
    this.#few = new Observation(server, { selector: 'colour!=red,group in (g1,g2,g3)', random, retry });
    // It finds out for itself.
    this.#red = new Observation(server, { selector: 'colour=red', random });
    this.#observations = [this.#all, this.#few, this.#red];
  }

  async play(): Promise<Outcome> {
    await this.#begin();
    await this.#make();
    await this.#changeUntilCrash();
    await this.#comeBack();
    await this.#changeAgain();
    return this.#outcome();
  }

  async #begin(): Promise<void> {
    this.#all.subscribe('the first');
    this.#all.subscribeSlowly('a slow one', this.#random);
    this.#few.subscribe('the first of the few');
    this.#red.subscribe('the first of the red ones');
    await this.#untilLive();
  }

  async #make(): Promise<void> {
    const { objects } = this.#options;
    const random = this.#random;
    const numbers = Array.from({ length: objects }, (_, number) => number);
    const byKubectl = numbers.splice(0, objects * BY_KUBECTL);
    const lists = Array.from({ length: KUBECTLS }, (_, part) =>
      byKubectl.filter((number) => number % KUBECTLS === part).map((number) => configMap(number, random)),
    );
    const { store } = this.#all.informer;
    this.#all.subscribeWithin('one that joins while objects are made', () => store.size > objects / 2);
    await this.#server.during(
      Promise.all([
        ...lists.map((list) => this.#server.kubectl.create(list)),
        createInParallel(this.#server, numbers, CLIENTS, random),
      ]),
    );
  }

  async #changeUntilCrash(): Promise<void> {
    const { writes } = this.#options;
    const churn = this.#churn();
    const labelled = this.#server.kubectl.label('group=g4', 'colour', 'red');
    this.#all.subscribeWithin('one that joins among changes', () => churn.writes > writes / 3);
    this.#red.subscribeWithin('one that joins the red ones among changes', () => churn.writes > writes / 2);
    await this.#server.during(labelled);
    await until(this.#server, 'all is written before the crash', () => churn.writes >= writes);

    this.#reachable.next(false);
    await this.#server.crash();
    const lost = await this.#server.during(churn.ended);
    if (lost.length < CLIENTS) this.#faults.push('a client outlived the crash');
    this.#writes += churn.writes;
  }

  async #comeBack(): Promise<void> {
    this.#all.subscribe('one that joins while the server is away');
    this.#all.subscribeWithin('one that joins while a difference is told', isSeenByList);
    await this.#server.restart();
    await this.#server.kubectl.delete('group in (g5,g6,g7)');
    await this.#server.compact();
    this.#reachable.next(true);
    await this.#survives(this.#churn(this.#options.writes / 3));
    await this.#untilLive();
  }

  async #changeAgain(): Promise<void> {
    const { writes } = this.#options;
    const churn = this.#churn(writes);
    await until(this.#server, 'a third is written again', () => churn.writes > writes / 3);
    this.#all.subscribeSlowly('a slow one that joins at the end', this.#random);
    await this.#survives(churn);
    await this.#server.during(this.#server.kubectl.delete('group in (g8,g9)'));
  }

  async #outcome(): Promise<Outcome> {
    const served: ConfigMap[][] = [];
    for (const { selector } of this.#observations) served.push(await this.#server.kubectl.get(selector));
    const each = <R>(look: (observation: Observation, objects: readonly ConfigMap[]) => R): R[] =>
      this.#observations.map((observation, at) => look(observation, served[at] ?? []));
    const equal = (): boolean => each((observation, objects) => observation.has(objects)).every(Boolean);
    // What is not equal is told as the differences.
    await until(this.#server, 'all have what the server has', equal).catch(() => undefined);

    const recorders = this.#observations.flatMap((observation) => observation.recorders);
    if (recorders.length !== SUBSCRIBERS) this.#faults.push(`${String(recorders.length)} have subscribed`);
    const differences = each((observation, objects) => observation.differences(objects));
    return {
      observations: this.#observations,
      expired: [this.#all, this.#few],
      faults: [...differences.flat(), ...recorders.flatMap(({ faults }) => faults), ...this.#faults],
      figures: {
        objects: this.#options.objects,
        'objects at the end': served[0]?.length,
        'writes at random': this.#writes,
        notifications: Object.fromEntries(recorders.map(({ name, counts }) => [name, counts])),
        statuses: Object.fromEntries(each(({ name, statuses }) => [name, Object.fromEntries(statuses)])),
      },
    };
  }

  #churn(writes = Infinity): Churn {
    const { objects } = this.#options;
    return new Churn(this.#server, { objects, clients: CLIENTS, writes, random: this.#random });
  }

  /** Unlike the clients of a server that crashed. */
  async #survives(churn: Churn): Promise<void> {
    const failures = await this.#server.during(churn.ended);
    this.#faults.push(...failures.map((failure) => `a client failed: ${String(failure)}`));
    this.#writes += churn.writes;
  }

  async #untilLive(): Promise<void> {
    const live = (): boolean => this.#observations.every(({ informer }) => informer.live);
    await until(this.#server, 'all informers are live', live);
  }
}

const isSeenByList = (notification: Notification<unknown>): boolean =>
  notification.type === 'delete' && notification.finalStateUnknown;
