import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Answers, Request } from './messages.ts';

/** The process of the informers, as that of the server sees it. */
export class InformerClient {
  readonly #child: ChildProcess;
  #last: Promise<unknown> = Promise.resolve();

  constructor() {
    this.#child = fork(join(__dirname, 'informerProcess.ts'), [], {
      execArgv: ['--expose-gc', '--require', 'ts-node/register'],
    });
  }

  /** One after the other. Rejects where it failed, or the process is gone. */
  ask<R extends Request>(request: R): Promise<Answers[R['type']]> {
    const answered = this.#last.then(() => this.#ask(request));
    this.#last = answered.catch(() => undefined);
    return answered as Promise<Answers[R['type']]>;
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill();
    await gone;
  }

  async #ask(request: Request): Promise<unknown> {
    const ended = new AbortController();
    const exit = once(this.#child, 'exit', { signal: ended.signal }).then(([code]) => {
      throw new Error(`the process of the informers ended with ${String(code)}`);
    });
    const message = once(this.#child, 'message', { signal: ended.signal });
    this.#child.send(request);
    try {
      const [{ answer, error }] = (await Promise.race([message, exit])) as [
        { answer?: unknown; error?: string },
      ];
      if (error !== undefined) throw new Error(error);
      return answer;
    } finally {
      // Whichever did not come is not waited for any more.
      await settleQuietly(ended, [message, exit]);
    }
  }
}

async function settleQuietly(ended: AbortController, waits: readonly Promise<unknown>[]): Promise<void> {
  ended.abort();
  await Promise.allSettled(waits);
}
