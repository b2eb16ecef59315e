// npm run bench: this package, the floor and its peers side by side. See docs/performance.md.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../spec/e2e/build.ts';
import { figuresOf, type Measured } from './figures.ts';
import type { Outcome } from './job.ts';
import { FULL, isClientGo, isReal, isSlow, type JobName, plan, QUICK, type Size } from './plan.ts';
import { RealPods } from './realPods.ts';
import { buildPackage, run, startServer } from './run.ts';
import { figureTable, leakLine, measureTable, writeDocs } from './table.ts';

const USAGE = `npm run bench -- [options]

  --quick    fewer objects, one round: a minute and a half in place of twenty
  --json     the figures as JSON on standard output, and nothing else there
  --profile  CPU profiles of this package in .cache/bench, and no figures
  --write    puts the figures into docs/performance.md
  --only X   only jobs whose name contains X
`;

const PROFILES = join(__dirname, '../.cache/bench');

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  await buildPackage();
  const size = values.quick ? QUICK : FULL;
  const bench = new Bench(plan(size), values.only);
  if (values.profile) {
    await bench.profile();
    return;
  }
  const measured = await bench.measure(size);
  const figures = figuresOf(measured);
  if (values.json) console.log(JSON.stringify({ figures }, undefined, 2));
  else console.log([measureTable(measured), leakLine(measured), figureTable(figures)].join('\n\n'));
  if (values.write) writeDocs(measured, figures);
}

class Bench {
  readonly #jobs: ReturnType<typeof plan>;
  readonly #names: readonly JobName[];

  constructor(jobs: ReturnType<typeof plan>, only: string) {
    this.#jobs = jobs;
    this.#names = (Object.keys(jobs) as JobName[]).filter((name) => name.includes(only));
  }

  /** Each round runs each contender once, in a fresh process; the last ones only those that are quick. */
  async measure({ rounds, roundsOfSlow }: Size): Promise<Measured> {
    const outcomes: Partial<Record<JobName, Outcome[]>> = {};
    const missing = await this.#clientGoMissing();
    const server = await startServer();
    const real = missing === undefined ? await this.#realServer() : undefined;
    try {
      for (let round = 1; round <= rounds; round += 1) {
        for (const name of this.#names) {
          const job = this.#jobs[name];
          if (missing !== undefined && (isReal(name) || isClientGo(job))) continue;
          if (round > roundsOfSlow && isSlow(name, job)) continue;
          say(`round ${String(round)} of ${String(rounds)}: ${name}`);
          const outcome = await this.#run(name, server.url, real);
          (outcomes[name] ??= []).push(outcome);
        }
      }
    } finally {
      server.close();
      await real?.close();
    }
    return outcomes;
  }

  /** Of all jobs that are this package's. */
  async profile(): Promise<void> {
    const server = await startServer();
    try {
      for (const name of this.#names) {
        if (isReal(name) || this.#jobs[name].contender !== 'ours') continue;
        const folder = join(PROFILES, name);
        mkdirSync(folder, { recursive: true });
        await run(
          { ...this.#jobs[name], server: addressOf(server.url, this.#jobs[name]) },
          { profile: folder },
        );
        console.log(folder);
      }
    } finally {
      server.close();
    }
  }

  async #run(name: JobName, server: string, real: RealPods | undefined): Promise<Outcome> {
    const job = this.#jobs[name];
    if (!isReal(name) || real === undefined) return run({ ...job, server: addressOf(server, job) });
    return run({ ...job, server: '', kubeconfig: real.cluster.kubeconfig().path });
  }

  /** Why client-go and the real server cannot be measured, if they cannot: without Go there is neither. */
  async #clientGoMissing(): Promise<string | undefined> {
    if (!this.#names.some((name) => isReal(name) || isClientGo(this.#jobs[name]))) return undefined;
    try {
      await build('client-go-bench');
      await build('kube-apiserver');
      return undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      say(`client-go and the real server are not measured: ${reason}`);
      return reason;
    }
  }

  async #realServer(): Promise<RealPods | undefined> {
    if (!this.#names.some(isReal)) return undefined;
    const { objects } = this.#jobs.realOurs;
    say(`a real kube-apiserver with ${String(objects)} pods`);
    const real = await RealPods.start();
    await real.create(objects);
    return real;
  }
}

const addressOf = (server: string, { objects }: { readonly objects: number }): string =>
  `${server}/${String(objects)}`;

const say = (text: string): void => void process.stderr.write(`[bench] ${text}\n`);

void main();
