import {
  catchError,
  concat,
  defer,
  EMPTY,
  from,
  ignoreElements,
  Observable,
  repeat,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { type Context, contextOf } from '../src/context.ts';
import { CredentialsError, type InformerError, informerErrorOf, type RequestFacts } from '../src/errors.ts';
import { type Resource, resourcePath } from '../src/kubernetes/resource.ts';
import { inAnswerTo, isUnreadable, isUntrusted, terminalOf } from '../src/reflector/failures.ts';
import { checkReflectorOptions, type ReflectorOptions } from '../src/reflector/options.ts';
import type { Plan } from '../src/reflector/plan.ts';
import { Reflector } from '../src/reflector/reflector.ts';
import type { Signal } from '../src/reflector/signal.ts';
import type { HttpRequest } from '../src/transport/http.ts';
import { reasonOf } from '../src/transport/redact.ts';
import type { Source } from '../src/transport/source.ts';
import { Cursor } from './internal/cursor.ts';
import { discover$, discoveryOf } from './internal/discover.ts';
import { pageSignals$, probe$ } from './internal/pageSignals.ts';
import { watchSignals$ } from './internal/watchSignals.ts';
import { whenFlowing } from './internal/whenFlowing.ts';

export interface ListWatchOptions extends ReflectorOptions {
  /**
   * Version of what is held already when a subscription begins, so that its first list is none older.
   * Default: nothing is held.
   */
  readonly held?: (() => string | undefined) | undefined;
  readonly context?: Context | undefined;
}

/**
 * A cold observable of one list and the watches that follow it.
 *
 * Each subscription has a cursor of its own (version, phase, what the server refused) and begins with a
 * list. What continues from a cursor is `resumable()`: `retryWithBackoff` asks for one in each subscription
 * of its own.
 */
export interface ListWatch<T> extends Observable<Signal<T>> {
  /** Each subscription to the result continues where the one before it ended; one at a time. */
  resumable(): Observable<Signal<T>>;
}

/**
 * Reads a collection: the whole set first, then every change of it.
 *
 * Guarantees: only LISTED says that a set is complete; a watch starts at the version of what was emitted
 * last; what may go on at once does so by itself; unsubscribing ends request, socket and timers.
 *
 * Errors: an InformerError for everything that has to wait (subscribe to a `resumable()` again to go on, as
 * `retryWithBackoff` does), and one with `terminal: true` where waiting cannot help. Throws InvalidOptionError.
 */
export function listWatch$<T>(source: Source<T>, options: ListWatchOptions = {}): ListWatch<T> {
  checkReflectorOptions(options);
  const context = contextOf(options);
  const resumable = (): Observable<Signal<T>> => {
    const step = steps(new Cursor(source, new Reflector(options, context.random, options.held?.()), context));
    return defer(step).pipe(repeat());
  };
  const cold = new Observable<Signal<T>>((subscriber) => resumable().subscribe(subscriber));
  return Object.assign(cold, { resumable });
}

/** A request a step: it completes to be followed at once, and errors where the next one has to wait. */
function steps<T>(cursor: Cursor<T>): () => Observable<Signal<T>> {
  const { source, reflector, context } = cursor;
  const { scheduler, status, flow } = context;
  let resource = source.resource;

  return () => {
    const here = resource;
    if (here === undefined) return discovery();
    const plan = reflector.next();
    if (plan.type === 'poll') return wait('poll', plan.delay);
    const request = requestOf(source, here, plan);
    return settled(request, ask(plan, request));
  };

  function settled<R>(request: RequestFacts, asked: Observable<R>): Observable<R> {
    return allowed(asked).pipe(
      catchError((error: unknown) => settle(request, inAnswerTo(informerErrorOf(error), request))),
    );
  }

  function ask(plan: AskingPlan, request: HttpRequest): Observable<Signal<T>> {
    switch (plan.type) {
      case 'page':
        return pageSignals$(cursor, plan, request);
      case 'probe':
        return probe$(cursor, request);
      default:
        return watchSignals$(cursor, plan, request);
    }
  }

  function settle(request: RequestFacts, error: InformerError): Observable<never> {
    const verdict = reflector.failed(error);
    // A path that was discovered may be another one by now.
    if ('status' in error && error.status === 404) resource = source.resource;
    if (isUnreadable(error)) cursor.relistSoon('unreadable event');
    if (verdict === 'fallback') return EMPTY;
    if (verdict === 'later')
      return concat(
        isUntrusted(error) ? outdated() : EMPTY,
        throwError(() => error),
      );
    if (verdict === 'never') return throwError(() => terminalOf(request, error));
    status.report({ type: 'error', error, attempt: reflector.failures, delay: 0 });
    return verdict === 'renew' ? renewed(request) : EMPTY;
  }

  function renewed(request: RequestFacts): Observable<never> {
    return from(source.transport.renew()).pipe(
      ignoreElements(),
      catchError((cause: unknown) => throwError(() => new CredentialsError(request, reasonOf(cause)))),
    );
  }

  /** For the next attempt; whether that worked is seen then. */
  function outdated(): Observable<never> {
    return from(source.transport.renew()).pipe(
      ignoreElements(),
      catchError(() => EMPTY),
    );
  }

  function discovery(): Observable<never> {
    const { apiVersion, kind } = source.codecOptions;
    const request = discoveryOf(apiVersion);
    const found$ = discover$(source.transport, request, apiVersion, kind, context).pipe(
      tap((found) => {
        resource = found;
      }),
      ignoreElements(),
    );
    return settled(request, found$);
  }

  /** As soon as nobody holds the flow, and the client-side rate limit lets it. */
  function allowed<R>(request: Observable<R>): Observable<R> {
    const limited = defer(() => {
      const delay = source.bucket?.reserve(scheduler.now()) ?? 0;
      return delay > 0 ? concat(wait('rate limit', delay), request) : request;
    });
    return concat(whenFlowing(flow), limited);
  }

  function wait(reason: 'rate limit' | 'poll', delay: number): Observable<never> {
    status.report({ type: 'wait', reason, delay });
    return timer(delay, scheduler).pipe(ignoreElements());
  }
}

type AskingPlan = Exclude<Plan, { type: 'poll' }>;

function requestOf<T>(source: Source<T>, resource: Resource, plan: AskingPlan): HttpRequest {
  return {
    verb: plan.type === 'watch' || plan.type === 'stream' ? 'watch' : 'list',
    path: resourcePath(resource, source.namespace),
    query: { ...source.selection, ...plan.query },
    accept: source.codec.accept,
  };
}
