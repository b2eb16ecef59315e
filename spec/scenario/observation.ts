import { isDeepStrictEqual } from 'node:util';
import { defer, first, type Subscription, tap, timer } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import type { Entry } from '../../src/codec/codec.ts';
import { createInformer } from '../../src/informer/factory.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { InformerOptions } from '../../src/informer/options.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import type { InformerStatus } from '../../src/status.ts';
import type { Notification } from '../../src/store/notification.ts';
import { GROUP_INDEX, groupsOf, Recorder } from './recorder.ts';
import type { ScenarioServer } from './server.ts';
import { below, keyOf, type Random, versionOf } from './world.ts';

/** How long a slow handler takes at the most. Unit: milliseconds. */
const SLOW = 20;
const SLOW_AT_A_TIME = 5;

export interface ObservationOptions extends Pick<InformerOptions<ConfigMap>, 'retry'> {
  readonly selector: string;
  readonly random: Random;
}

/** An informer, everybody who listens to it, and what it did. */
export class Observation {
  readonly name: string;
  readonly selector: string;
  readonly informer: Informer<ConfigMap>;
  readonly recorders: Recorder[] = [];
  /** How often each status was told, such as `list first` and `error ECONNREFUSED`. */
  readonly statuses = new Map<string, number>();
  readonly #server: ScenarioServer;
  readonly #subscriptions: Subscription[] = [];

  constructor(server: ScenarioServer, { selector, random, retry }: ObservationOptions) {
    this.name = selector || 'all objects';
    this.selector = selector;
    this.#server = server;
    const { scheduler } = server;
    const indexers = { [GROUP_INDEX]: groupsOf };
    const options = { labelSelector: selector, indexers, scheduler, random, retry };
    this.informer = createInformer(server.cluster(), 'v1', 'ConfigMap', options);
    this.informer.status$.subscribe((status) => {
      const words = inWords(status);
      this.statuses.set(words, (this.statuses.get(words) ?? 0) + 1);
    });
  }

  subscribe(name: string): Recorder {
    const recorder = this.#recorder(name);
    this.#subscriptions.push(
      this.informer.notifications$.subscribe((notification) => recorder.take(notification)),
    );
    return recorder;
  }

  /** One that joins in the middle of a notification of the others, the first for which the condition holds. */
  subscribeWithin(name: string, condition: (notification: Notification<ConfigMap>) => boolean): void {
    const occasion$ = this.informer.notifications$.pipe(first(condition));
    this.#subscriptions.push(occasion$.subscribe(() => this.subscribe(name)));
  }

  /** One whose handler takes its time. */
  subscribeSlowly(name: string, random: Random): Recorder {
    const recorder = this.#recorder(name);
    const handled$ = this.informer.notifications$.pipe(
      coalesce(
        (notification) =>
          defer(() => {
            recorder.take(notification);
            const done = recorder.handling(notification);
            return timer(below(SLOW, random), this.#server.scheduler).pipe(tap({ complete: done }));
          }),
        { concurrency: SLOW_AT_A_TIME },
      ),
    );
    this.#subscriptions.push(handled$.subscribe());
    return recorder;
  }

  /** Everybody leaves, and with the last one the informer stops. */
  unsubscribe(): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
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

  /** What store and subscribers have otherwise than these objects, if anything. */
  differences(objects: readonly ConfigMap[]): string[] {
    const served = new Map(objects.map((object) => [keyOf(object), object]));
    return this.#states.flatMap(({ name, state }) => {
      const keys = new Set([...state.keys(), ...served.keys()]);
      const wrong = [...keys].filter((key) => !isDeepStrictEqual(state.get(key)?.object, served.get(key)));
      return wrong.map((key) => `${name}: ${key} is not as the server has it`);
    });
  }

  /** Those that joined last come first, for they are the last to be right. */
  get #states(): {
    name: string;
    state: States;
  }[] {
    return [
      ...this.recorders.toReversed(),
      { name: `the store of ${this.name}`, state: this.informer.store },
    ];
  }

  #recorder(name: string): Recorder {
    const recorder = new Recorder(name, this.informer.store);
    this.recorders.push(recorder);
    return recorder;
  }
}

function inWords(status: InformerStatus): string {
  switch (status.type) {
    case 'list':
      return `list ${status.reason}, ${status.mode}`;
    case 'error':
    case 'problem': {
      const { status: code, reason } = status.error as { status?: number; reason?: string };
      return [status.type, code, reason ?? status.error.code].join(' ');
    }
    default:
      return status.type;
  }
}

interface States {
  readonly size: number;
  keys(): Iterable<string>;
  get(key: string): Entry<ConfigMap> | undefined;
}
