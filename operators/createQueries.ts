import {
  dematerialize,
  filter,
  map,
  materialize,
  merge,
  NEVER,
  Observable,
  take,
  takeUntil,
  timer,
} from 'rxjs';
import { checkOptions, requireFunction } from '../src/checks.ts';
import type { Entry } from '../src/codec/codec.ts';
import { type Context, contextOf } from '../src/context.ts';
import {
  type ConflictError,
  InvalidOptionError,
  UserFunctionError,
  WaitTimeoutError,
} from '../src/errors.ts';
import type { Readiness } from '../src/informer/readiness.ts';
import { isOlder } from '../src/kubernetes/version.ts';
import { atOnce } from '../src/promises.ts';
import { type Condition, nameOf } from '../src/store/conditions.ts';
import type { Notification } from '../src/store/notification.ts';
import { requireStore, type WritableStore } from '../src/store/store.ts';
import { checkDuration } from './internal/duration.ts';
import { type LiveSet, liveSet, type Query } from './internal/liveSet.ts';
import type { NotificationsOptions } from './internal/notificationsOptions.ts';
import { Router } from './internal/router.ts';

/** What may be asked of the objects of one informer. Each subscriber runs it, as one of `notifications$` does. */
export interface Queries<T> {
  /**
   * The objects that match, and what changes of them. Throws InvalidOptionError for a query that cannot be answered,
   * such as of an index that there is not.
   */
  readonly select: (query: Query<T>) => LiveSet<T>;
  /**
   * One object: first as it is, once the first list is in the store, then each change of it; `undefined` where it is
   * not there. A resync is no change. Ends as `notifications$` does.
   */
  readonly get$: (key: string) => Observable<Entry<T> | undefined>;
  /**
   * Emits the first state of an object that the condition holds for (now, or when it comes to that) and completes.
   * At a stop it completes without a value.
   *
   * Errors: WaitTimeoutError; UserFunctionError where the condition throws. Throws InvalidOptionError.
   */
  readonly waitFor: (
    key: string,
    condition: Condition<T>,
    options?: WaitOptions,
  ) => Observable<Entry<T> | undefined>;
  /**
   * What `retryOnConflict` reads with: an object from the store, and after a conflict a newer state of it than the one
   * that was refused, once the store shows it. No request is made.
   *
   * Errors: WaitTimeoutError, after 10 s by default: the object is gone, or the informer does not follow.
   */
  readonly reader: (key: string, options?: WaitOptions) => (conflict?: ConflictError) => Observable<T>;
}

export interface WaitOptions {
  /** For how long at the most. Unit: milliseconds. Default: without end. */
  readonly timeout?: number | undefined;
}

export interface QueriesOptions {
  readonly context?: Context | undefined;
  /** Ends at once what is still being told of the store. Default: never. */
  readonly stopped$?: Observable<unknown> | undefined;
  /** How the informer does, for errors. */
  readonly readiness?: (() => Readiness) | undefined;
}

/**
 * Queries over the notifications of one store: `source` is what `shareNotifications` returns, `with` options. All of
 * them together are one subscriber of it, apart from those that select neither by key nor by index.
 *
 * Guarantees: a change is told to those that it touches, at a cost that depends neither on how many others there
 * are nor on how large their sets are; index functions are not asked again. Labels and predicates must be: by each
 * subscriber that selects by them, where the key or the index value is not another one already.
 */
export function createQueries<T>(
  source: (options: NotificationsOptions) => Observable<Notification<T>>,
  store: WritableStore<T>,
  options: QueriesOptions = {},
): Queries<T> {
  requireFunction('source', source);
  requireStore(store);
  checkOptions('options', options);
  const { stopped$ = NEVER, readiness } = options;
  const context = contextOf(options);
  const router = new Router({ source, store, context });

  const get$ = (key: string): Observable<Entry<T> | undefined> => {
    if (typeof key !== 'string' || key === '') {
      throw new InvalidOptionError('key', key, 'give the key of an object, such as namespace/name');
    }
    return router.byKey(key);
  };

  const waitFor = (
    key: string,
    condition: Condition<T>,
    given: WaitOptions = {},
  ): Observable<Entry<T> | undefined> => {
    requireFunction('condition', condition);
    const limit = limitOf(given);
    const name = nameOf(condition);
    const state$ = get$(key);
    return new Observable((subscriber) => {
      let last: { entry: Entry<T> | undefined } | undefined;
      const holds = (entry: Entry<T> | undefined): boolean => {
        last = { entry };
        try {
          return atOnce(condition(entry));
        } catch (cause) {
          throw new UserFunctionError(`condition ${name}`, key, cause);
        }
      };
      const late = (): never => {
        throw new WaitTimeoutError(limit, { key, condition: name, last, readiness: readiness?.() });
      };
      const found$ = state$.pipe(filter(holds), take(1));
      // Not `timeout`: that leaves first, and who is left by the last one says no more than that.
      const late$ = limit === Infinity ? NEVER : timer(limit, context.scheduler).pipe(map(late));
      return merge(found$.pipe(materialize()), late$).pipe(dematerialize()).subscribe(subscriber);
    });
  };

  return {
    get$,
    waitFor,
    select: (query) =>
      liveSet(query, store, context, (index, value, given) =>
        (index === undefined ? source(given) : router.byValue(index, value, given)).pipe(takeUntil(stopped$)),
      ),
    reader(key, given = {}) {
      const read = (conflict?: ConflictError) =>
        waitFor(key, newerThan(conflict?.version), { ...given, timeout: given.timeout ?? READ_TIMEOUT });
      checkOptions('options', given);
      read();
      return (conflict) => read(conflict).pipe(map((entry) => (entry as Entry<T>).object));
    },
  };
}

/** Unit: milliseconds. */
const READ_TIMEOUT = 10_000;

/** Throws InvalidOptionError. */
function limitOf(options: WaitOptions): number {
  checkOptions('options', options);
  const { timeout: limit = Infinity } = options;
  if (limit !== Infinity) checkDuration('timeout', limit, 0);
  return limit;
}

function newerThan(version: string | undefined): Condition<unknown> {
  const condition: Condition<unknown> = (entry) => {
    if (entry === undefined || version === undefined) return entry !== undefined;
    const { resourceVersion: held = '' } = entry;
    return held !== version && !isOlder(held, version);
  };
  const name = version === undefined ? 'exists' : `newerThan ${version}`;
  return Object.defineProperty(condition, 'name', { value: name });
}
