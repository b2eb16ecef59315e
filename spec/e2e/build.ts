import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The programs, the Go packages they are built from, and the Go modules (folders) that say their versions. */
const programs = {
  'kube-apiserver': { goModule: 'apiserver', goPackage: 'k8s.io/kubernetes/cmd/kube-apiserver' },
  etcd: { goModule: 'apiserver', goPackage: 'go.etcd.io/etcd/server/v3' },
  kubectl: { goModule: 'apiserver', goPackage: 'k8s.io/kubernetes/cmd/kubectl' },
  oracle: { goModule: 'oracle', goPackage: '.' },
  'client-go-bench': { goModule: '../../bench/clientGo', goPackage: '.' },
} as const;

export type Program = keyof typeof programs;

const progressInterval = 10_000;
const goIsMissing =
  'What runs on a real kube-apiserver builds it from source and needs Go, but there is no program "go" on the PATH. ' +
  'Install it (https://go.dev/doc/install) and run it again, or leave it out: nothing else needs it.';

const builds = new Map<Program, Promise<string>>();

/**
 * The path of a program, which is built first when the cache does not have it.
 *
 * Guarantees: what is at the path is complete (built under another name, then renamed), and it is what its Go
 * module (go.mod, go.sum and source) says now, since the hash of that is part of the path.
 */
export function build(program: Program): Promise<string> {
  const path = builds.get(program) ?? cachedOrBuilt(program);
  builds.set(program, path);
  return path;
}

async function cachedOrBuilt(program: Program): Promise<string> {
  const { goModule } = programs[program];
  const files = readdirSync(join(__dirname, goModule)).sort();
  const texts = files.map((file) => readFileSync(join(__dirname, goModule, file), 'utf8'));
  const hash = texts.reduce((sum, text) => sum.update(text), createHash('sha256')).digest('hex');
  const folder = join(cacheFolder(), `${basename(goModule)}-${hash.slice(0, 12)}`, 'bin');
  const path = join(folder, program);
  if (existsSync(path)) return path;

  mkdirSync(folder, { recursive: true });
  const unfinished = `${path}.${String(process.pid)}.unfinished`;
  try {
    await goBuild(program, unfinished, kubernetesVersion(texts[files.indexOf('go.mod')] ?? ''));
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return path;
}

function cacheFolder(): string {
  const { RX_INFORMER_CACHE: ours, XDG_CACHE_HOME: everyones } = process.env;
  return ours || join(everyones || join(homedir(), '.cache'), 'rx-informer');
}

/** Linker flags that tell the programs of Kubernetes their version, which they can't know by themselves. */
function kubernetesVersion(goMod: string): string[] {
  const [, version, major, minor] =
    /^\s*(?:require )?k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\S+)/m.exec(goMod) ?? [];
  if (!version || !major || !minor) return [];
  const variables = { gitVersion: version, gitMajor: major, gitMinor: minor };
  return Object.entries(variables).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
}

async function goBuild(program: Program, output: string, version: string[]): Promise<void> {
  const ldflags = ['-s', '-w', ...version].join(' ');
  const { goModule, goPackage } = programs[program];
  const args = ['build', '-v', '-trimpath', '-ldflags', ldflags, '-o', output, goPackage];
  // Without cgo no C compiler is needed; a go.work around this repository is none of ours.
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' };
  const go = spawn('go', args, { cwd: join(__dirname, goModule), env, stdio: ['ignore', 'ignore', 'pipe'] });
  const progress = reportProgress(program, go.stderr);
  try {
    const [code] = (await once(go, 'close')) as [number | null];
    if (code !== 0) throw new Error(`go build of ${program} failed:\n${progress.complaints.join('\n')}`);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? new Error(goIsMissing, { cause: error })
      : error;
  } finally {
    progress.end();
  }
}

/** Says every few seconds how far the build is: minutes of silence look like a hang. */
function reportProgress(program: Program, stderr: Readable) {
  const started = performance.now();
  let downloaded = 0;
  let compiled = 0;
  /** What `go` says that is not progress. */
  const complaints: string[] = [];
  createInterface({ input: stderr }).on('line', (line) => {
    if (line.startsWith('go: downloading ')) downloaded += 1;
    else if (/^[\w.~/-]+$/.test(line)) compiled += 1;
    else complaints.push(line);
  });

  const say = (text: string) => process.stderr.write(`[${program}] ${text}\n`);
  const sayHowFar = () => {
    const seconds = Math.round((performance.now() - started) / 1000);
    say(
      `${String(seconds)} s, ${String(downloaded)} modules downloaded, ${String(compiled)} packages compiled`,
    );
  };
  say('being built by Go, once: minutes for kube-apiserver, seconds for what comes after it');
  const interval = setInterval(sayHowFar, progressInterval);
  const end = () => {
    clearInterval(interval);
    sayHowFar();
  };
  return { complaints, end };
}

/** `npx ts-node spec/e2e/build.ts` builds everything ahead of the specs. */
async function buildAll(): Promise<void> {
  for (const program of Object.keys(programs) as Program[]) console.log(await build(program));
}

if (require.main === module) void buildAll();
