import type { Informer } from '../../src/informer/informer.ts';
import type { InformerOptions } from '../../src/informer/options.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import { GROUP_INDEX, groupsOf } from '../scenario/recorder.ts';
import { below, type Random } from '../scenario/world.ts';
import type { ChaosServer, ListSelection } from './chaosServer.ts';
import { POLICIES } from './deliveries.ts';
import { type Differences, differencesOf, isCurrent, type Knowledge } from './knowledge.ts';
import type { Ledger } from './ledger.ts';
import { Question } from './question.ts';
import { Sayings } from './sayings.ts';
import { Subscriber } from './subscriber.ts';
import { COLOUR_INDEX, coloursOf, VIEWS } from './views.ts';
import { MANNERS, type Ways } from './ways.ts';

export interface FollowerOptions {
  readonly name: string;
  readonly selection: ListSelection;
  readonly informer: InformerOptions<ConfigMap>;
  /** Who is there all the time; with nobody it starts and stops with who comes by. */
  readonly residents: readonly Ways[];
}

/** Those who come by at the same time, at the most. */
const GUESTS = 4;

/** An informer, and everybody who listens to it. */
export class Follower {
  readonly name: string;
  readonly selection: ListSelection;
  readonly informer: Informer<ConfigMap>;
  /** All who ever were. */
  readonly subscribers: Subscriber[] = [];
  readonly said = new Sayings();
  /** How many of each kind there ever were. */
  readonly kinds = new Map<string, number>();
  readonly #server: ChaosServer;
  readonly #ledger: Ledger;
  readonly #random: Random;
  readonly #touch: (key: string) => void;
  #residents: (Subscriber | Question)[] = [];
  #guests: (Subscriber | Question)[] = [];

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
      indexers: { [GROUP_INDEX]: groupsOf, [COLOUR_INDEX]: coloursOf },
      retry: { cap: server.tempo.backoff },
      scheduler: server.scheduler,
      random: seededRandom(seed + 1),
      ...informer,
    });
    this.informer.status$.subscribe((status) => this.said.take(status));
    this.#residents = residents.map((ways) => this.#subscribe(ways));
    if (residents.length > 0) this.#residents.push(this.#ask());
  }

  /** Whether somebody listens. */
  get running(): boolean {
    return this.#present.length > 0;
  }

  /** Somebody comes by, or somebody who did leaves. */
  comeOrGo(): void {
    if (this.#guests.length < GUESTS && this.#random() < 0.5) {
      this.#guests.push(this.#random() < 0.2 ? this.#ask() : this.#subscribe(this.#anyWays()));
      return;
    }
    const [guest] = this.#guests.splice(below(this.#guests.length, this.#random), 1);
    guest?.leave();
  }

  /** Everybody leaves, or the informer is stopped: it comes to the same. */
  stop(): void {
    if (this.#random() < 0.5) this.informer.stop();
    for (const listener of this.#present) listener.leave();
    this.#residents = [];
    this.#guests = [];
  }

  /** While a server goes back to an earlier state, versions say nothing of the order. */
  set ordered(ordered: boolean) {
    for (const { recorder } of this.#listening) recorder.ordered = ordered;
  }

  /** Whether everybody has the versions of these objects, and nothing else. */
  has(objects: readonly ConfigMap[]): boolean {
    return (
      this.#knowledge.every((knowledge) => isCurrent(knowledge, objects)) &&
      this.#questions.every((question) => question.differs(objects) === undefined)
    );
  }

  checkFigures(): void {
    for (const subscriber of this.#listening) subscriber.checkFigures();
  }

  /** What of these objects store and subscribers do not have as it is, and what they have beside it, in words. */
  differences(objects: readonly ConfigMap[]): Differences {
    const all = this.#knowledge.map((knowledge) => differencesOf(knowledge, objects));
    const questions = this.#questions;
    const answers = questions.flatMap((question) => question.differs(objects) ?? []);
    const named = (what: string): string => `${this.name}: ${what}`;
    return {
      lost: [...all.flatMap(({ lost }) => lost), ...answers].map(named),
      invented: all.flatMap(({ invented }) => invented).map(named),
      compared: all.reduce((sum, { compared }) => sum + compared, questions.length),
    };
  }

  /** What was noticed wrong since the last time it was asked. */
  violations(): string[] {
    const found = [
      ...this.said.wrong.splice(0),
      ...this.subscribers.flatMap(({ recorder }) => recorder.faults.splice(0)),
    ];
    return found.map((violation) => `${this.name}: ${violation}`);
  }

  get #present(): readonly (Subscriber | Question)[] {
    return [...this.#residents, ...this.#guests];
  }

  get #listening(): readonly Subscriber[] {
    return this.#present.filter((listener) => listener instanceof Subscriber);
  }

  get #questions(): readonly Question[] {
    return this.#present.filter((listener) => listener instanceof Question);
  }

  get #knowledge(): readonly Knowledge[] {
    const { store } = this.informer;
    return [...this.#listening.map(({ knowledge }) => knowledge), { name: 'the store', state: store }];
  }

  #anyWays(): Ways {
    return {
      policy: anyOf(POLICIES, this.#random),
      manner: anyOf(MANNERS, this.#random),
      view: this.#random() < 0.5 ? 'all' : anyOf(VIEWS, this.#random),
    };
  }

  #subscribe(ways: Ways): Subscriber {
    const subscriber = new Subscriber({
      number: this.subscribers.length,
      ...ways,
      informer: this.informer,
      current: () => this.said.synced,
      touch: this.#touch,
      server: this.#server,
      ledger: this.#ledger,
      random: seededRandom(this.#random() * 2 ** 31),
    });
    this.subscribers.push(subscriber);
    this.#count(subscriber.kinds);
    return subscriber;
  }

  #ask(): Question {
    const question = new Question(this.informer, this.#random);
    this.#count(question.kinds);
    return question;
  }

  #count(kinds: readonly string[]): void {
    for (const kind of kinds) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }
}

const anyOf = <E>(list: readonly [E, ...E[]], random: Random): E =>
  list[below(list.length, random)] ?? list[0];
