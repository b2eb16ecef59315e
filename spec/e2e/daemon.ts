import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { build, type Program } from './build.ts';
import { type Guard, hasEnded, kill } from './guard.ts';

const startTimeout = 60_000;
const probeInterval = 50;

/** A program that goes on until it is ended, and can be started again; all it says is in one log. */
export class Daemon {
  private readonly guard: Guard;
  private readonly program: Program;
  private readonly log: string;
  private child: ChildProcess | undefined;

  /** `log`: the path of a file. */
  constructor(guard: Guard, program: Program, log: string) {
    this.guard = guard;
    this.program = program;
    this.log = log;
  }

  /**
   * Ends what runs of it, starts it with these flags, and resolves when it is ready.
   *
   * Errors: what kept it from getting ready, with the last lines of the log.
   */
  async restart(flags: readonly string[], isReady: () => Promise<boolean>): Promise<void> {
    await this.kill9();
    const child = await this.guard.start(await build(this.program), flags, this.log);
    this.child = child;
    const deadline = performance.now() + startTimeout;
    // Nothing but its own answers tells that it is ready, so it is asked again and again.
    while (!(await isReady())) {
      if (hasEnded(child)) throw new Error(`${this.program} ended before it was ready.${this.lastWords()}`);
      if (performance.now() > deadline) {
        throw new Error(`${this.program} was not ready after ${String(startTimeout)} ms.${this.lastWords()}`);
      }
      await delay(probeInterval);
    }
  }

  /** Ends it as a crash does. */
  async kill9(): Promise<void> {
    if (this.child) await kill(this.child);
  }

  /** Makes it silent until `cont`: its connections stay open, and nothing comes through them. */
  stop(): void {
    this.child?.kill('SIGSTOP');
  }

  cont(): void {
    this.child?.kill('SIGCONT');
  }

  private lastWords(): string {
    const log = readFileSync(this.log, 'utf8');
    return `\n\nThe end of what it said:\n${log.trimEnd().split('\n').slice(-15).join('\n')}`;
  }
}
