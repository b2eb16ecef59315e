import { createHash } from 'node:crypto';
import { defer, type ObservableInput, type Subscription, tap, timer } from 'rxjs';
import type { Informer } from '../../src/informer/informer.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import type { Notification } from '../../src/store/notification.ts';
import { Recorder } from '../scenario/recorder.ts';
import { below, type Random } from '../scenario/world.ts';
import type { ChaosServer } from './chaosServer.ts';
import { Delivery, type Policy } from './deliveries.ts';
import type { Ledger } from './ledger.ts';

/** How somebody handles what it is told. */
export const MANNERS = ['prompt', 'slow', 'failing', 'writing'] as const;
export type Manner = (typeof MANNERS)[number];

export interface SubscriberOptions {
  readonly name: string;
  readonly policy: Policy;
  readonly manner: Manner;
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

/** A failure that a handler has on purpose. */
export class HandlerFailure extends Error {}

const CAPACITY = 20;
/** How often a handler fails, or writes. */
const SOMETIMES = 0.2;
const RARELY = 0.05;

/** Somebody who listens to an informer, and what it knows by that. */
export class Subscriber {
  readonly recorder: Recorder;
  readonly #options: SubscriberOptions;
  readonly #delivery: Delivery<ConfigMap>;
  readonly #subscription: Subscription;
  readonly #unverified = new Map<string, Notification<ConfigMap>>();
  readonly #story = createHash('sha256');
  #dropped = 0;
  #gone = false;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    const { name, informer, policy, manner, server, random } = options;
    const isResynced = random() < SOMETIMES;
    this.recorder = new Recorder(name, informer.store, this.#before(), {
      resynced: isResynced,
      unmerged: policy !== 'raw' && policy !== 'coalesce',
    });
    this.#delivery = new Delivery(informer, {
      name,
      policy,
      concurrency: manner === 'slow' ? 1 + below(5, random) : 1,
      capacity: 1 + below(CAPACITY, random),
      maxPause: 1 + below(server.tempo.slow, random),
      begin: () => this.recorder.again(this.#before()),
      notifications$: isResynced
        ? informer.notifications({ resync: (1 + random()) * server.tempo.resync })
        : undefined,
      handle: (notification) => this.#handle(notification),
    });
    this.#subscription = this.#delivery.handled$.subscribe({
      error: (error: unknown) => this.#wrong(`its notifications failed: ${String(error)}`),
    });
  }

  get name(): string {
    return this.#options.name;
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
    const { manner, random, touch } = this.#options;
    this.#take(notification);
    switch (manner) {
      case 'prompt':
        return undefined;
      case 'slow':
        return this.#slowly(notification);
      case 'failing':
        if (random() < SOMETIMES) throw new HandlerFailure('thrown on purpose');
        return random() < SOMETIMES ? Promise.reject(new HandlerFailure('rejected on purpose')) : undefined;
      case 'writing':
        // Once an object, or each write of one would be followed by another of all the others.
        if (notification.object.data?.['touched'] === undefined && random() < RARELY) touch(notification.key);
        return undefined;
    }
  }

  #slowly(notification: Notification<ConfigMap>): ObservableInput<unknown> {
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
