import { Subscription } from 'rxjs';
import type { Context } from '../../src/context.ts';
import type { BacklogFacts } from '../../src/queue/backlog.ts';
import type { UnblockReason } from '../../src/status.ts';

/** Stops the reading from the server, for a bounded time. */
export class Brake {
  readonly #context: Context;
  /** Unit: milliseconds. */
  readonly #limit: number;
  readonly #facts: () => BacklogFacts;
  #hold = Subscription.EMPTY;
  #since = 0;
  #isSpent = false;

  constructor(context: Context, limit: number, facts: () => BacklogFacts) {
    this.#context = context;
    this.#limit = limit;
    this.#facts = facts;
  }

  /** Does nothing a second time before it has caught up. */
  stop(): void {
    if (this.#isSpent) return;
    this.#isSpent = true;
    const { scheduler, flow, status } = this.#context;
    this.#since = scheduler.now();
    this.#hold = new Subscription(flow.hold());
    this.#hold.add(
      scheduler.schedule(() => {
        this.release('time is over');
      }, this.#limit),
    );
    status.report({ type: 'blocked', limit: this.#limit, backlog: this.#facts() });
  }

  /** While nothing is stopped, does nothing. */
  release(reason: UnblockReason): void {
    if (reason === 'caught up') this.#isSpent = false;
    if (this.#hold.closed) return;
    this.#hold.unsubscribe();
    const { scheduler, status } = this.#context;
    const lasted = scheduler.now() - this.#since;
    status.report({ type: 'unblocked', reason, lasted, backlog: this.#facts() });
  }
}
