import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

type Child = ChildProcessByStdio<null, Readable, Readable>;

const script = join(__dirname, '../../scripts/start.mjs');
const children: Child[] = [];

function started(...args: string[]): Child {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

/** What it wrote and how it ended. */
async function ended(child: Child): Promise<{ code: number | null; out: string; err: string }> {
  const output = { out: '', err: '' };
  child.stdout.on('data', (text) => (output.out += String(text)));
  child.stderr.on('data', (text) => (output.err += String(text)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/** Its lines, until there is one that matches. */
async function linesUntil(child: Child, wanted: RegExp): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (wanted.test(line)) break;
  }
  return lines;
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe('npm start', () => {
  jest.setTimeout(60_000);

  it('helps, gives its version and says one sentence about a wrong option', async () => {
    const [help, version, wrong] = await Promise.all(
      [['--help'], ['--version'], ['--podz', '5']].map((args) => ended(started(...args))),
    );
    expect([help?.code, help?.err]).toEqual([0, '']);
    expect(help?.out).toContain('--field-selector');
    expect(version?.out).toMatch(/^rx-informer \d+\.\d+\.\d+\n$/);
    expect([wrong?.code, wrong?.out]).toEqual([1, '']);
    expect(wrong?.err).toMatch(/^option: .* is --pods meant.*\n$/);
  });

  it('runs the demo into a pipe: the first list, then what changes, until it is interrupted', async () => {
    const child = started('--pods', '50', '--rate', '500', '--resync', '0.5');
    const lines = await linesUntil(child, /^SYNC /);
    expect(lines.filter((line) => /^ADD {4}\S+\/\S+ \d+ initial$/.test(line)).length).toBeGreaterThan(40);
    expect(lines).toContain('STATUS in sync');
    expect(lines.some((line) => line.startsWith('UPDATE '))).toBe(true);
    child.stdout.resume();
    child.kill('SIGINT');
    expect((await once(child, 'close'))[0]).toBe(0);
  });

  it('ends quietly when nobody reads any more', async () => {
    const child = started('--pods', '5', '--rate', '500');
    await linesUntil(child, /^ADD /);
    child.stdout.destroy();
    expect(await ended(child)).toMatchObject({ code: 0, err: '' });
  });

  it('says that the server does not serve a kind, and ends', async () => {
    const { code, err } = await ended(started('--pods', '5', '--kind', 'example.com/v1/Thing'));
    expect(err).toMatch(
      /^At http:\S+, the embedded API server: the server serves no example\.com\/v1; .*\n$/,
    );
    expect(code).toBe(1);
  });
});
