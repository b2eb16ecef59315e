// npm run invariants: breaks each invariant on purpose, in copies of the tree, and expects its spec to go red.
// npm run invariants -- 03- 15-queue: those patches only.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Breakage, readBreakages } from '../spec/invariants/breakages.ts';

interface Result {
  readonly numFailedTests: number;
  readonly numPassedTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

const ROOT = join(__dirname, '..');
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

const parts = process.argv.slice(2);
const breakages = readBreakages().filter(
  ({ file }) => parts.length === 0 || parts.some((part) => basename(file).includes(part)),
);

void checkAll();

async function checkAll(): Promise<void> {
  const copies = Array.from({ length: Math.min(2, availableParallelism()) }, copyTree);
  try {
    const problems = await problemsIn(copies);
    const failed = problems.filter((problem) => problem !== undefined).length;
    console.log(`\ninvariants: ${breakages.length - failed} passed, ${failed} failed`);
    process.exitCode = failed === 0 && breakages.length > 0 ? 0 : 1;
  } finally {
    for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  }
}

/** For each breakage, why it went unnoticed, or `undefined`. One at a time in each copy. */
async function problemsIn(copies: readonly string[]): Promise<(string | undefined)[]> {
  const specs = [...new Set(breakages.map(({ spec }) => spec))];
  const whole = await jest(copies[0] ?? '', specs, [`--maxWorkers=${copies.length}`]);
  if (whole.numFailedTests + whole.numRuntimeErrorTestSuites > 0) {
    throw new Error('the specs are red without any breakage; run `npm test` first');
  }
  const problems: (string | undefined)[] = [];
  const left = breakages.entries();
  const checkIn = async (copy: string): Promise<void> => {
    for (const [index, breakage] of left) {
      const problem = await problemOf(breakage, copy);
      problems[index] = problem;
      const name = `${breakage.invariant} (${basename(breakage.file)})`;
      console.log(problem === undefined ? `✓ ${name}` : `✗ ${name}: ${problem}`);
    }
  };
  await Promise.all(copies.map(checkIn));
  return problems;
}

function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'rx-informer-invariants-'));
  for (const entry of TREE) cpSync(join(ROOT, entry), join(copy, entry), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

async function problemOf({ file, spec, test }: Breakage, copy: string): Promise<string | undefined> {
  const applied = git(copy, ['apply', file]);
  if (applied !== undefined) return `it does not apply any more: ${applied}`;
  const named = test === undefined ? [] : ['--testNamePattern', literally(test)];
  const { numFailedTests, numPassedTests, numRuntimeErrorTestSuites } = await jest(
    copy,
    [spec],
    ['--runInBand', ...named],
  );
  const reverted = git(copy, ['apply', '--reverse', file]);
  if (reverted !== undefined) throw new Error(reverted);
  if (numRuntimeErrorTestSuites > 0) return `${spec} does not even load`;
  if (numFailedTests + numPassedTests === 0) return `${spec} has no test named ${test ?? ''}`;
  return numFailedTests > 0 ? undefined : `${spec} stays green`;
}

async function jest(copy: string, specs: readonly string[], options: readonly string[]): Promise<Result> {
  const args = ['--json', '--silent', ...options, '--runTestsByPath', ...specs];
  const { stdout } = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...args], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const output = await text(stdout);
  if (output === '') throw new Error(`jest --json said nothing of ${specs.join(', ')}`);
  return JSON.parse(output) as Result;
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What git said if it failed. */
function git(copy: string, args: readonly string[]): string | undefined {
  const { status, stderr } = spawnSync('git', [...args], { cwd: copy, encoding: 'utf8' });
  return status === 0 ? undefined : stderr.trim();
}
