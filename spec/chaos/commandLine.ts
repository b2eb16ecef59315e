import { parseArgs } from 'node:util';
import { Chaos } from './chaos.ts';
import type { ChaosServer } from './chaosServer.ts';
import { RealServer } from './realServer.ts';
import type { ChaosReport } from './report.ts';
import { SteppedServer } from './steppedServer.ts';

const HELP = `npm run chaos -- [options]

Storms of writes and faults around several informers, each with several subscribers, quiet points behind them, at
which every store and every subscriber must have exactly what the server has, and calm until the next one.

  --seed N       what happens. Default: a random one, which is printed
  --minutes M    how long. Default: 60, or 2 of the real server
  --server NAME  embedded   the API server of rx-informer/testing over real sockets (the default)
                 simulated  the same without sockets
                 real       kube-apiserver behind a TCP proxy that makes the faults; needs Go
  --calm M       how long it may be calm between two storms. Default: by the seed, half an hour to two hours at
                 the most; 0 of the real server. With 0 a storm follows the other
  --crowd N      that many subscribers on one informer, instead of several informers with four each
  --json         everything that was counted, as JSON, and nothing else
  --help         this

Of embedded and simulated the minutes are those of a stepped clock: a simulated day takes some seconds, and a seed
plays exactly the same each time. Of the real server they are real, and only the choices are the same.

The exit code is 1 if anything was lost, invented, left over or otherwise wrong.
`;

const SERVERS: Readonly<Record<string, (seed: number) => Promise<ChaosServer>>> = {
  embedded: (seed) => SteppedServer.embedded(seed),
  simulated: (seed) => Promise.resolve(SteppedServer.simulated(seed)),
  real: (seed) => RealServer.start(seed),
};

/** Runs what the command line asks for; resolves with the exit code. */
export async function chaosCommand(args: readonly string[], print: (text: string) => void): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      minutes: { type: 'string' },
      server: { type: 'string', default: 'embedded' },
      calm: { type: 'string' },
      crowd: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { json, server: name } = values;
  const start = SERVERS[name];
  const seed = numberOf('seed', values.seed ?? String(Math.floor(Math.random() * 1_000_000)));
  const minutes = numberOf('minutes', values.minutes ?? (name === 'real' ? '2' : '60'));
  const calm = values.calm === undefined ? undefined : 60_000 * numberOf('calm', values.calm);
  const crowd = values.crowd === undefined ? undefined : numberOf('crowd', values.crowd);
  if (values.help) {
    print(HELP);
    return 0;
  }
  if (start === undefined)
    throw new Error(`--server ${name}: give one of ${Object.keys(SERVERS).join(', ')}`);
  if (!json) print(`chaos: seed ${String(seed)}, ${String(minutes)} minutes, ${name}\n`);

  const begun = performance.now();
  const server = await start(seed);
  try {
    const progress = (report: ChaosReport): void => {
      if (!json) print(progressLine(report));
    };
    const report = await new Chaos(server, {
      seed,
      duration: minutes * 60_000,
      calm,
      crowd,
      progress,
    }).run();
    const took = (performance.now() - begun) / 60_000;
    const hoursPerMinute = Math.round((10 * report.minutes) / 60 / took) / 10;
    const text = JSON.stringify({ server: name, hoursPerMinute, ...report }, undefined, 2);
    print(json ? `${text}\n` : summary(report));
    return report.violations === 0 ? 0 : 1;
  } finally {
    await server.close();
  }
}

function numberOf(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value < Infinity) return value;
  throw new Error(`--${option} ${text}: give a number`);
}

const progressLine = ({ minutes, writes, faults, checks, violations }: ChaosReport): string =>
  `${String(minutes).padStart(6)} min  ${sum(writes)} writes  ${sum(faults)} faults  ${String(checks)} checks  ${String(violations)} wrong\n`;

function summary(report: ChaosReport): string {
  const { quietPoints, writes, faults, notifications, lost, invented, violations, firstViolations } = report;
  return [
    `${String(quietPoints)} quiet points, ${String(report.subscribers)} subscribers, ${String(report.checks)} checks`,
    `among them: ${inWords(report.kinds)}`,
    `writes: ${inWords(writes)}`,
    `faults: ${inWords(faults)}`,
    `notifications: ${inWords(notifications)}`,
    `lost ${String(lost)}, invented ${String(invented)}, wrong in all ${String(violations)}`,
    ...firstViolations,
    '',
  ].join('\n');
}

type Counts = Readonly<Record<string, number>>;

const sum = (counts: Counts): string => String(Object.values(counts).reduce((a, b) => a + b, 0));

const inWords = (counts: Counts): string =>
  Object.entries(counts)
    .map(([what, count]) => `${what} ${String(count)}`)
    .join(', ');
