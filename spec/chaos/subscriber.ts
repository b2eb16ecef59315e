import { createHash } from 'node:crypto';
import { defer, type Observable, type ObservableInput, type Subscription, tap, timer } from 'rxjs';
import type { Informer } from '../../src/informer/informer.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import type { Notification } from '../../src/store/notification.ts';
import { Recorder } from '../scenario/recorder.ts';
import { anyColour, below, type Random } from '../scenario/world.ts';
import type { ChaosServer } from './chaosServer.ts';
import { Delivery } from './deliveries.ts';
import type { Knowledge } from './knowledge.ts';
import type { Ledger } from './ledger.ts';
import { viewOf } from './views.ts';
import { HandlerFailure, type Manner, type Ways } from './ways.ts';

export interface SubscriberOptions extends Ways {
  /** Which one of its informer it is. */
  readonly number: number;
  readonly informer: Informer<ConfigMap>;
  /** Whether the store is of the run that is, not of an earlier one. */
  readonly current: () => boolean;
  readonly server: ChaosServer;
  readonly ledger: Ledger;
  /** Writes to the object with this key, if there is one. */
  readonly touch: (key: string) => void;
  /** Its own. */
  readonly random: Random;
}

const CAPACITY = 20;
/** How often a handler fails, or writes. */
const SOMETIMES = 0.2;
const RARELY = 0.05;

/** Somebody who listens to an informer, and what it knows by that. */
export class Subscriber {
  readonly name: string;
  readonly kinds: readonly string[];
  readonly recorder: Recorder;
  readonly knowledge: Knowledge;
  readonly #options: SubscriberOptions;
  readonly #manner: Manner;
  readonly #delivery: Delivery<ConfigMap>;
  readonly #subscription: Subscription;
  readonly #unverified = new Map<string, Notification<ConfigMap>>();
  readonly #story = createHash('sha256');
  #dropped = 0;
  #gone = false;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    const { number, informer, policy, view: viewName, server, random } = options;
    // As any observable: what it throws would be an error of the process, and nothing waits for it.
    this.#manner = policy === 'raw' ? 'prompt' : options.manner;
    this.kinds = [policy, this.#manner, viewName];
    this.name = [...this.kinds, number].join(', ');
    const isResynced = random() < SOMETIMES;
    const view = viewOf(viewName, anyColour(random));
    this.recorder = new Recorder(this.name, informer.store, this.#before(), {
      resynced: isResynced,
      unmerged: policy !== 'raw' && policy !== 'coalesce',
      filtered: viewName !== 'all',
    });
    this.knowledge = { name: this.name, state: this.recorder.state, view };
    this.#delivery = new Delivery(informer, {
      name: this.name,
      policy,
      concurrency: this.#manner === 'slow' ? 1 + below(5, random) : 1,
      capacity: 1 + below(CAPACITY, random),
      // Who is hardly ever done in time is not done by the quiet point either.
      maxPause: Math.max(server.tempo.slow / 10, below(server.tempo.slow, random)),
      stateOf: (key) => this.recorder.state.get(key),
      begin: () => this.recorder.again(this.#before()),
      notifications$: view.told$(
        informer,
        isResynced ? { resync: (1 + random()) * server.tempo.resync } : {},
      ),
      handle: policy === 'handle' ? (told) => this.#try(told) : (told) => this.#handle(told),
    });
    this.#subscription = this.#delivery.handled$.subscribe({
      error: (error: unknown) => this.#wrong(`its notifications failed: ${String(error)}`),
    });
  }

  /** A hash of everything it was told, in order. */
  get story(): string {
    return this.#story.copy().digest('hex');
  }

  /** How much its policy dropped, and how often it was too slow. */
  get figures(): { readonly dropped: number; readonly overflows: number } {
    return {
      dropped: this.#gone ? this.#dropped : this.#delivery.lost,
      overflows: this.#delivery.overflows,
    };
  }

  leave(): void {
    this.checkFigures();
    this.#dropped = this.#delivery.lost;
    this.#subscription.unsubscribe();
    this.#gone = true;
  }

  /** What came was handed out, lost, or waits. */
  checkFigures(): void {
    for (const what of this.#delivery.miscounted()) this.#wrong(what);
  }

  /** Notifications of states that no write made, in words. */
  invented(): string[] {
    const { ledger } = this.#options;
    const invented = [...this.#unverified.values()].filter(
      ({ type, entry: { uid = '', resourceVersion = '' } }) =>
        type === 'delete' ? !ledger.knew(uid) : !ledger.knows(uid, resourceVersion),
    );
    this.#unverified.clear();
    return invented.map(
      ({ type, entry }) =>
        `${this.name}: ${type} ${entry.key}@${entry.resourceVersion ?? ''}, which never was`,
    );
  }

  #before(): IterableIterator<string> {
    const { current, informer } = this.#options;
    return current() ? informer.store.keys() : [][Symbol.iterator]();
  }

  #handle(notification: Notification<ConfigMap>): ObservableInput<unknown> | undefined {
    const { random } = this.#options;
    this.#take(notification);
    switch (this.#manner) {
      case 'prompt':
        return undefined;
      case 'slow':
        return this.#slowly(notification);
      case 'failing':
        if (random() < SOMETIMES) throw new HandlerFailure('thrown on purpose');
        return random() < SOMETIMES ? Promise.reject(new HandlerFailure('rejected on purpose')) : undefined;
      case 'writing':
        this.#perhapsWrite(notification);
        return undefined;
    }
  }

  /** What fails, or takes longer than it may, comes again. It is taken when it is done. */
  #try(notification: Notification<ConfigMap>): ObservableInput<unknown> | undefined {
    const { random } = this.#options;
    // What failed to be added may have been added in part, so its delete is told.
    const isNew = !this.recorder.state.has(notification.key);
    const take = (): void => {
      if (notification.type !== 'delete' || !isNew) this.#take(notification);
      else if (this.#manner === 'prompt')
        this.#wrong(`it was told delete ${notification.key} without an add`);
    };
    if (this.#manner === 'slow') return this.#slowly(notification).pipe(tap({ complete: take }));
    if (this.#manner === 'failing' && random() < SOMETIMES) throw new HandlerFailure('thrown on purpose');
    if (this.#manner === 'failing' && random() < SOMETIMES)
      return Promise.reject(new HandlerFailure('rejected on purpose'));
    take();
    if (this.#manner === 'writing') this.#perhapsWrite(notification);
    return undefined;
  }

  /** Once an object, or each write of one would be followed by another of all the others. */
  #perhapsWrite({ key, object }: Notification<ConfigMap>): void {
    const { random, touch } = this.#options;
    if (object.data?.['touched'] === undefined && random() < RARELY) touch(key);
  }

  #slowly(notification: Notification<ConfigMap>): Observable<unknown> {
    const { random, server } = this.#options;
    return defer(() => {
      const done = this.recorder.handling(notification);
      return timer(below(server.tempo.slow, random) ** random(), server.scheduler).pipe(
        tap({ complete: done, unsubscribe: done }),
      );
    });
  }

  #take(notification: Notification<ConfigMap>): void {
    if (this.#gone) this.#wrong(`it was told ${notification.type} ${notification.key} after it had left`);
    this.recorder.take(notification);
    const { uid = '', resourceVersion = '' } = notification.entry;
    this.#unverified.set(`${notification.type} ${uid} ${resourceVersion}`, notification);
    this.#story.update(`${notification.type} ${notification.key} ${uid} ${resourceVersion}\n`);
  }

  #wrong(what: string): void {
    this.recorder.faults.push(`${this.name}: ${what}`);
  }
}
