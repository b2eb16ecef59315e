import { defaultIfEmpty, forkJoin, map, type Observable } from 'rxjs';

/** Emits once all have completed; at once for none. */
export const allOf = (each: readonly Observable<unknown>[]): Observable<void> =>
  forkJoin(each).pipe(
    map(() => undefined),
    defaultIfEmpty(undefined),
  );
