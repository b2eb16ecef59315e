import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { build } from '../spec/e2e/build.ts';
import { expectSeen, seenOfEvents, seenOfList } from './checksum.ts';
import type { Job, Outcome } from './job.ts';

const ROOT = join(__dirname, '..');
const TYPESCRIPT = ['-r', join(__dirname, 'register.js')];
/** What takes longer hangs. Unit: milliseconds. */
const PATIENCE = 300_000;
/** Room for a million objects. Unit: MiB. */
const HEAP = 8_192;

/** Compiles the package unless it is newer than all it is made of. */
export async function buildPackage(): Promise<void> {
  const entry = join(ROOT, 'dist/cjs/src/index.js');
  const sources = ['src', 'operators'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(ROOT, folder, name),
    ),
  );
  const newest = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  if (existsSync(entry) && statSync(entry).mtimeMs > newest) return;
  const child = spawn('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('the package cannot be built');
}

/** The static server: its address, and what ends it. */
export async function startServer(): Promise<{ url: string; close(): void }> {
  const child = spawn(process.execPath, [...TYPESCRIPT, join(__dirname, 'server.ts')], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url, close: () => child.stdin.end() };
}

export interface RunOptions {
  /** Where to write a CPU profile. Default: none is made. */
  readonly profile?: string | undefined;
}

/** One contender in a process of its own. Errors: it failed, or saw something else than there was. */
export async function run(job: Job, { profile }: RunOptions = {}): Promise<Outcome> {
  const { file, args } = await commandOf(job, profile);
  const child = spawn(file, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const [output, closed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const [code] = closed as [number | null];
  process.off('exit', end);
  if (code !== 0) throw new Error(`${job.contender} failed (${String(code)})`);
  const outcome = JSON.parse(output) as Outcome;
  check(job, outcome);
  return outcome;
}

async function commandOf(job: Job, profile: string | undefined): Promise<{ file: string; args: string[] }> {
  const text = JSON.stringify(job);
  if (job.contender.startsWith('clientGo')) return { file: await build('client-go-bench'), args: [text] };
  const profiling =
    profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile, '--cpu-prof-interval', '500'];
  const flags = ['--expose-gc', `--max-old-space-size=${String(HEAP)}`, ...profiling, ...TYPESCRIPT];
  return { file: process.execPath, args: [...flags, join(__dirname, 'contender.ts'), text] };
}

function check(job: Job, { list, watch, relist }: Outcome): void {
  const what = `${job.contender} (${job.read ?? 'key'})`;
  if (list.seen.count !== job.objects) expectSeen(`${what}, list`, list.seen, seenOfList(job.objects));
  const isStatic = job.kubeconfig === undefined && job.contender !== 'lookup';
  if (isStatic) expectSeen(`${what}, list`, list.seen, seenOfList(job.objects));
  if (watch !== undefined)
    expectSeen(`${what}, watch`, watch.seen, seenOfEvents(job.objects, job.events, 2 * job.events));
  if (relist !== undefined && relist.notifications > 0) {
    throw new Error(`${what}: a list of the same objects told ${String(relist.notifications)} changes`);
  }
}
