import { isDeepStrictEqual } from 'node:util';
import type { Entry } from '../../src/codec/codec.ts';
import type { InformerError } from '../../src/errors.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { InformerOptions } from '../../src/informer/options.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import { GROUP_INDEX, groupsOf } from '../scenario/recorder.ts';
import { below, keyOf, type Random, versionOf } from '../scenario/world.ts';
import type { ChaosServer, ListSelection } from './chaosServer.ts';
import { POLICIES, type Policy } from './deliveries.ts';
import type { Ledger } from './ledger.ts';
import { HandlerFailure, MANNERS, type Manner, Subscriber } from './subscriber.ts';

export interface FollowerOptions {
  readonly name: string;
  readonly selection: ListSelection;
  readonly informer: InformerOptions<ConfigMap>;
  /** How many are there all the time, policies and manners in turn; with none it starts and stops with who comes by. */
  readonly residents: number;
}

/** Those who come by at the same time, at the most. */
const GUESTS = 4;

/** An informer, everybody who listens to it, and what it said of itself. */
export class Follower {
  readonly name: string;
  readonly selection: ListSelection;
  readonly informer: Informer<ConfigMap>;
  /** All who ever were. */
  readonly subscribers: Subscriber[] = [];
  /** How often each status was told, such as `list first` and `error ECONNRESET`. */
  readonly statuses = new Map<string, number>();
  /** How often it could not read an event. */
  unreadable = 0;
  readonly #server: ChaosServer;
  readonly #ledger: Ledger;
  readonly #random: Random;
  readonly #wrong: string[] = [];
  readonly #touch: (key: string) => void;
  #residents: Subscriber[] = [];
  #guests: Subscriber[] = [];
  #synced = false;

  constructor(
    server: ChaosServer,
    ledger: Ledger,
    { name, selection, informer, residents }: FollowerOptions,
    touch: (key: string) => void,
    seed: number,
  ) {
    this.#touch = touch;
    this.name = name;
    this.selection = selection;
    this.#server = server;
    this.#ledger = ledger;
    this.#random = seededRandom(seed);
    this.informer = server.informer({
      ...selection,
      indexers: { [GROUP_INDEX]: groupsOf },
      retry: { cap: server.tempo.backoff },
      scheduler: server.scheduler,
      random: seededRandom(seed + 1),
      ...informer,
    });
    this.#watchStatus();
    this.#residents = Array.from({ length: residents }, (_, at) =>
      this.#subscribe(oneOf(POLICIES, at), oneOf(MANNERS, Math.floor(at / POLICIES.length) + at)),
    );
  }

  /** Whether somebody listens. */
  get running(): boolean {
    return this.#residents.length + this.#guests.length > 0;
  }

  /** Somebody comes by, or somebody who did leaves. */
  comeOrGo(): void {
    if (this.#guests.length < GUESTS && this.#random() < 0.5) {
      const policy = oneOf(POLICIES, below(POLICIES.length, this.#random));
      this.#guests.push(this.#subscribe(policy, oneOf(MANNERS, below(MANNERS.length, this.#random))));
      return;
    }
    const [guest] = this.#guests.splice(below(this.#guests.length, this.#random), 1);
    guest?.leave();
  }

  /** Everybody leaves, or the informer is stopped: it comes to the same. */
  stop(): void {
    if (this.#random() < 0.5) this.informer.stop();
    for (const subscriber of this.#present) subscriber.leave();
    this.#residents = [];
    this.#guests = [];
  }

  /** Whether store and subscribers have the versions of these objects, and nothing else. */
  has(objects: readonly ConfigMap[]): boolean {
    const versions = objects.map((object) => [keyOf(object), versionOf(object)] as const);
    return this.#states.every(
      ({ state }) =>
        state.size === versions.length &&
        versions.every(([key, version]) => state.get(key)?.resourceVersion === version),
    );
  }

  checkFigures(): void {
    for (const subscriber of this.#present) subscriber.checkFigures();
  }

  /** What of these objects store and subscribers do not have as it is, and what they have beside it, in words. */
  differences(objects: readonly ConfigMap[]): Differences {
    const served = new Map(objects.map((object) => [keyOf(object), object]));
    const lost: string[] = [];
    const invented: string[] = [];
    for (const { name, state } of this.#states) {
      for (const [key, object] of served) {
        if (!isDeepStrictEqual(state.get(key)?.object, object))
          lost.push(
            `${name}: ${key}@${versionOf(object)} is ${state.get(key)?.resourceVersion ?? 'not there'}`,
          );
      }
      const beside = [...state.keys()].filter((key) => !served.has(key));
      invented.push(...beside.map((key) => `${name}: ${key} is still there`));
    }
    return { lost, invented, compared: this.#states.length * served.size };
  }

  /** What was noticed wrong since the last time it was asked. */
  violations(): string[] {
    const found = [
      ...this.#wrong.splice(0),
      ...this.subscribers.flatMap(({ recorder }) => recorder.faults.splice(0)),
    ];
    return found.map((violation) => `${this.name}: ${violation}`);
  }

  get #present(): readonly Subscriber[] {
    return [...this.#residents, ...this.#guests];
  }

  get #states(): { name: string; state: States }[] {
    return [
      ...this.#present.map(({ name, recorder: { state } }) => ({ name: `${this.name}: ${name}`, state })),
      { name: `${this.name}: the store`, state: this.informer.store },
    ];
  }

  #subscribe(policy: Policy, manner: Manner): Subscriber {
    const subscriber = new Subscriber({
      name: `${policy}, ${manner}, ${String(this.subscribers.length)}`,
      policy,
      // As any observable: what it throws would be an error of the process, and nothing waits for it.
      manner: policy === 'raw' ? 'prompt' : manner,
      informer: this.informer,
      current: () => this.#synced,
      touch: this.#touch,
      server: this.#server,
      ledger: this.#ledger,
      random: seededRandom(this.#random() * 2 ** 31),
    });
    this.subscribers.push(subscriber);
    return subscriber;
  }

  #watchStatus(): void {
    this.informer.status$.subscribe((status) => {
      const words =
        'error' in status
          ? `${status.type} ${inWords(status.error)}`
          : 'reason' in status
            ? `${status.type} ${status.reason}`
            : status.type;
      this.statuses.set(words, (this.statuses.get(words) ?? 0) + 1);
      if (status.type === 'synced') this.#synced = true;
      if (status.type === 'stopped') this.#synced = false;
      if (status.type === 'failed') this.#wrong.push(`it ended with ${status.error.message}`);
      if (status.type === 'problem' && status.error.code === 'UNREADABLE') this.unreadable += 1;
      else if (status.type === 'problem' && !isOnPurpose(status.error))
        this.#wrong.push(`it has a problem: ${status.error.message}`);
    });
  }
}

const oneOf = <E>(list: readonly [E, ...E[]], at: number): E => list[at % list.length] ?? list[0];

interface Differences {
  readonly lost: string[];
  readonly invented: string[];
  /** How many states of an object were looked at. */
  readonly compared: number;
}

interface States {
  readonly size: number;
  keys(): Iterable<string>;
  get(key: string): Entry<ConfigMap> | undefined;
}

const isOnPurpose = ({ cause }: InformerError): boolean => cause instanceof HandlerFailure;

function inWords(error: InformerError): string {
  const { status, reason } = error as { status?: number; reason?: string };
  return String(status ?? reason ?? error.code);
}
