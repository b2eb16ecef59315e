import { parseArgs } from 'node:util';
import type { Sample } from './samples.ts';
import { Soak, type SoakReport } from './soak.ts';

const HELP = `npm run soak -- [options]

A steady load in real time on the API server of rx-informer/testing, a mishap now and then, and two informers in a
process of their own, with subscribers of every policy and a late one each minute. That process is measured after
its garbage was collected; the last quarter has to be as the second, everybody has to have what the server has, and
no socket, timer or listener may be left over.

  --minutes M     how long. Default: 30
  --rate R        events a second. Default: 500
  --pods N        how many there are. Default: 5000
  --faultEvery S  seconds between two mishaps. Default: 5
  --seed N        which mishaps and which load. Default: 1
  --json          everything that was measured, as JSON, and nothing else
  --help          this

The exit code is 1 if anything grows, was lost, invented, left over or otherwise wrong.
`;

/** Runs what the command line asks for; resolves with the exit code. */
export async function soakCommand(args: readonly string[], print: (text: string) => void): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: '30' },
      rate: { type: 'string', default: '500' },
      pods: { type: 'string', default: '5000' },
      faultEvery: { type: 'string', default: '5' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    print(HELP);
    return 0;
  }
  const say = values.json ? () => undefined : print;
  const options = {
    duration: numberOf('minutes', values.minutes) * 60_000,
    rate: numberOf('rate', values.rate),
    pods: numberOf('pods', values.pods),
    faultEvery: numberOf('faultEvery', values.faultEvery) * 1_000,
    seed: numberOf('seed', values.seed),
  };
  say(`soak: ${values.minutes} minutes, seed ${values.seed}\n${HEAD}`);
  const report = await Soak.run({ ...options, sampled: (sample) => say(lineOf(sample)) });
  print(values.json ? `${JSON.stringify(report, undefined, 2)}\n` : summary(report));
  return report.wrong.length === 0 ? 0 : 1;
}

function numberOf(option: string, text: string): number {
  const value = Number(text);
  if (value > 0 && value < Infinity) return value;
  throw new Error(`--${option} ${text}: give a number above 0`);
}

const COLUMNS = ['second', 'heap MiB', 'external', 'RSS', 'sockets', 'timers', 'listeners'] as const;
const rowOf = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell, at) => String(cell).padStart(COLUMNS[at]?.length ?? 0)).join('  ')}\n`;

const HEAD = rowOf(COLUMNS);

const lineOf = ({ second, heap, external, rss, sockets, timers, listeners }: Sample): string =>
  rowOf([second, mebibytes(heap), mebibytes(external), mebibytes(rss), sockets, timers, listeners]);

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

function summary({ writes, mishaps, quietPoints, comparison, growth, wrong }: SoakReport): string {
  const { notifications, dropped, overflows, lateJoiners, lost, invented } = comparison;
  return [
    `${writes} writes, ${quietPoints} quiet points, ${notifications} notifications`,
    `${dropped} dropped by policy, ${overflows} overflows, ${lateJoiners} late joiners`,
    `mishaps: ${Object.entries(mishaps)
      .map(([what, count]) => `${what} ${count}`)
      .join(', ')}`,
    ...growth.map(
      ({ figure, second, last, flat }) =>
        `${figure}: ${mebibytes(second)} MiB in the second quarter, ${mebibytes(last)} in the last: ${flat ? 'flat' : 'grows'}`,
    ),
    `lost ${lost}, invented ${invented}, wrong in all ${wrong.length}`,
    ...wrong,
    '',
  ].join('\n');
}
