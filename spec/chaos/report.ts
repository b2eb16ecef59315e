import { createHash } from 'node:crypto';
import type { Chaos } from './chaos.ts';
import type { Subscriber } from './subscriber.ts';

/** Everything that can be counted of a run. */
export interface ChaosReport {
  readonly seed: number;
  /** By the clock of the server. */
  readonly minutes: number;
  readonly quietPoints: number;
  readonly writes: Readonly<Record<string, number>>;
  /** By kind. */
  readonly faults: Readonly<Record<string, number>>;
  /** What all subscribers were told. */
  readonly notifications: Readonly<Record<string, number>>;
  readonly subscribers: number;
  /** How many subscribers had which policy, manner and view, and how many questions there were. */
  readonly kinds: Readonly<Record<string, number>>;
  /** What the policies of subscribers dropped, since they subscribed last, and how often one was too slow. */
  readonly dropped: number;
  readonly overflows: number;
  /** Notifications that were checked as they came, and states that were compared at quiet points. */
  readonly checks: number;
  /** Objects that somebody did not have at a quiet point, or not as they are. */
  readonly lost: number;
  /** Objects that somebody still had, and notifications of what never was. */
  readonly invented: number;
  /** Whatever else is wrong too. */
  readonly violations: number;
  readonly firstViolations: readonly string[];
  /** What was open after everything was stopped. */
  readonly leftovers: readonly string[];
  /** By informer: how often it said what of itself. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The same for two runs in which everybody was told the same. */
  readonly story: string;
}

export function reportOf(chaos: Chaos): ChaosReport {
  const { options, server, ledger, followers, counts, weather, elapsed } = chaos;
  const subscribers = followers.flatMap((follower) => follower.subscribers);
  const notifications = { add: 0, update: 0, delete: 0, sync: 0, initial: 0, finalStateUnknown: 0 };
  for (const { recorder } of subscribers) {
    for (const type of Object.keys(notifications) as (keyof typeof notifications)[])
      notifications[type] += recorder.counts[type];
  }
  const { add, update, delete: deletes, sync } = notifications;
  return {
    seed: options.seed,
    minutes: Math.round(elapsed / 60_000),
    quietPoints: counts.quietPoints,
    writes: ledger.writes,
    faults: { ...server.faults, ...weather.counts },
    notifications,
    subscribers: subscribers.length,
    kinds: sumsOf(followers.map(({ kinds }) => kinds)),
    dropped: subscribers.reduce((sum, { figures }) => sum + figures.dropped, 0),
    overflows: subscribers.reduce((sum, { figures }) => sum + figures.overflows, 0),
    checks: add + update + deletes + sync + counts.comparisons,
    lost: counts.lost,
    invented: counts.invented,
    violations: counts.violations,
    firstViolations: chaos.violations,
    leftovers: chaos.leftovers,
    statuses: Object.fromEntries(followers.map(({ name, said }) => [name, Object.fromEntries(said.counts)])),
    story: storyOf(subscribers),
  };
}

function storyOf(subscribers: readonly Subscriber[]): string {
  const stories = subscribers.map(({ story }) => story).join();
  return createHash('sha256').update(stories).digest('hex').slice(0, 16);
}

function sumsOf(counts: readonly ReadonlyMap<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [what, count] of counts.flatMap((one) => [...one])) sums[what] = (sums[what] ?? 0) + count;
  return sums;
}
