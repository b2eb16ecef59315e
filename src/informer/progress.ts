import type { Context } from '../context.ts';
import type { InformerError } from '../errors.ts';
import type { InformerStatus, Phase } from '../status.ts';
import { type InformerId, type InformerState, type Readiness, reasonOf } from './readiness.ts';

/** Follows the status of one informer, and knows how it does. */
export class Progress {
  readonly #id: InformerId;
  readonly #context: Pick<Context, 'scheduler' | 'flow' | 'backlogs'>;
  readonly #changed: () => void;
  #phase: Phase = { type: 'stopped' };
  #run: 'none' | 'going' | 'stopped' = 'none';
  #listed = false;
  #synced = false;
  #items = 0;
  #expected: number | undefined;
  #attempt = 0;
  #lastError: InformerError | undefined;
  #staleSince: number | undefined;
  #state: InformerState = 'unused';
  #since: number;

  /** `changed` is called each time its state is another one. */
  constructor(
    id: InformerId,
    context: Pick<Context, 'scheduler' | 'flow' | 'backlogs'>,
    changed: () => void,
  ) {
    this.#id = id;
    this.#context = context;
    this.#changed = changed;
    this.#since = context.scheduler.now();
    context.flow.listen(() => {
      this.#look();
    });
  }

  get synced(): boolean {
    return this.#synced;
  }

  get lastError(): InformerError | undefined {
    return this.#lastError;
  }

  /** A run begins. */
  begin(): void {
    this.#run = 'going';
    this.#listed = false;
    this.#items = 0;
    this.#expected = undefined;
    this.#attempt = 0;
    this.#lastError = undefined;
    this.#staleSince = this.#context.scheduler.now();
    this.#look();
  }

  /** It is over. */
  end(): void {
    if (this.#run === 'going') this.#run = 'none';
    this.#synced = false;
    this.#staleSince = undefined;
    this.#look();
  }

  /** Somebody wants that there is none; `end` follows where there is one. */
  stop(): void {
    const isGoing = this.#run === 'going';
    this.#run = 'stopped';
    if (!isGoing) this.#look();
  }

  take(status: InformerStatus): void {
    switch (status.type) {
      case 'synced':
        this.#synced = true;
        break;
      case 'applied':
        this.#staleSince = undefined;
        break;
      case 'backlog':
      case 'blocked':
      case 'unblocked':
      case 'problem':
        return;
      case 'stopped':
      case 'failed':
        // The end follows.
        this.#enter(status);
        return;
      default:
        this.#enter(status);
    }
    this.#look();
  }

  readiness(): Readiness {
    const { flow, backlogs } = this.#context;
    const waiting = [...backlogs].filter(({ level }) => level !== 'low').map(({ name }) => name);
    const facts = {
      ...this.#id,
      state: this.#state,
      since: this.#since,
      synced: this.#synced,
      phase: this.#phase.type,
      items: this.#items,
      expected: this.#expected,
      attempt: this.#attempt,
      lastError: this.#lastError && { code: this.#lastError.code, message: this.#lastError.message },
      delay: this.#phase.type === 'wait' || this.#phase.type === 'error' ? this.#phase.delay : undefined,
      staleSince: this.#staleSince,
      blockedBy: Object.freeze(flow.paused ? waiting : []),
    };
    return Object.freeze({ ...facts, reason: reasonOf(facts) });
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    switch (phase.type) {
      case 'list':
        this.#items = 0;
        this.#expected = undefined;
        break;
      case 'page':
        this.#items = phase.items;
        this.#expected = phase.remaining === undefined ? undefined : phase.items + phase.remaining;
        break;
      case 'listed':
        this.#listed = true;
        this.#items = phase.items;
        this.#expected = phase.items;
        this.#followed();
        break;
      case 'live':
        this.#followed();
        this.#staleSince = undefined;
        break;
      case 'error':
        this.#attempt = phase.attempt;
        this.#lastError = phase.error;
        this.#staleSince ??= this.#context.scheduler.now();
        break;
      case 'failed':
        this.#lastError = phase.error;
    }
  }

  #followed(): void {
    this.#attempt = 0;
    this.#lastError = undefined;
  }

  #look(): void {
    const state = this.#next();
    if (state === this.#state) return;
    this.#state = state;
    this.#since = this.#context.scheduler.now();
    this.#changed();
  }

  #next(): InformerState {
    const phase = this.#phase;
    if (this.#run === 'stopped') return 'stopped';
    if (this.#run === 'none') return phase.type === 'failed' ? 'failed' : 'unused';
    if (this.#context.flow.paused) return 'blocked';
    if (waits(phase)) return 'waiting';
    if (!this.#synced) return this.#listed ? 'telling' : 'starting';
    return phase.type === 'live' ? 'live' : 'synced';
  }
}

/** What is tried again at once, or polls as it should, does not wait. */
function waits(phase: Phase): boolean {
  if (phase.type === 'error') return phase.delay !== 0;
  return phase.type === 'wait' && phase.reason !== 'poll';
}
