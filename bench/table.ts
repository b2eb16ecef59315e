import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { type Figure, type Measured, measure } from './figures.ts';
import type { Outcome } from './job.ts';
import type { JobName } from './plan.ts';

const DOCS = join(__dirname, '../docs/performance.md');

export function figureTable(figures: readonly Figure[]): string {
  return table(
    ['figure', 'measured', 'goal', ''],
    figures.map(({ name, value, goal, holds }) => [
      name,
      value === null ? 'not measured' : String(value),
      goal === null ? 'none' : `≤ ${String(goal)}`,
      goal === null || holds === null ? '' : holds ? 'holds' : 'missed',
    ]),
  );
}

/** What each contender took, per object or event. */
export function measureTable(measured: Measured): string {
  const names = Object.keys(measured) as JobName[];
  return table(
    [
      'contender',
      'objects',
      'list: CPU, wall (µs an object)',
      'watch: CPU, wall (µs an event)',
      'heap + external, RSS (bytes an object)',
      'spread',
    ],
    names.map((name) => {
      const [first] = measured[name] ?? [];
      const micros = (part: 'list' | 'watch', kind: 'cpu' | 'wall') => (outcome: Outcome) => {
        const cost = outcome[part];
        return cost && (cost[kind] * 1000) / cost.seen.count;
      };
      const cost = (part: 'list' | 'watch'): string =>
        first?.[part] === undefined
          ? ''
          : (['cpu', 'wall'] as const)
              .map((kind) => rounded(measure(measured, name, micros(part, kind))?.value))
              .join(', ');
      const held = (pick: (held: NonNullable<Outcome['held']>) => number): string =>
        rounded(measure(measured, name, ({ held }) => held && pick(held))?.value);
      const part = first?.watch === undefined ? 'list' : 'watch';
      const apart = measure(measured, name, (outcome) => outcome[part]?.cpu)?.spread ?? 0;
      return [
        name,
        String(first?.list.seen.count ?? ''),
        cost('list'),
        cost('watch'),
        first?.held === undefined
          ? ''
          : `${held(({ heap, external }) => heap + external)}, ${held(({ rss }) => rss)}`,
        `${String(Math.round(apart * 100))} %`,
      ];
    }),
  );
}

/** Whether lists of the same objects leave something behind. */
export function leakLine(measured: Measured): string {
  const leaked = measure(measured, 'leak', ({ leaked }) => leaked)?.value;
  if (leaked === undefined) return 'Whether relists leak was not measured.';
  const bytes = rounded(Math.max(0, leaked));
  return `All relists after the first together left ${bytes} bytes an object behind, after full collections.`;
}

/** Puts the tables between the marks of the page. */
export function writeDocs(measured: Measured, figures: readonly Figure[]): void {
  const machine = `Node ${process.versions.node}, ${String(cpus().length)} cores. Rounds: ${String(roundsOf(measured))}.`;
  const text = between(
    readFileSync(DOCS, 'utf8'),
    [machine, figureTable(figures), measureTable(measured), leakLine(measured)].join('\n\n'),
  );
  writeFileSync(DOCS, text);
}

/** Throws where the text has no marks. */
export function between(text: string, tables: string): string {
  const [begin, end] = ['<!-- bench -->', '<!-- /bench -->'];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`there is no ${begin} … ${end}`);
  return `${text.slice(0, from)}${begin}\n\n${tables}\n\n${text.slice(to)}`;
}

const roundsOf = (measured: Measured): number =>
  Math.max(0, ...Object.values(measured).map(({ length }) => length));

const rounded = (value: number | undefined): string =>
  value === undefined ? '' : String(value < 10 ? Number(value.toFixed(1)) : Math.round(value));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
