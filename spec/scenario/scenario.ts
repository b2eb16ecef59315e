import { BehaviorSubject, delay, filter } from 'rxjs';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import { seededRandom } from '../../src/testing/seededRandom.ts';
import { Churn, type ChurnOptions, createInParallel } from './churn.ts';
import { Observation } from './observation.ts';
import { type ScenarioServer, until } from './server.ts';
import { configMap } from './world.ts';

export interface ScenarioOptions {
  readonly seed: number;
  readonly objects: number;
  /** Writes at random: so many before the crash, as many after it, and a third of it in between. */
  readonly writes: number;
}

export interface Outcome {
  readonly observations: readonly Observation[];
  /** Of the informers that heard of the server's return after the compaction only. */
  readonly expired: readonly Observation[];
  /** What was noticed wrong, in words. */
  readonly faults: readonly string[];
  readonly figures: Readonly<Record<string, unknown>>;
}

/** What part of the objects kubectl makes; parallel clients make the others. */
const BY_KUBECTL = 0.4;
const KUBECTLS = 4;
const CLIENTS = 8;
/** Unit: milliseconds. */
const RETRY = 500;

/**
 * Objects are made, changed and deleted by kubectl and by parallel clients, while informers run and subscribers
 * join; the server crashes in the middle of it, and while the informers do not know yet that it is back, more is
 * deleted and the history is compacted. At the end all must have what the server has.
 */
export async function play(server: ScenarioServer, options: ScenarioOptions): Promise<Outcome> {
  const { objects, writes } = options;
  const random = seededRandom(options.seed);
  /** Whether anybody has told the informers that the server can be reached. */
  const reachable = new BehaviorSubject(true);
  const retry = {
    notifier: () => reachable.pipe(filter(Boolean), delay(RETRY, server.scheduler)),
  };
  const all = new Observation(server, { selector: '', random, retry });
  const few = new Observation(server, { selector: 'colour!=red,group in (g1,g2,g3)', random, retry });
  // It finds out for itself.
  const red = new Observation(server, { selector: 'colour=red', random });
  const observations = [all, few, red];
  const first = all.subscribe('the first');
  all.subscribeSlowly('a slow one', random);
  red.subscribe('the first of the red ones');
  few.subscribe('the first of the few');
  await until(server, 'all informers are live', () => observations.every(({ informer }) => informer.live));

  const numbers = Array.from({ length: objects }, (_, number) => number);
  const byKubectl = numbers.splice(0, objects * BY_KUBECTL);
  const lists = Array.from({ length: KUBECTLS }, (_, part) =>
    byKubectl.filter((number) => number % KUBECTLS === part).map((number) => configMap(number, random)),
  );
  const made = Promise.all([
    ...lists.map((list) => server.kubectl.create(list)),
    createInParallel(server, numbers, CLIENTS, random),
  ]);
  await until(server, 'half of the objects are made', () => first.state.size > objects / 2);
  all.subscribe('one that joins while objects are made');
  await server.during(made);

  const churn = (part: Partial<ChurnOptions>): Churn =>
    new Churn(server, { objects, clients: CLIENTS, random, ...part });
  const before = churn({});
  const labelled = server.kubectl.label('group=g4', 'colour', 'red');
  await until(server, 'a third is written', () => before.writes > writes / 3);
  all.subscribe('one that joins among changes');
  red.subscribe('one that joins the red ones among changes');
  await server.during(labelled);
  await until(server, 'the writes before the crash are done', () => before.writes >= writes);

  reachable.next(false);
  await server.crash();
  const lost = await server.during(before.ended);
  all.subscribe('one that joins while the server is away');
  await server.restart();
  await server.kubectl.delete('group in (g5,g6,g7)');
  await server.compact();
  reachable.next(true);

  const unseen = churn({ writes: writes / 3 });
  const failures = await server.during(unseen.ended);
  await until(server, 'all are live again', () => observations.every(({ informer }) => informer.live));
  const after = churn({ writes });
  await until(server, 'a third is written again', () => after.writes > writes / 3);
  all.subscribeSlowly('a slow one that joins at the end', random);
  failures.push(...(await server.during(after.ended)));
  await server.during(server.kubectl.delete('group in (g8,g9)'));

  const truth = await Promise.all(observations.map(({ selector }) => server.kubectl.get(selector)));
  const served = (at: number): ConfigMap[] => truth[at] ?? [];
  const equal = (): boolean => observations.every((observation, at) => observation.has(served(at)));
  await until(server, 'all have what the server has', equal).catch(() => undefined);

  const recorders = observations.flatMap((observation) => observation.recorders);
  return {
    observations,
    expired: [all, few],
    faults: [
      ...observations.flatMap((observation, at) => observation.differences(served(at))),
      ...recorders.flatMap(({ faults }) => faults),
      ...failures.map((failure) => `a client failed: ${String(failure)}`),
      ...(lost.length === CLIENTS ? [] : ['a client outlived the crash']),
    ],
    figures: {
      objects,
      'objects at the end': served(0).length,
      'writes at random': before.writes + unseen.writes + after.writes,
      notifications: Object.fromEntries(recorders.map(({ name, counts }) => [name, counts])),
      requests: Object.fromEntries(
        observations.map(({ name, statuses }) => [name, Object.fromEntries(statuses)]),
      ),
    },
  };
}
