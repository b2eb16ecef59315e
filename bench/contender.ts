// The process of one contender: its job as JSON in, what it took as JSON out.
import { createRequire } from 'node:module';
import type { Contender, Job, Outcome } from './job.ts';

/** Loads what is measured, and nothing else: client-node alone takes a second and 100 MB. */
const load = createRequire(__filename);

function contenderOf(name: Contender): (job: Job) => Promise<Outcome> {
  const file = load(`./contenders/${name}.ts`) as Partial<Record<Contender, (job: Job) => Promise<Outcome>>>;
  const run = file[name];
  if (run === undefined) throw new Error(`there is no ${name}`);
  return run;
}

async function main(): Promise<void> {
  const job = JSON.parse(process.argv[2] ?? '') as Job;
  const outcome = await contenderOf(job.contender)(job);
  process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit());
}

void main();
