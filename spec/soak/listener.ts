import { type Subscription, timer } from 'rxjs';
import type { Entry } from '../../src/codec/codec.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { Pod } from '../../src/kubernetes/kinds.ts';
import type { Notification } from '../../src/store/notification.ts';
import { Delivery, type Policy } from '../chaos/deliveries.ts';

/** How long a slow handler takes, for how many of all. Unit: milliseconds. */
const SLOW = 20;
const SOME = 0.2;

/** Somebody who listens, and what it has by that: the last state of each object, by key. */
export class Listener {
  readonly name: string;
  readonly #states = new Map<string, Entry<Pod>>();
  readonly wrong: string[] = [];
  notifications = 0;
  readonly delivery: Delivery<Pod>;
  readonly #subscription: Subscription;

  constructor(informer: Informer<Pod>, name: string, policy: Policy, isSlow: boolean, random: () => number) {
    this.name = name;
    this.delivery = new Delivery(informer, {
      name,
      policy,
      concurrency: 4,
      capacity: 2_000,
      maxPause: 1_000,
      begin: () => {
        this.#states.clear();
      },
      stateOf: (key) => this.#states.get(key),
      handle: (notification) => {
        this.#take(notification);
        return isSlow && random() < SOME ? timer(SLOW) : undefined;
      },
    });
    this.#subscription = this.delivery.handled$.subscribe({
      error: (error: unknown) => this.wrong.push(`${name} ended with ${String(error)}`),
    });
  }

  get states(): Iterable<Entry<Pod>> {
    return this.#states.values();
  }

  leave(): void {
    this.#subscription.unsubscribe();
  }

  #take(notification: Notification<Pod>): void {
    const { type, key, entry } = notification;
    this.notifications += 1;
    const told = this.#states.get(key)?.resourceVersion;
    // What is told follows from what was told before.
    const before = type === 'update' ? notification.oldEntry.resourceVersion : told;
    if (type !== 'sync' && (told !== before || (type === 'add') !== (told === undefined)))
      this.#note(`${type} ${key}@${entry.resourceVersion ?? ''}, of which was told ${told ?? 'nothing'}`);
    if (type === 'delete') this.#states.delete(key);
    else this.#states.set(key, entry);
    // The body is read, as a handler does.
    if (notification.object.metadata?.name !== entry.name) this.#note(`${key} is not what it says`);
  }

  /** Not all of them: a run that goes wrong must not fill the memory that it measures. */
  #note(what: string): void {
    if (this.wrong.length < 10) this.wrong.push(`${this.name}: ${what}`);
  }
}
