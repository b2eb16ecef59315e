import type { Outcome } from './job.ts';
import type { JobName } from './plan.ts';
import { median, spread } from './statistics.ts';

/** The outcomes of each job, one a round; none where it could not be measured. */
export type Measured = Partial<Record<JobName, readonly Outcome[]>>;

export interface Figure {
  readonly name: string;
  /** `null`: it was not measured. */
  readonly value: number | null;
  /** At the most. `null`: there is none, it is only told. */
  readonly goal: number | null;
  /** `null`: nobody knows. */
  readonly holds: boolean | null;
}

/** What a figure is made of, and how far apart the rounds were. */
export interface Measure {
  readonly value: number;
  readonly spread: number;
}

type Pick = (outcome: Outcome) => number | undefined;
type Part = 'list' | 'watch' | 'relist';

const cpu =
  (part: Part): Pick =>
  (outcome) =>
    outcome[part]?.cpu;

/** Throws where an outcome has not what it should. */
export function measure(measured: Measured, job: JobName, pick: Pick): Measure | undefined {
  const values = valuesOf(measured, job, pick);
  return values.length === 0 ? undefined : { value: median(values), spread: spread(values) };
}

function valuesOf(measured: Measured, job: JobName, pick: Pick): number[] {
  return (measured[job] ?? []).map(pick).map((value) => {
    if (value === undefined) throw new Error(`${job} has not measured what is asked of it`);
    return value;
  });
}

type Value = (measured: Measured) => number | undefined;

const single =
  (job: JobName, pick: Pick): Value =>
  (measured) =>
    measure(measured, job, pick)?.value;

/** Of the rounds that have both: what disturbs one of a round disturbs the other, too. */
const ratio =
  (ours: JobName, other: JobName, pick: Pick, pickOther = pick): Value =>
  (measured) => {
    const below = valuesOf(measured, other, pickOther);
    const ratios = valuesOf(measured, ours, pick).flatMap((value, round) => {
      const divisor = below[round];
      return divisor === undefined ? [] : [value / divisor];
    });
    return ratios.length === 0 ? undefined : median(ratios);
  };

const worst =
  (...values: readonly Value[]): Value =>
  (measured) => {
    const all = values.map((value) => value(measured));
    return all.every((value) => value !== undefined) ? Math.max(...all) : undefined;
  };

const wallOfList: Pick = ({ list }) => list.wall;
const perObject: Pick = ({ list }) => list.cpu / list.seen.count;

/** Names and goals are those of the design: CPU time of the whole process, but where people wait for a server. */
const FIGURES: readonly (readonly [name: string, goal: number | null, value: Value])[] = [
  ['watch.keyOnly/floor', 0.35, ratio('keyOnly', 'floor', cpu('watch'))],
  ['watch.metadata/floor', 0.6, ratio('metadata', 'floor', cpu('watch'))],
  ['watch.fullObject/floor', 1.15, ratio('checked', 'floor', cpu('watch'))],
  ['watch.fullObjectFrozen/floor', 1.6, ratio('frozen', 'floor', cpu('watch'))],
  [
    'list.keyOnly/floor',
    0.5,
    worst(
      ratio('listKeyOnly', 'listFloor', cpu('list')),
      ratio('listKeyOnlyPaged', 'listFloorPaged', cpu('list')),
    ),
  ],
  ['list.keyOnly/makeInformer', 0.25, ratio('listKeyOnly', 'listMakeInformer', cpu('list'))],
  ['watch.keyOnly/clientGoTyped', 0.1, ratio('keyOnly', 'clientGoTyped', cpu('watch'))],
  ['watch.fullObject/clientGoTyped', 0.25, ratio('checked', 'clientGoTyped', cpu('watch'))],
  ['real.sync/clientGoJson', 0.4, ratio('realOurs', 'realClientGoJson', wallOfList)],
  ['real.sync/clientGoProtobuf', null, ratio('realOurs', 'realClientGoProtobuf', wallOfList)],
  ['memory.perObject/makeInformer', 0.5, ratio('listKeyOnly', 'listMakeInformer', ({ held }) => held?.rss)],
  ['eventLoop.maxBlockMs', 50, single('listKeyOnly', ({ maxBlock }) => maxBlock)],
  ['subscribers50/subscribers1', 1.2, ratio('subscribers50', 'keyOnly', cpu('watch'))],
  ['index.lookupMicros', 5, single('lookup', ({ lookup }) => lookup)],
  ['latency.p99Ms', 20, single('paced', ({ late }) => late)],
  ['relist.unchanged/first', 0.6, ratio('listKeyOnly', 'listKeyOnly', cpu('relist'), cpu('list'))],
  ['growth.perObject100k/10k', 1.15, ratio('listKeyOnly', 'listOfTenth', perObject)],
];

export function figuresOf(measured: Measured): Figure[] {
  return FIGURES.map(([name, goal, valueOf]) => {
    const value = valueOf(measured);
    if (value === undefined) return { name, value: null, goal, holds: null };
    return { name, value: Number(value.toPrecision(3)), goal, holds: goal === null || value <= goal };
  });
}
