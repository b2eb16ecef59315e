import { firstValueFrom, forkJoin } from 'rxjs';
import type { Entry } from '../../src/codec/codec.ts';
import { createInformer } from '../../src/informer/factory.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { Pod } from '../../src/kubernetes/kinds.ts';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import type { Cluster } from '../../src/transport/cluster.ts';
import { POLICIES } from '../chaos/deliveries.ts';
import { Listener } from './listener.ts';
import { type Comparison, SELECTIONS } from './messages.ts';

/** Unit: seconds. */
const WATCH_TIMEOUT = 10;
/** Unit: milliseconds. */
const RESYNC = 20_000;
/** Longer waits would be most of the time, with a mishap each few seconds. Unit: milliseconds. */
const RETRY = { initial: 200, cap: 500 };
const FIRST_WRONG = 10;

interface Followed {
  readonly informer: Informer<Pod>;
  readonly listeners: Listener[];
}

/** The informers of a soak, and everybody who listens to them. */
export class Informed {
  readonly #followed = new Map<string, Followed>();
  readonly #wrong: string[] = [];
  readonly #random: () => number;
  readonly #past = { notifications: 0, dropped: 0, overflows: 0 };
  #guest: Listener | undefined;
  #guests = 0;

  constructor(server: string, seed: number) {
    this.#random = seededRandom(seed);
    for (const labelSelector of SELECTIONS) {
      const isAll = labelSelector === '';
      const informer = createInformer<Pod>(clusterAt(server), 'v1', 'Pod', {
        labelSelector,
        watchTimeout: WATCH_TIMEOUT,
        streamingList: isAll,
        retry: RETRY,
        indexers: { node: (pod) => [pod.spec?.nodeName ?? ''] },
        ...(isAll ? {} : { pageSize: 100, resync: RESYNC }),
      });
      this.#watchStatus(informer);
      const listeners = POLICIES.flatMap((policy) => [
        new Listener(informer, `${policy}, prompt`, policy, false, this.#random),
        new Listener(informer, `${policy}, slow`, policy, policy !== 'raw', this.#random),
      ]);
      this.#followed.set(labelSelector, { informer, listeners });
    }
  }

  async synced(): Promise<void> {
    const informers = [...this.#followed.values()].map(({ informer }) => informer);
    await firstValueFrom(forkJoin(informers.map(({ synced$ }) => synced$)), { defaultValue: undefined });
  }

  /** Somebody new comes, with each policy in turn, and the one before leaves. */
  join(): void {
    const all = this.#followed.get('');
    if (all === undefined) return;
    this.#leave(all);
    const policy = POLICIES[this.#guests % POLICIES.length] ?? 'raw';
    this.#guests += 1;
    const name = `late ${this.#guests}, ${policy}`;
    this.#guest = new Listener(all.informer, name, policy, this.#guests % 2 === 0, this.#random);
    all.listeners.push(this.#guest);
  }

  compare(truth: Readonly<Record<string, Readonly<Record<string, string>>>>): Comparison {
    const lost: string[] = [];
    const invented: string[] = [];
    const wrong = [...this.#wrong];
    const sums = { ...this.#past };
    for (const [selector, { informer, listeners }] of this.#followed) {
      const served = new Map(Object.entries(truth[selector] ?? {}));
      if (!informer.live) lost.push(`the informer of ${selector || 'all'} is not live`);
      const holders = [{ name: 'the store', states: informer.store.list() }, ...listeners];
      for (const { name, states } of holders) {
        const versions = versionsOf(states);
        for (const [key, version] of served)
          if (versions.get(key) !== version) lost.push(`${name}: ${key}@${version}`);
        for (const key of versions.keys()) if (!served.has(key)) invented.push(`${name}: ${key}`);
      }
      for (const listener of listeners) {
        add(sums, listener);
        const miscounted = listener.delivery.miscounted();
        wrong.push(...listener.wrong, ...miscounted.map((what) => `${listener.name}: ${what}`));
      }
    }
    return {
      lost: lost.length,
      invented: invented.length,
      wrong: [...wrong, ...lost, ...invented].slice(0, FIRST_WRONG),
      ...sums,
      lateJoiners: this.#guests,
    };
  }

  stop(): void {
    for (const { informer, listeners } of this.#followed.values()) {
      informer.stop();
      for (const listener of listeners) listener.leave();
    }
  }

  #leave({ listeners }: Followed): void {
    const guest = this.#guest;
    if (guest === undefined) return;
    this.#wrong.push(...guest.wrong, ...guest.delivery.miscounted().map((what) => `${guest.name}: ${what}`));
    add(this.#past, guest);
    guest.leave();
    listeners.splice(listeners.indexOf(guest), 1);
  }

  #watchStatus(informer: Informer<Pod>): void {
    informer.status$.subscribe((status) => {
      if (status.type === 'failed' || status.type === 'problem')
        if (this.#wrong.length < FIRST_WRONG) this.#wrong.push(status.error.message);
    });
  }
}

function add(
  sums: { notifications: number; dropped: number; overflows: number },
  { notifications, delivery }: Listener,
): void {
  sums.notifications += notifications;
  sums.dropped += delivery.lost;
  sums.overflows += delivery.overflows;
}

const versionsOf = (states: Iterable<Entry<Pod>>): ReadonlyMap<string, string> =>
  new Map(Array.from(states, ({ key, resourceVersion = '' }) => [key, resourceVersion]));

const clusterAt = (server: string): Cluster => ({
  server,
  credentials: () => Promise.resolve({ headers: {}, tls: {}, agent: undefined }),
  renew: () => Promise.resolve(),
});
