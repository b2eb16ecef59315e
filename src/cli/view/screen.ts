import type { Readiness } from '../../informer/readiness.ts';
import { CHANGES } from './event.ts';
import { fitted, type Line, type Span, span } from './line.ts';
import { statusText } from './statusText.ts';
import { count, counted, duration, plain } from './text.ts';
import { type Newest, rateOf, type ViewState } from './viewState.ts';

/** What the state does not know. */
export interface Facts {
  /** What is watched, and where. */
  readonly title: string;
  /** Objects in the cache. */
  readonly size: number;
  readonly version: string | undefined;
  readonly readiness: Pick<Readiness, 'state' | 'reason' | 'synced' | 'staleSince'>;
}

export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

/** From so many rows on there is a table of counts; below it is one line. */
const TABLE_ROWS = 16;
/** From so many columns on the newest have their time. */
const TIME_COLUMNS = 64;
/** From so many columns on the line of counts has rates. */
const RATE_COLUMNS = 80;

/** The whole window: never more lines than rows, never more characters in one than columns. */
export function screenOf(state: ViewState, facts: Facts, { columns, rows }: WindowSize): Line[] {
  const counts = rows < TABLE_ROWS ? [countsLine(state, columns)] : [[], ...countsTable(state), []];
  const above: Line[] = [
    [span(`rx-informer  ${plain(facts.title)}`, 'strong')],
    statusLine(state, facts),
    cacheLine(state, facts),
    ...noteLines(state),
    ...counts,
  ];
  const newest = state.newest
    .slice(0, Math.max(0, rows - above.length))
    .map((one) => newestLine(one, columns));
  return [...above, ...newest].slice(0, rows).map((line) => fitted(line, columns));
}

/** What of an informer no phase says. */
const NOT_A_PHASE: ReadonlySet<Readiness['state']> = new Set(['telling', 'blocked']);

function statusLine(state: ViewState, { readiness }: Facts): Line {
  if (NOT_A_PHASE.has(readiness.state)) return [span(plain(readiness.reason), 'strong')];
  const { phase, phaseAt, failure, now } = state;
  if (failure !== undefined) {
    const { delay } = failure.status;
    const left = Math.max(0, failure.at + (delay ?? 0) - now);
    const next = left > 0 ? `trying again in ${duration(left)}` : 'trying again';
    return [span(`${next}: `, 'bad'), span(plain(failure.status.error.message))];
  }
  switch (phase.type) {
    case 'live':
      return [span('live', 'good'), span(` for ${duration(now - phaseAt)}`, 'quiet')];
    case 'page':
      return [span('listing ', 'strong'), ...barOf(phase.items, phase.remaining), span(statusText(phase))];
    case 'list':
      return [span(`${statusText(phase)}, ${duration(now - phaseAt)}`, 'strong')];
    default:
      return [span(statusText(phase))];
  }
}

const BAR = 20;

/** How far a list is, where the server says so. */
function barOf(items: number, remaining: number | undefined): Span[] {
  if (remaining === undefined || items + remaining === 0) return [];
  const done = Math.round((items / (items + remaining)) * BAR);
  return [span(`[${'#'.repeat(done)}${'-'.repeat(BAR - done)}] `, 'good')];
}

function cacheLine(state: ViewState, { size, version, readiness }: Facts): Line {
  const parts = [
    counted(size, 'object'),
    `version ${plain(version ?? '-')}`,
    `up ${duration(state.now - state.since)}`,
    state.failures > 0 ? counted(state.failures, 'failure') : '',
    state.problems > 0 ? counted(state.problems, 'problem') : '',
  ].filter(Boolean);
  const { synced, staleSince } = readiness;
  if (!synced || staleSince === undefined) return [span(parts.join('   '))];
  return [
    span(parts.join('   ')),
    span(`  perhaps out of date, for ${duration(Math.max(0, state.now - staleSince))}`, 'bad'),
  ];
}

const noteLines = ({ note }: ViewState): Line[] => (note === undefined ? [] : [[span(plain(note), 'bad')]]);

function countsTable(state: ViewState): Line[] {
  const head = `        ${'total'.padStart(12)}${'per second'.padStart(14)}`;
  const first = state.initial === 0 ? '' : `   and ${count(state.initial)} of the first list`;
  const rows = CHANGES.map((change): Line => {
    const numbers = count(state.counts[change]).padStart(12) + rateText(state, change).padStart(14);
    return [
      span(change.toUpperCase().padEnd(8), change),
      span(numbers),
      span(change === 'add' ? first : '', 'quiet'),
    ];
  });
  return [[span(head, 'quiet')], ...rows];
}

function countsLine(state: ViewState, columns: number): Line {
  return CHANGES.flatMap((change) => {
    const rate = columns < RATE_COLUMNS ? '' : ` (${rateText(state, change)}/s)`;
    return [span(change.toUpperCase(), change), span(` ${count(state.counts[change])}${rate}  `)];
  });
}

const rateText = (state: ViewState, change: (typeof CHANGES)[number]): string =>
  rateOf(state, change).toFixed(1);

function newestLine(newest: Newest, columns: number): Line {
  const time = columns < TIME_COLUMNS ? [] : [span(`${timeText(newest.at)}  `, 'quiet')];
  if (newest.type === 'status') return [...time, span('STATUS  ', 'strong'), span(newest.text)];
  const { change, key, version, times } = newest;
  const more = times === 1 ? '' : `  and ${count(times - 1)} more`;
  return [
    ...time,
    span(change.toUpperCase().padEnd(8), change),
    span(plain(key)),
    span(`  ${plain(version)}${more}`, 'quiet'),
  ];
}

/** The wall clock, as people read it: local. */
function timeText(at: number): string {
  const time = new Date(at);
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
