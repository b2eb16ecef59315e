import type { ServerResponse } from 'node:http';
import type { SchedulerLike } from 'rxjs';
import type { Action } from './steps.ts';

/** Plays actions on one answer, one after the other, at the times of a clock. */
export class Answer {
  readonly #clock: SchedulerLike;
  readonly #response: ServerResponse;
  readonly #queue: Action[] = [];
  #waiting: { unsubscribe(): void } | undefined;
  #closed = false;

  constructor(clock: SchedulerLike, response: ServerResponse) {
    this.#clock = clock;
    this.#response = response;
    response.on('close', () => {
      this.stop();
    });
  }

  /** Whether it can go on. */
  get open(): boolean {
    return !this.#closed && !this.#response.writableEnded;
  }

  play(actions: readonly Action[]): void {
    this.#queue.push(...actions);
    if (this.#waiting === undefined) this.#goOn();
  }

  stop(): void {
    this.#closed = true;
    this.#queue.length = 0;
    this.#waiting?.unsubscribe();
    this.#waiting = undefined;
  }

  #goOn(): void {
    for (let action = this.#queue.shift(); action !== undefined; action = this.#queue.shift()) {
      if (action.type === 'after') {
        this.#waiting = this.#clock.schedule(() => {
          this.#waiting = undefined;
          this.#goOn();
        }, action.delay);
        return;
      }
      this.#do(action);
    }
  }

  #do(action: Exclude<Action, { type: 'after' }>): void {
    const { socket } = this.#response;
    switch (action.type) {
      case 'head':
        this.#response.writeHead(action.status, action.headers).flushHeaders();
        break;
      case 'body':
        if (action.bytes.length > 0) this.#response.write(action.bytes);
        break;
      case 'raw':
        socket?.write(action.bytes);
        break;
      case 'end':
        this.#response.end();
        break;
      case 'cut':
        socket?.end();
        break;
      case 'reset':
        socket?.resetAndDestroy();
    }
  }
}
