import { type ChildProcess, type ChildProcessByStdio, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** `$0` is the folder. Each line of the input names the children that live now; its end is the end of Node. */
const script = `
  children=
  while read -r line; do children=$line; done
  if [ -n "$children" ]; then kill -KILL $children; fi
  rm -rf "$0" || { sleep 1; rm -rf "$0"; }
`;

/**
 * A temporary folder and the child processes that work in it.
 *
 * Guarantees: neither outlives this process, whatever ends it. No handler of exits and signals could promise
 * that (none runs after SIGKILL), so a small shell in a session of its own waits for its input to end, which the
 * operating system sees to when this process is gone.
 */
export class Guard {
  readonly folder = mkdtempSync(join(tmpdir(), 'rx-informer-'));
  private readonly children = new Set<ChildProcess>();
  private readonly shell = spawn('/bin/sh', ['-c', script, this.folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  /** Much in our own environment (`ETCD_…`, `KUBECONFIG`) would steer the children. */
  private readonly options = { cwd: this.folder, env: { HOME: this.folder } };
  private closing: Promise<void> | undefined;

  /** Starts a program that goes on until it is ended; what it says is appended to the file `log`. */
  async start(program: string, args: readonly string[], log: string): Promise<ChildProcess> {
    const file = openSync(log, 'a');
    try {
      return await this.adopt(() => spawn(program, args, { ...this.options, stdio: ['ignore', file, file] }));
    } finally {
      closeSync(file);
    }
  }

  /** The same, except that its standard input and output are ours. */
  async converse(program: string, args: readonly string[], log: string): Promise<Conversation> {
    const file = openSync(log, 'a');
    try {
      const stdio: StdioOptions = ['pipe', 'pipe', file];
      return await this.adopt(() => spawn(program, args, { ...this.options, stdio }) as Conversation);
    } finally {
      closeSync(file);
    }
  }

  /** Runs a program to its end. */
  async run(program: string, args: readonly string[], input = ''): Promise<Finished> {
    const child = await this.adopt(() => spawn(program, args, { ...this.options, stdio: 'pipe' }));
    // A program need not read its input; whether that is a failure is for its exit code to say.
    child.stdin.on('error', () => undefined).end(input);
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code: child.exitCode, stdout, stderr };
  }

  /** Ends the children, the youngest first, then removes the folder. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async adopt<Child extends ChildProcess>(start: () => Child): Promise<Child> {
    if (this.closing) throw new Error('The cluster is closed: nothing can be started in it any more');
    const child = start();
    this.children.add(child);
    child.once('exit', () => {
      this.children.delete(child);
      this.tellShell();
    });
    this.tellShell();
    await once(child, 'spawn');
    return child;
  }

  private tellShell(): void {
    const pids = [...this.children].flatMap(({ pid }) => (pid === undefined ? [] : [String(pid)]));
    this.shell.stdin.write(`${pids.join(' ')}\n`);
  }

  private async end(): Promise<void> {
    for (const child of [...this.children].reverse()) await kill(child);
    this.shell.stdin.end();
    await once(this.shell, 'exit');
  }
}

export type Conversation = ChildProcessByStdio<Writable, Readable, null>;

export interface Finished {
  /** `null`: ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Ends a process the hard way, also a stopped one, and resolves when it is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
