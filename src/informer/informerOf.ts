import {
  defer,
  filter,
  map,
  merge,
  mergeMap,
  of,
  Subject,
  Subscription,
  take,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import { applyToStore } from '../../operators/applyToStore.ts';
import { createQueries } from '../../operators/createQueries.ts';
import { checkPeriod } from '../../operators/internal/duration.ts';
import { listWatch$ } from '../../operators/listWatch$.ts';
import { mergeByKey } from '../../operators/mergeByKey.ts';
import { resyncEvery } from '../../operators/resyncEvery.ts';
import { retryWithBackoff } from '../../operators/retryWithBackoff.ts';
import { shareNotifications } from '../../operators/shareNotifications.ts';
import { toDeltas } from '../../operators/toDeltas.ts';
import { checkOptions } from '../checks.ts';
import { createContext } from '../context.ts';
import { informerErrorOf } from '../errors.ts';
import type { Notification } from '../store/notification.ts';
import { createStore, type Store } from '../store/store.ts';
import type { Source } from '../transport/source.ts';
import type { Informer } from './informer.ts';
import type { InformerOptions } from './options.ts';
import { Progress } from './progress.ts';
import { idOf } from './readiness.ts';

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
      const started = running;
      // First, so that whoever hears of the end may start it again.
      stops = stopsOfRun();
      running = Subscription.EMPTY;
      progress.stop();
      source$.next();
      rest$.next();
      started.unsubscribe();
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
