import { createHash } from 'node:crypto';
import { defer, type Observable, type Subscription, tap, timer } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import type { Notification } from '../../src/store/notification.ts';
import { Recorder } from '../scenario/recorder.ts';
import { below, type Random } from '../scenario/world.ts';
import type { ChaosServer } from './chaosServer.ts';
import type { Ledger } from './ledger.ts';

/** How somebody takes what it is told. */
export const DELIVERIES = ['raw', 'fast', 'slow', 'failing'] as const;
export type Delivery = (typeof DELIVERIES)[number];

export interface SubscriberOptions {
  readonly name: string;
  readonly delivery: Delivery;
  readonly informer: Informer<ConfigMap>;
  /** Whether the store is of the run that is, not of an earlier one. */
  readonly current: boolean;
  readonly server: ChaosServer;
  readonly ledger: Ledger;
  /** Its own. */
  readonly random: Random;
}

/** A failure that a handler has on purpose. */
export class HandlerFailure extends Error {}

/** Somebody who listens to an informer, and what it knows by that. */
export class Subscriber {
  readonly recorder: Recorder;
  readonly #options: SubscriberOptions;
  readonly #subscription: Subscription;
  readonly #unverified = new Map<string, Notification<ConfigMap>>();
  readonly #story = createHash('sha256');
  #gone = false;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    const { name, informer, current } = options;
    const { store } = informer;
    this.recorder = current
      ? new Recorder(name, store)
      : new Recorder(name, store, [][Symbol.iterator]() as IterableIterator<string>);
    this.#subscription = this.#handled().subscribe({
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

  leave(): void {
    this.#subscription.unsubscribe();
    this.#gone = true;
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

  #handled(): Observable<unknown> {
    const { informer, delivery, random, server } = this.#options;
    const { notifications$, context } = informer;
    switch (delivery) {
      case 'raw':
        return notifications$.pipe(tap((notification) => this.#take(notification)));
      case 'fast':
        return notifications$.pipe(coalesce((notification) => this.#take(notification), { context }));
      case 'slow':
        return notifications$.pipe(
          coalesce(
            (notification) =>
              defer(() => {
                this.#take(notification);
                const done = this.recorder.handling(notification);
                return timer(below(server.tempo.slow, random) ** random(), server.scheduler).pipe(
                  tap({ complete: done, unsubscribe: done }),
                );
              }),
            { context, concurrency: 1 + below(5, random) },
          ),
        );
      case 'failing':
        return notifications$.pipe(
          coalesce(
            (notification) => {
              this.#take(notification);
              if (random() < 0.2) throw new HandlerFailure('thrown on purpose');
              return random() < 0.2 ? Promise.reject(new HandlerFailure('rejected on purpose')) : undefined;
            },
            { context },
          ),
        );
    }
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
