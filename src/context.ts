import { asyncScheduler, Observable, type SchedulerLike, Subject } from 'rxjs';
import { checkFunction, checkOptions, isRecord } from './checks.ts';
import { type InformerError, InvalidOptionError, UserFunctionError } from './errors.ts';
import { Flow } from './flow.ts';
import { Backlogs } from './queue/backlog.ts';
import { type InformerStatus, isPhase, type Phase, type StatusSink } from './status.ts';

/** What the stages of one pipeline share. Time and chance come from here only. */
export interface Context {
  readonly scheduler: SchedulerLike;
  /** Uniform in [0, 1). Of `createContext`, also where what was given is not: that is a problem, and 0.5. */
  readonly random: () => number;
  readonly status: StatusSink;
  readonly flow: Flow;
  readonly backlogs: Backlogs;
}

export interface ContextOptions {
  /** Default: `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
  /** Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** The status of one pipeline: a stream that replays the phase it is in, then tells everything. */
export class StatusChannel implements StatusSink {
  readonly #all = new Subject<InformerStatus>();
  readonly #scheduler: SchedulerLike;
  #phase: Phase = { type: 'stopped' };
  #problems = 0;
  #lastAlive: number | undefined;
  #watchedUntil = 0;

  constructor(scheduler: SchedulerLike) {
    this.#scheduler = scheduler;
  }

  readonly status$ = new Observable<InformerStatus>((subscriber) => {
    // First, so that it hears what is reported while it is told the phase.
    const subscription = this.#all.subscribe(subscriber);
    subscriber.next(this.#phase);
    return subscription;
  });

  get phase(): Phase {
    return this.#phase;
  }

  /** Time since the last byte from the server. Unit: milliseconds. */
  get silence(): number | undefined {
    return this.#lastAlive === undefined ? undefined : this.#scheduler.now() - this.#lastAlive;
  }

  /**
   * Whether a watch is open and answered. Not right after the machine slept: until a timer finds that out,
   * the phase is what it was before.
   */
  get live(): boolean {
    return this.#phase.type === 'live' && this.#scheduler.now() <= this.#watchedUntil;
  }

  report(status: InformerStatus): void {
    if (isPhase(status)) this.#phase = status;
    this.#all.next(status);
  }

  /** Becomes a warning of the process where nobody listens, so that no problem is lost silently. */
  problem(error: InformerError): void {
    this.#problems += 1;
    if (!this.#all.observed) process.emitWarning(error.message, { type: error.name, code: error.code });
    this.report({ type: 'problem', error, count: this.#problems });
  }

  alive(): void {
    this.#lastAlive = this.#scheduler.now();
  }

  watchedUntil(time: number): void {
    this.#watchedUntil = time;
  }
}

export interface PipelineContext extends Context {
  readonly status: StatusChannel;
}

/** Make one and give it to each stage of a pipeline put together by hand. Throws InvalidOptionError. */
export function createContext(options: ContextOptions = {}): PipelineContext {
  checkOptions('options', options);
  checkContextOptions(options);
  const { scheduler = asyncScheduler, random = Math.random } = options;
  const status = new StatusChannel(scheduler);
  return {
    scheduler,
    random: soundRandom(random, status),
    status,
    flow: new Flow(),
    backlogs: new Backlogs(),
  };
}

/** What is no chance counts as the middle: waits are made of it, and none may be NaN, or over before it began. */
function soundRandom(random: () => number, status: StatusSink): () => number {
  let isReported = false;
  const middle = (cause: unknown): number => {
    if (!isReported) status.problem(new UserFunctionError('random', undefined, cause));
    isReported = true;
    return 0.5;
  };
  return () => {
    let chance: unknown;
    try {
      chance = random();
    } catch (cause) {
      return middle(cause);
    }
    if (typeof chance === 'number' && chance >= 0 && chance < 1) return chance;
    return middle(new RangeError(`${String(chance)} is no number from 0 to below 1`));
  };
}

/** Throws InvalidOptionError. */
export function checkContextOptions({ scheduler, random }: ContextOptions): void {
  checkFunction('random', random);
  if (scheduler !== undefined && !(isRecord(scheduler) && typeof scheduler.schedule === 'function')) {
    throw new InvalidOptionError('scheduler', scheduler, 'give a scheduler of RxJS');
  }
}

/**
 * Of a stage that was given none: it has time and chance, and its problems become warnings of the process. Throws
 * InvalidOptionError.
 */
export function contextOf({ context }: { readonly context?: Context | undefined }): Context {
  if (context === undefined) return createContext();
  if (isContext(context)) return context;
  throw new InvalidOptionError(
    'context',
    typeof context,
    'give the `context` of an informer, or of createContext',
  );
}

/** Whatever the type says. */
export const isContext = (context: Context | undefined): context is Context => context?.flow !== undefined;
