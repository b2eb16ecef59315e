import {
  AsyncSubject,
  combineLatest,
  defer,
  distinctUntilChanged,
  map,
  merge,
  Observable,
  of,
  Subject,
  switchMap,
  throwError,
  timeout,
} from 'rxjs';
import { allOf } from '../../operators/internal/allOf.ts';
import { type AwaitedInformer, syncedWithin } from '../../operators/syncedWithin.ts';
import type { Context } from '../context.ts';
import { ShutdownTimeoutError } from '../errors.ts';
import type { BacklogFacts } from '../queue/backlog.ts';
import type { Informer } from './informer.ts';
import { type Readiness, reasonOf, titleOf } from './readiness.ts';
import { Sequence } from './sequence.ts';

/** An informer of whatever kind. */
export type AnyInformer = Pick<
  Informer<never>,
  'start' | 'stop' | 'synced$' | 'lastError' | 'readiness' | 'readiness$' | 'backlogs'
>;

/** Informers that are started, waited for and stopped together. */
export class InformerGroup {
  readonly #context: Context;
  readonly #all: AnyInformer[] = [];
  readonly #changed$ = new Subject<void>();
  readonly #sequence = new Sequence(() => {
    this.#changed$.next();
  });

  constructor(context: Context) {
    this.#context = context;
  }

  /** In the order in which they were added. */
  get all(): readonly AnyInformer[] {
    return this.#all;
  }

  /** First what changes, so that who hears of it while it is told what is misses nothing. */
  readonly states$: Observable<readonly Readiness[]> = merge(this.#changed$, of(undefined)).pipe(
    switchMap(() =>
      this.#all.length === 0 ? of([]) : combineLatest(this.#all.map(({ readiness$ }) => readiness$)),
    ),
    map(() => this.readiness()),
    distinctUntilChanged(isSame),
  );

  add(informer: AnyInformer): void {
    this.#all.push(informer);
    this.#changed$.next();
  }

  readiness(): readonly Readiness[] {
    return Object.freeze(this.#all.map((informer) => this.#readinessOf(informer)));
  }

  /** Those of one step at once, each step when the one before is in sync. */
  start(steps: readonly (readonly AnyInformer[])[]): void {
    this.#sequence.run(steps);
  }

  stop(): void {
    this.#sequence.end();
    for (const informer of this.#all) informer.stop();
  }

  /** Unit: milliseconds; `undefined`: for ever. */
  waitForSync(limit: number | undefined): Observable<void> {
    return defer(() =>
      syncedWithin(limit, Object.fromEntries(this.#all.map((one) => this.#waitedFor(one))), {
        context: this.#context,
      }),
    );
  }

  /** Stops all, at once, and waits for who handles what they told. Unit: milliseconds; `undefined`: for ever. */
  shutdown(limit: number | undefined): Observable<void> {
    const { scheduler } = this.#context;
    this.stop();
    const drained$ = allOf(this.#all.map(drained));
    const late = (milliseconds: number) =>
      throwError(() => new ShutdownTimeoutError(milliseconds, this.#working()));
    // Also where nobody subscribes to it.
    const outcome$ = new AsyncSubject<void>();
    (limit === undefined
      ? drained$
      : drained$.pipe(timeout({ first: limit, scheduler, with: () => late(limit) }))
    ).subscribe(outcome$);
    return outcome$.asObservable();
  }

  #readinessOf(informer: AnyInformer): Readiness {
    const { readiness } = informer;
    const isQueued = this.#sequence.waiting.has(informer) && ['unused', 'stopped'].includes(readiness.state);
    if (!isQueued) return readiness;
    const queued = { ...readiness, state: 'queued' } as const;
    return Object.freeze({ ...queued, reason: reasonOf(queued) });
  }

  #waitedFor(informer: AnyInformer): [string, AwaitedInformer] {
    const readinessOf = (): Readiness => this.#readinessOf(informer);
    const { synced$ } = informer;
    return [
      titleOf(informer.readiness),
      {
        synced$,
        get lastError() {
          return informer.lastError;
        },
        get readiness() {
          return readinessOf();
        },
      },
    ];
  }

  #working(): Readonly<Record<string, readonly BacklogFacts[]>> {
    const working = this.#all.filter(({ backlogs }) => backlogs.size > 0);
    return Object.fromEntries(working.map(({ readiness, backlogs }) => [titleOf(readiness), [...backlogs]]));
  }
}

/** Emits when all who handle its notifications now are done with them, or have left. */
const drained = ({ backlogs }: AnyInformer): Observable<void> =>
  new Observable((subscriber) =>
    backlogs.whenLeft(() => {
      subscriber.next();
      subscriber.complete();
    }),
  );

const isSame = (before: readonly Readiness[], after: readonly Readiness[]): boolean =>
  before.length === after.length && before.every(({ state }, index) => state === after[index]?.state);
