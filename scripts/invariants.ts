// npm run invariants: breaks each invariant on purpose, in a copy of the tree, and expects its spec to go red.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A patch of spec/invariants: what it breaks and which spec must notice, then the difference. */
interface Breakage {
  readonly file: string;
  /** As in docs/semantics.md. */
  readonly invariant: string;
  readonly spec: string;
  /** The name of the test, if it is not any of that spec. */
  readonly test: string | undefined;
}

interface Result {
  readonly numFailedTests: number;
  readonly numPassedTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

const ROOT = join(__dirname, '..');
const PATCHES = join(ROOT, 'spec/invariants');
const TREE = [
  'src',
  'operators',
  'spec',
  'scripts',
  'docs',
  'README.md',
  'CONTRIBUTING.md',
  'package.json',
  'tsconfig.json',
  'jest.config.js',
];

const breakages = readdirSync(PATCHES)
  .filter((name) => name.endsWith('.patch'))
  .sort()
  .map(breakageOf);

const copy = mkdtempSync(join(tmpdir(), 'rx-informer-invariants-'));
let failed = 0;
try {
  for (const entry of TREE) cpSync(join(ROOT, entry), join(copy, entry), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));

  const specs = [...new Set(breakages.map(({ spec }) => spec))];
  const whole = jest(specs, undefined);
  if (whole.numFailedTests + whole.numRuntimeErrorTestSuites > 0) {
    throw new Error('the specs are red without any breakage; run `npm test` first');
  }
  for (const breakage of breakages) {
    const problem = survives(breakage);
    if (problem !== undefined) failed += 1;
    console.log(
      `${problem === undefined ? '✓' : '✗'} ${breakage.invariant}${problem === undefined ? '' : `: ${problem}`}`,
    );
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\ninvariants: ${breakages.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 && breakages.length > 0 ? 0 : 1;

/** Why the breakage went unnoticed; `undefined` if its spec went red. */
function survives({ file, spec, test }: Breakage): string | undefined {
  const applied = git(['apply', file]);
  if (applied !== undefined) return `${basename(file)} does not apply any more: ${applied}`;
  const { numFailedTests, numRuntimeErrorTestSuites } = jest([spec], test);
  const reverted = git(['apply', '--reverse', file]);
  if (reverted !== undefined) throw new Error(reverted);
  if (numRuntimeErrorTestSuites > 0) return `${spec} does not even load`;
  return numFailedTests > 0 ? undefined : `${spec} stays green`;
}

function jest(specs: readonly string[], test: string | undefined): Result {
  const args = ['node_modules/jest/bin/jest.js', '--json', '--silent', '--runTestsByPath', ...specs];
  if (test !== undefined) args.push('--testNamePattern', test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', maxBuffer: 1e9 });
  return JSON.parse(stdout) as Result;
}

/** What git said if it failed. */
function git(args: readonly string[]): string | undefined {
  const { status, stderr } = spawnSync('git', [...args], { cwd: copy, encoding: 'utf8' });
  return status === 0 ? undefined : stderr.trim();
}

function breakageOf(name: string): Breakage {
  const file = join(PATCHES, name);
  const text = readFileSync(file, 'utf8');
  const field = (label: string): string | undefined => new RegExp(`^${label}: (.*)$`, 'm').exec(text)?.[1];
  const invariant = field('Invariant');
  const spec = field('Spec');
  if (invariant === undefined || spec === undefined) {
    throw new Error(`${name} must begin with the lines "Invariant: …" and "Spec: …"`);
  }
  return { file, invariant, spec, test: field('Test') };
}
