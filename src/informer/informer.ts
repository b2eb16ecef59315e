import {
  defer,
  filter,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  Subject,
  Subscription,
  take,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import { applyToStore } from '../../operators/applyToStore.ts';
import { createQueries, type Queries } from '../../operators/createQueries.ts';
import { checkPeriod } from '../../operators/internal/duration.ts';
import type { NotificationsOptions } from '../../operators/internal/notificationsOptions.ts';
import { listWatch$ } from '../../operators/listWatch$.ts';
import { mergeByKey } from '../../operators/mergeByKey.ts';
import { resyncEvery } from '../../operators/resyncEvery.ts';
import { retryWithBackoff } from '../../operators/retryWithBackoff.ts';
import { shareNotifications } from '../../operators/shareNotifications.ts';
import { toDeltas } from '../../operators/toDeltas.ts';
import { checkOptions } from '../checks.ts';
import { type Context, createContext } from '../context.ts';
import { type InformerError, informerErrorOf } from '../errors.ts';
import type { Backlogs } from '../queue/backlog.ts';
import type { InformerStatus, Phase } from '../status.ts';
import type { Notification } from '../store/notification.ts';
import { createStore, type Store } from '../store/store.ts';
import type { Source } from '../transport/source.ts';
import type { InformerOptions } from './options.ts';
import { Progress } from './progress.ts';
import { idOf, type Readiness } from './readiness.ts';

/** A local, always-current copy of one kind of object, and what changes of it. */
export interface Informer<T> extends Queries<T> {
  /**
   * What changes: first every object of the store as an add marked `initial`, then live. Subscribing starts the
   * informer if it is not running; when the last subscriber has left (and `linger` is over) it stops, unless
   * `start()` was called. Completes at `stop()`; errors only with a terminal InformerError.
   */
  readonly notifications$: Observable<Notification<T>>;
  /** The same, told as this subscriber wants it. Throws InvalidOptionError. */
  notifications(options?: NotificationsOptions): Observable<Notification<T>>;
  readonly store: Store<T>;
  /**
   * Emits once and completes: when the first list is in the store, and everybody who was subscribed then was
   * told it. At once if that has happened. Errors with what ends the informer before that.
   */
  readonly synced$: Observable<void>;
  /** What it does: first the phase it is in, then each list, page, watch, end, wait, error and problem. Never ends. */
  readonly status$: Observable<InformerStatus>;
  readonly phase: Phase;
  /** What failed last; `undefined` as soon as the server is followed again, or listed. */
  readonly lastError: InformerError | undefined;
  /** How it does, and why it is not in sync where it is not. A new object each time. */
  readonly readiness: Readiness;
  /** The same: now, and each time its `state` is another one. Never ends. */
  readonly readiness$: Observable<Readiness>;
  /** How far each of those is behind who hand its notifications to a handler, with its `context`. */
  readonly backlogs: Backlogs;
  /** For operators behind `notifications$`: they go by its clock, and what fails in them is told on `status$`. */
  readonly context: Context;
  /** Whether a watch is open and answered: what is not in the store yet has not happened long ago. */
  readonly live: boolean;
  /** Version of the last list, event or bookmark that is in the store. Opaque. */
  readonly resourceVersion: string | undefined;
  /** Time since the last byte from the server; undefined before the first. Unit: milliseconds. */
  readonly silence: number | undefined;
  /** Runs it without a subscriber, until `stop()`. Again, it does nothing. */
  start(): void;
  /** Ends every subscription, request, timer and socket of it. Again, it does nothing. The store stays, as stale. */
  stop(): void;
}

/** Puts the pipeline together. Throws InvalidOptionError. */
export function informerOf<T>(source: Source<T>, options: InformerOptions<T> = {}, name = ''): Informer<T> {
  const { resync, retry, linger } = options;
  if (resync !== undefined) checkPeriod('resync', resync);
  checkOptions('retry', retry);
  const context = createContext(options);
  const { status } = context;
  const store = createStore<T>({
    indexers: options.indexers,
    onError: (error) => {
      status.problem(error);
    },
  });
  /** Of the run that is, or comes next. */
  let stops = stopsOfRun();
  /** What ends a run by itself. */
  const failed$ = new Subject<unknown>();
  const changed$ = new Subject<void>();
  const progress = new Progress(idOf(source, name), context, () => {
    changed$.next();
  });
  let running = Subscription.EMPTY;

  const source$ = listWatch$(knowing(source, store), {
    ...options,
    held: () => store.resourceVersion,
    context,
  }).pipe(
    retryWithBackoff({ ...retry, context }),
    toDeltas(),
    resync === undefined ? (deltas$) => deltas$ : resyncEvery(resync, store, { context }),
    mergeByKey({ context }),
    applyToStore(store, { context }),
    tap({
      subscribe: () => progress.begin(),
      unsubscribe: () => status.report({ type: 'stopped' }),
      error(error: unknown) {
        status.report({ type: 'failed', error: informerErrorOf(error) });
        failed$.next(error);
      },
      finalize() {
        source.transport.close();
        progress.end();
      },
    }),
    takeUntil(defer(() => stops.source$)),
  );
  const shared$ = shareNotifications(store, { linger, context })(source$);
  const untilStopped = takeUntil<Notification<T>>(defer(() => stops.rest$));
  const notifications$ = shared$.pipe(untilStopped);
  const queries = createQueries((given) => shared$.with(given), store, {
    context,
    stopped$: defer(() => stops.rest$),
    readiness: () => progress.readiness(),
  });

  status.status$.subscribe((event) => {
    if (event.type === 'error') store.markStale();
    if (event.type === 'live') store.markCurrent();
    progress.take(event);
  });

  const synced$ = defer(() =>
    progress.synced
      ? of(undefined)
      : merge(
          status.status$.pipe(filter(({ type }) => type === 'synced')),
          failed$.pipe(mergeMap((error) => throwError(() => error))),
        ).pipe(
          map(() => undefined),
          take(1),
        ),
  );

  return {
    ...queries,
    notifications$,
    notifications: (given = {}) => shared$.with(given).pipe(untilStopped),
    store,
    synced$,
    status$: status.status$,
    get phase() {
      return status.phase;
    },
    get lastError() {
      return progress.lastError;
    },
    get readiness() {
      return progress.readiness();
    },
    // First what changes, so that it is told what changes while it is told what is.
    readiness$: merge(changed$, of(undefined)).pipe(map(() => progress.readiness())),
    backlogs: context.backlogs,
    context,
    get live() {
      return status.live;
    },
    get resourceVersion() {
      return store.resourceVersion;
    },
    get silence() {
      return status.silence;
    },
    start() {
      if (!running.closed) return;
      // What ended it is told on the status.
      running = notifications$.subscribe({ error: () => undefined });
    },
    stop() {
      const { source$, rest$ } = stops;
      stops = stopsOfRun();
      progress.stop();
      source$.next();
      rest$.next();
      running.unsubscribe();
      progress.end();
    },
  };
}

/** So that a list of what is held already costs no copies. */
const knowing = <T>(source: Source<T>, store: Store<T>): Source<T> => ({
  ...source,
  codecOptions: { ...source.codecOptions, known: (key) => store.get(key) },
});

/** `source$` completes whoever was told everything, `rest$` those that are still being told the store. */
const stopsOfRun = () => ({ source$: new Subject<void>(), rest$: new Subject<void>() });
