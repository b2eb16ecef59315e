import { Observable, type Subscriber } from 'rxjs';
import type { Unreadable, WatchEvent } from '../../src/codec/codec.ts';
import { informerErrorOf, ShortWatchError } from '../../src/errors.ts';
import { apiErrorOf } from '../../src/kubernetes/status.ts';
import { isOlder } from '../../src/kubernetes/version.ts';
import { inAnswerTo } from '../../src/reflector/failures.ts';
import type { Plan } from '../../src/reflector/plan.ts';
import type { Signal } from '../../src/reflector/signal.ts';
import type { ListReason } from '../../src/status.ts';
import type { HttpRequest } from '../../src/transport/http.ts';
import { afterFlowing } from './afterFlowing.ts';
import { watch$ } from './body.ts';
import type { Cursor } from './cursor.ts';

/** What a watch has beyond its timeout to end by itself. Unit: milliseconds. */
const IDLE_MARGIN = 5_000;
/** A watch that lived as long, or for half of what was asked for, is healthy. Unit: milliseconds. */
const HEALTHY = 1_000;
/** One whose answer came no sooner was held back by something in between, and lived all the while. Unit: milliseconds. */
const HELD_BACK = 10_000;
/** How long a streaming list may be silent before its end mark, and may take for all. Unit: milliseconds. */
const STREAM_SILENCE = 10_000;
const STREAM_TOTAL = 60_000;

type WatchPlan = Extract<Plan, { type: 'stream' | 'watch' }>;

/** One watch, or a streaming list that goes on as one, and what it means for the cursor. */
export const watchSignals$ = <T>(
  cursor: Cursor<T>,
  plan: WatchPlan,
  request: HttpRequest,
): Observable<Signal<T>> =>
  new Observable((subscriber) => {
    new WatchSession(cursor, plan, request, subscriber).run();
  });

class WatchSession<T> {
  readonly #cursor: Cursor<T>;
  readonly #plan: WatchPlan;
  readonly #request: HttpRequest;
  readonly #subscriber: Subscriber<Signal<T>>;
  readonly #begun: number;
  /** What it tells is newer. */
  #start: string;
  /** When the watch was answered. */
  #since: number | undefined;
  #answered = false;
  #isHealthy = false;
  #silent = true;

  constructor(cursor: Cursor<T>, plan: WatchPlan, request: HttpRequest, subscriber: Subscriber<Signal<T>>) {
    this.#cursor = cursor;
    this.#plan = plan;
    this.#request = request;
    this.#subscriber = subscriber;
    this.#begun = cursor.context.scheduler.now();
    this.#start = plan.type === 'watch' ? plan.version : '';
  }

  run(): void {
    const { source, context, reflector } = this.#cursor;
    if (this.#plan.type === 'stream') {
      this.#cursor.begin(this.#plan, this.#subscriber);
      const unmarked = (): void => {
        if (reflector.listing) this.#unmarked();
      };
      this.#subscriber.add(afterFlowing(context, STREAM_TOTAL, unmarked));
    } else {
      this.#cursor.resume(this.#subscriber);
      context.status.report({ type: 'watch', version: this.#plan.version });
      this.#relistWhenDue();
    }
    const body = watch$(source, this.#request, context, {
      idleLimit: () => (reflector.listing ? STREAM_SILENCE : this.#plan.timeout * 1_000 + IDLE_MARGIN),
      onAnswer: () => {
        this.#answered = true;
        reflector.answered();
        if (this.#plan.type === 'watch') this.#live(this.#plan.version);
      },
    });
    this.#subscriber.add(
      body.subscribe({
        next: (events) => {
          this.#silent = false;
          this.#cursor.heard();
          for (const event of events) {
            if (this.#subscriber.closed) return;
            this.#take(event);
          }
        },
        error: (error: unknown) => {
          // Without any answer, it is the server that is silent, not the end mark that it does not know.
          const isUnmarked = this.#answered && reflector.listing;
          if (isUnmarked && informerErrorOf(error).code === 'STALLED') this.#unmarked();
          else this.#subscriber.error(error);
        },
        complete: () => {
          const lasted = this.#cursor.ended('server closed it', this.#begun);
          const silent = this.#silent && this.#cursor.silentFor(lasted, this.#plan.timeout * 1_000);
          const verdict = reflector.ended(this.#lived, silent);
          if (verdict === 'later') this.#subscriber.error(new ShortWatchError(this.#request));
          else this.#subscriber.complete();
        },
      }),
    );
  }

  #take(event: WatchEvent<T>): void {
    const { reflector, context } = this.#cursor;
    switch (event.type) {
      case 'ERROR':
        this.#subscriber.error(apiErrorOf(this.#request, event.status, context.scheduler.now()));
        break;
      case 'UNREADABLE':
        this.#unreadable(event.error);
        break;
      case 'BOOKMARK':
        if (reflector.listing) this.#initialBookmark(event.version, event.initialEventsEnd);
        else if (isOlder(event.version, this.#start)) this.#relistSoon('server went back');
        else {
          this.#subscriber.next(event);
          reflector.saw(event.version);
        }
        break;
      default:
        if (event.type === 'MODIFIED' && this.#cursor.isBehind(event.entry, this.#start))
          this.#relistSoon('server went back');
        for (const keyed of this.#cursor.keyed(event.type, event.entry)) this.#subscriber.next(keyed);
        if (reflector.listing) this.#cursor.item();
        else reflector.saw(event.entry.resourceVersion);
    }
  }

  #initialBookmark(version: string, end: boolean): void {
    if (!end) return;
    this.#cursor.listed(version, this.#subscriber);
    // Who heard of the list may have ended it all.
    if (this.#subscriber.closed) return;
    this.#start = version;
    this.#live(version);
  }

  #unreadable(error: Unreadable): void {
    if (this.#cursor.reflector.listing) {
      // A set with a hole in it is no set.
      this.#subscriber.error(error);
      return;
    }
    this.#cursor.context.status.problem(inAnswerTo(error, this.#request));
    this.#relistSoon('unreadable event');
  }

  #relistSoon(reason: ListReason): void {
    if (this.#cursor.relistAt !== undefined) return;
    this.#cursor.relistSoon(reason);
    this.#relistWhenDue();
  }

  #live(version: string): void {
    const { context, reflector } = this.#cursor;
    this.#since = context.scheduler.now();
    context.status.report({ type: 'live', version });
    this.#after(this.#healthy, () => {
      this.#isHealthy = true;
      reflector.healthy();
    });
  }

  /** By its timer, too, since a wall clock may be set back. */
  get #lived(): boolean {
    if (this.#isHealthy) return true;
    const now = this.#cursor.context.scheduler.now();
    if (now - this.#begun >= HELD_BACK) return true;
    return this.#since !== undefined && now - this.#since >= this.#healthy;
  }

  get #healthy(): number {
    return Math.min(HEALTHY, this.#plan.timeout * 500);
  }

  #unmarked(): void {
    this.#cursor.reflector.unmarked();
    this.#subscriber.complete();
  }

  #relistWhenDue(): void {
    const { relistAt, reflector, context } = this.#cursor;
    if (relistAt === undefined) return;
    this.#after(Math.max(0, relistAt - context.scheduler.now()), () => {
      reflector.relist(this.#cursor.relistReason);
      this.#cursor.ended('relist due', this.#begun);
      this.#subscriber.complete();
    });
  }

  #after(delay: number, work: () => void): void {
    this.#subscriber.add(this.#cursor.context.scheduler.schedule(work, delay));
  }
}
