import type { InformerStatus, Phase } from '../../status.ts';
import { isPhase } from '../../status.ts';
import type { Change, Told, ViewEvent } from './event.ts';
import { isNews, statusText } from './statusText.ts';

export type Counts = Readonly<Record<Change, number>>;

/** Everything that the view shows, except what the store itself knows. */
export interface ViewState {
  readonly since: number;
  readonly now: number;
  /** Without what the first list brought. */
  readonly counts: Counts;
  /** What the first list brought. */
  readonly initial: number;
  /** The counts at the last seconds, oldest first: the rates are over these. */
  readonly samples: readonly Sample[];
  readonly phase: Phase;
  readonly phaseAt: number;
  /** The failure it is recovering from. */
  readonly failure: Failure | undefined;
  readonly failures: number;
  readonly problems: number;
  readonly note: string | undefined;
  /** Newest first. */
  readonly newest: readonly Newest[];
}

export interface Sample {
  readonly at: number;
  readonly counts: Counts;
}

export interface Failure {
  readonly status: Extract<Phase, { type: 'error' }>;
  readonly at: number;
}

export type Newest = { readonly at: number } & (
  | ({ readonly type: 'told' /** How many like it came in a row. */; readonly times: number } & Told)
  | { readonly type: 'status'; readonly text: string }
);

/** Rates are over so many seconds. */
const WINDOW = 10;
/** More than any window shows. */
const KEPT = 120;

export const emptyState = (now: number): ViewState => ({
  since: now,
  now,
  counts: { add: 0, update: 0, delete: 0, sync: 0 },
  initial: 0,
  samples: [],
  phase: { type: 'stopped' },
  phaseAt: now,
  failure: undefined,
  failures: 0,
  problems: 0,
  note: undefined,
  newest: [],
});

/** The state after one more event; `verbose`: each status is one of the newest, too. */
export function viewReducer(verbose: boolean): (state: ViewState, event: ViewEvent) => ViewState {
  return (before, event) => {
    const state = { ...before, now: event.at };
    switch (event.type) {
      case 'told':
        return afterChange(state, event);
      case 'status':
        return afterStatus(state, event.at, event.status, verbose);
      case 'note':
        return { ...state, note: event.text };
      case 'second':
        return {
          ...state,
          samples: [...state.samples, { at: event.at, counts: state.counts }].slice(-WINDOW - 1),
        };
    }
  };
}

/** Unit: per second. */
export function rateOf({ samples }: ViewState, change: Change): number {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at <= first.at) return 0;
  return ((last.counts[change] - first.counts[change]) * 1000) / (last.at - first.at);
}

function afterChange(state: ViewState, told: Told & { readonly at: number }): ViewState {
  const { at, change, key, version, initial } = told;
  const newest = withNewest(state.newest, { type: 'told', at, change, key, version, initial, times: 1 });
  if (initial) return { ...state, newest, initial: state.initial + 1 };
  return { ...state, newest, counts: { ...state.counts, [change]: state.counts[change] + 1 } };
}

function afterStatus(state: ViewState, at: number, status: InformerStatus, verbose: boolean): ViewState {
  const shown = verbose || (isNews(status) && status.type === 'problem');
  const newest = shown
    ? withNewest(state.newest, { type: 'status', at, text: statusText(status) })
    : state.newest;
  const next = { ...state, newest };
  if (status.type === 'synced') return { ...next, note: undefined };
  if (status.type === 'problem') return { ...next, problems: status.count };
  return isPhase(status) ? afterPhase(next, at, status) : next;
}

function afterPhase(state: ViewState, at: number, phase: Phase): ViewState {
  const next = { ...state, phase, phaseAt: at };
  switch (phase.type) {
    case 'error':
      // What is tried again at once is a step on the way.
      if (phase.delay === 0) return next;
      return { ...next, failures: state.failures + 1, failure: { status: phase, at } };
    case 'live':
    case 'listed':
      return { ...next, failure: undefined };
    default:
      return next;
  }
}

/** A resync or a first list would push out everything else, so such a row is one entry. */
function withNewest(newest: readonly Newest[], next: Newest): readonly Newest[] {
  const [last, ...rest] = newest;
  if (last?.type === 'told' && next.type === 'told' && inOneRow(last, next)) {
    return [{ ...next, times: last.times + 1 }, ...rest];
  }
  return [next, ...newest.slice(0, KEPT - 1)];
}

const inOneRow = (last: Told, next: Told): boolean =>
  (last.change === 'sync' && next.change === 'sync') || (last.initial && next.initial);
