import { Observable } from 'rxjs';
import { UnexpectedAnswerError } from '../../src/errors.ts';
import { terminalOf } from '../../src/reflector/failures.ts';
import type { Plan } from '../../src/reflector/plan.ts';
import type { Signal } from '../../src/reflector/signal.ts';
import type { HttpRequest } from '../../src/transport/http.ts';
import { list$ } from './body.ts';
import type { Cursor } from './cursor.ts';

/** The server itself gives up on a list after 60 s. Unit: milliseconds. */
const IDLE_LIMIT = 65_000;

/** While it is asked for one object, nobody watches. Unit: milliseconds. */
const PROBE_LIMIT = 10_000;

/** One page of the set, and what it means for the cursor. */
export function pageSignals$<T>(
  cursor: Cursor<T>,
  plan: Extract<Plan, { type: 'page' }>,
  request: HttpRequest,
): Observable<Signal<T>> {
  return new Observable((subscriber) => {
    if (plan.first) cursor.begin(plan, subscriber);
    return list$(cursor.source, request, cursor.context, { idleLimit: () => IDLE_LIMIT }).subscribe({
      next(part) {
        if (part.type === 'ITEMS') {
          cursor.items(part.entries, subscriber);
          return;
        }
        const { next } = part.end;
        if (next !== undefined && next === request.query?.continue) {
          subscriber.error(
            new UnexpectedAnswerError(request, 'the token of the next page is that of this one'),
          );
          return;
        }
        const version = cursor.pageEnd(part.end);
        // Who heard of the page may have ended it all.
        if (next !== undefined || subscriber.closed) return;
        if (version === undefined && cursor.reflector.version !== undefined) {
          subscriber.error(
            new UnexpectedAnswerError(request, 'a list without resourceVersion, unlike those before'),
          );
          return;
        }
        if (cursor.listed(version, subscriber) === 'never') {
          subscriber.error(terminalOf(request, undefined));
        }
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    });
  });
}

/** Asks where the server stands. */
export function probe$<T>(cursor: Cursor<T>, request: HttpRequest): Observable<never> {
  return new Observable((subscriber) =>
    list$(cursor.source, request, cursor.context, { idleLimit: () => PROBE_LIMIT }).subscribe({
      next(part) {
        if (part.type !== 'END') return;
        cursor.heard();
        cursor.reflector.probed(part.end.version);
      },
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    }),
  );
}
