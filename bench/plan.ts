import type { Job } from './job.ts';

/** How much of everything. */
export interface Size {
  readonly rounds: number;
  /** Of those that take most of the time, and differ by factors. */
  readonly roundsOfSlow: number;
  /** For the watches: objects and events after the list. */
  readonly objects: number;
  readonly events: number;
  /** For the lists, and a tenth of it. */
  readonly listed: number;
  readonly indexed: number;
  /** Events of the paced watch. */
  readonly paced: number;
  readonly relists: number;
  /** On the real server. */
  readonly real: number;
}

export const FULL: Size = {
  rounds: 5,
  roundsOfSlow: 3,
  objects: 20_000,
  events: 50_000,
  listed: 100_000,
  indexed: 1_000_000,
  paced: 15_000,
  relists: 20,
  real: 20_000,
};

export const QUICK: Size = {
  rounds: 1,
  roundsOfSlow: 1,
  objects: 4_000,
  events: 15_000,
  listed: 30_000,
  indexed: 200_000,
  paced: 4_000,
  relists: 5,
  real: 3_000,
};

/** Unit: events a second. */
export const RATE = 3_000;

export type JobName =
  | 'floor'
  | 'keyOnly'
  | 'subscribers50'
  | 'metadata'
  | 'checked'
  | 'frozen'
  | 'makeInformer'
  | 'clientGoTyped'
  | 'clientGoDynamic'
  | 'listFloor'
  | 'listKeyOnly'
  | 'listFloorPaged'
  | 'listKeyOnlyPaged'
  | 'listOmit'
  | 'listMakeInformer'
  | 'listOfTenth'
  | 'leak'
  | 'lookup'
  | 'paced'
  | 'realOurs'
  | 'realClientGoJson'
  | 'realClientGoProtobuf';

/** A job, on a server that is not known yet. */
export type Planned = Omit<Job, 'server'>;

/** In the order in which each round runs them, so that those that are compared are next to each other. */
export function plan(size: Size): Record<JobName, Planned> {
  const watch = { objects: size.objects, events: size.events };
  const list = { objects: size.listed, events: 0 };
  const real = { objects: size.real, events: 0 };
  return {
    floor: { contender: 'floor', ...watch },
    keyOnly: { contender: 'ours', ...watch },
    subscribers50: { contender: 'ours', subscribers: 50, ...watch },
    metadata: { contender: 'ours', read: 'metadata', ...watch },
    checked: { contender: 'ours', read: 'object', as: 'checked', ...watch },
    frozen: { contender: 'ours', read: 'object', as: 'frozen', ...watch },
    makeInformer: { contender: 'makeInformer', ...watch },
    clientGoTyped: { contender: 'clientGoTyped', ...watch },
    // Slow, and no figure is made of it: the list will do.
    clientGoDynamic: { contender: 'clientGoDynamic', objects: size.objects, events: 0 },
    listFloor: { contender: 'floor', ...list },
    listKeyOnly: { contender: 'ours', relists: 2, ...list },
    listFloorPaged: { contender: 'floor', list: 'paged', ...list },
    listKeyOnlyPaged: { contender: 'ours', list: 'paged', ...list },
    listOmit: { contender: 'ours', omit: ['metadata.managedFields'], ...list },
    listMakeInformer: { contender: 'makeInformer', ...list },
    listOfTenth: { contender: 'ours', objects: size.listed / 10, events: 0 },
    leak: { contender: 'ours', objects: size.listed / 10, events: 0, relists: size.relists },
    lookup: { contender: 'lookup', objects: size.indexed, events: 0 },
    paced: { contender: 'ours', objects: size.objects, events: size.paced, rate: RATE },
    realOurs: { contender: 'ours', ...real },
    realClientGoJson: { contender: 'clientGoTyped', ...real },
    realClientGoProtobuf: { contender: 'clientGoProtobuf', ...real },
  };
}

export const isReal = (name: JobName): boolean => name.startsWith('real');

export const isSlow = (name: JobName, { contender }: Planned): boolean =>
  isReal(name) || (contender !== 'ours' && contender !== 'floor');

export const isClientGo = ({ contender }: Planned): boolean => contender.startsWith('clientGo');
