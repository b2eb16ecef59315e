import fc from 'fast-check';
import type { Subscription } from 'rxjs';
import type { LiveSet, Query } from '../../../operators/internal/liveSet.ts';
import type { Entry } from '../../../src/codec/codec.ts';
import type { AddNotification } from '../../../src/store/notification.ts';
import { Listener } from '../../store/history.ts';
import type { Widget } from '../../store/objects.ts';
import { added, at, deleted, list, slowContext, sync } from '../pipeline.ts';
import { queried } from '../queried.ts';

/** More than go into one slice. */
const NAMES = Array.from({ length: 40 }, (_, n) => `w${n}`);
const COLORS = ['red', 'green', 'blue'];

type Facts = { readonly colors: readonly string[]; readonly labels: Readonly<Record<string, string>> };

const NOTHING: Facts = { colors: [], labels: {} };

const facts: fc.Arbitrary<Facts> = fc.record({
  colors: fc.uniqueArray(fc.constantFrom(...COLORS), { maxLength: 2 }),
  labels: fc.constantFrom<Facts['labels']>({}, { app: 'web' }),
});
const names = fc.constantFrom(...NAMES.slice(0, 6), ...NAMES);

type Step =
  | { readonly what: 'put'; readonly name: string; readonly facts: Facts; readonly anew: boolean }
  | { readonly what: 'delete' | 'sync'; readonly name: string }
  | { readonly what: 'list'; readonly kept: readonly boolean[]; readonly facts: readonly Facts[] }
  | { readonly what: 'join'; readonly query: number; readonly holds: boolean }
  | { readonly what: 'leave' | 'release'; readonly which: number }
  | { readonly what: 'turn' };

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ what: fc.constant('put'), name: names, facts, anew: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('delete', 'sync'), name: names }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('list'),
      kept: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
      facts: fc.array(facts, { minLength: 1, maxLength: 7 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('join'), query: fc.nat(4), holds: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('leave', 'release'), which: fc.nat(9) }) },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('turn') }) },
);

const queries: Query<Widget>[] = [
  { index: 'color', value: 'red' },
  { index: 'color', value: 'green' },
  { index: 'color', value: 'red', labels: 'app=web' },
  { index: 'color', value: 'red', where: ({ name }) => name.length === 2 },
  { labels: 'app=web', where: ({ object }) => object.colors.length === 1 },
];

function matches({ name, meta, object }: Entry<Widget>, query: Query<Widget>): boolean {
  if (query.value !== undefined && !object.colors.includes(query.value)) return false;
  if (query.labels !== undefined && meta.labels?.['app'] !== 'web') return false;
  return query.where === undefined || (query === queries[3] ? name.length === 2 : object.colors.length === 1);
}

/** A subscriber that may hold the first thing of the store that it is told, and counts for itself. */
class Member {
  readonly query: Query<Widget>;
  readonly listener = new Listener();
  readonly subscription: Subscription;
  readonly counts: number[] = [];
  #holds: boolean;
  #release: (() => void) | undefined;

  constructor(query: Query<Widget>, set: LiveSet<Widget>, holds: boolean) {
    this.query = query;
    this.#holds = holds;
    this.subscription = set.notifications$.subscribe((told) => {
      this.listener.take(told);
      if (this.#holds) this.#release ??= (told as AddNotification<Widget>).hold?.();
    });
    this.subscription.add(set.count$.subscribe((count) => this.counts.push(count)));
  }

  /** From now on it takes all. */
  release(): void {
    this.#holds = false;
    this.#release?.();
  }
}

class World {
  readonly #slow = slowContext();
  readonly #queried = queried(this.#slow.context);
  readonly #members: Member[] = [];
  readonly #single = new Map<string, (Entry<Widget> | undefined)[]>();
  #held = new Map<string, Entry<Widget>>();
  #version = 0;

  constructor() {
    for (const name of NAMES.slice(0, 3)) {
      const states: (Entry<Widget> | undefined)[] = [];
      this.#single.set(name, states);
      this.#queried.get$(name).subscribe((entry) => states.push(entry));
    }
  }

  do(step: Step): void {
    switch (step.what) {
      case 'put':
        this.#queried.emit(added(this.#put(step.name, step.facts, step.anew)));
        break;
      case 'delete': {
        const entry = this.#held.get(step.name);
        this.#held.delete(step.name);
        if (entry !== undefined) this.#queried.emit(deleted(this.#next(entry.name, NOTHING, entry.uid)));
        break;
      }
      case 'sync':
        this.#queried.emit(sync(step.name));
        break;
      case 'list':
        this.#list(step.kept, step.facts);
        break;
      case 'join': {
        const query = queries[step.query] ?? {};
        this.#members.push(new Member(query, this.#queried.select(query), step.holds));
        break;
      }
      case 'leave':
        this.#members[step.which]?.subscription.unsubscribe();
        break;
      case 'release':
        this.#members[step.which]?.release();
        break;
      case 'turn':
        this.#slow.turn();
    }
  }

  /** Everybody who stayed has the set as it is. */
  check(): void {
    for (const member of this.#members) member.release();
    this.#slow.settle();
    const entries = [...this.#held.values()];
    expect(this.#queried.store.list().length).toBe(entries.length);
    for (const { query, listener, subscription, counts } of this.#members) {
      if (subscription.closed) continue;
      const expected = entries.filter((entry) => matches(entry, query));
      expect([...listener.known.values()].map(({ resourceVersion }) => resourceVersion).sort()).toEqual(
        expected.map(({ resourceVersion }) => resourceVersion).sort(),
      );
      expect(counts.at(-1)).toBe(expected.length);
      expect(counts.filter((count, i) => count === counts[i - 1])).toEqual([]);
    }
    for (const [name, states] of this.#single) {
      expect(states.at(-1)).toBe(this.#queried.store.get(name));
      expect(states.filter((state, i) => i > 0 && state === states[i - 1])).toEqual([]);
    }
  }

  #put(name: string, given: Facts, anew: boolean): Entry<Widget> {
    const entry = this.#next(name, given, anew ? undefined : this.#held.get(name)?.uid);
    this.#held.set(name, entry);
    return entry;
  }

  #next(name: string, given: Facts, uid: string | undefined): Entry<Widget> {
    this.#version += 1;
    return at(name, this.#version, { ...given, uid: uid ?? `uid ${this.#version}` });
  }

  /** Some are gone, some as they were, some otherwise. */
  #list(kept: readonly boolean[], given: readonly Facts[]): void {
    const next = new Map<string, Entry<Widget>>();
    for (const [n, name] of NAMES.entries()) {
      const held = this.#held.get(name);
      const changes = n % 3 === 0;
      if (kept[n % kept.length] !== true) continue;
      const chosen = given[n % given.length];
      const entry = held !== undefined && !changes ? held : chosen && this.#put(name, chosen, n % 2 === 0);
      if (entry !== undefined) next.set(name, entry);
    }
    this.#held = next;
    this.#version += 1;
    this.#queried.emit(list(this.#version, ...next.values()));
  }
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('queries', () => {
  it('end with the set as it is, told in order, whatever is written and listed and whoever joins and leaves', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 5, maxLength: 60, size: 'max' }), (all) => {
        jest.restoreAllMocks();
        const world = new World();
        world.do({ what: 'list', kept: [true, true, false], facts: [{ colors: ['red'], labels: {} }] });
        for (const step of all) world.do(step);
        world.check();
      }),
      { numRuns: 60 },
    );
  });
});
