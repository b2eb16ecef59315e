import {
  catchError,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  isObservable,
  map,
  type Observable,
  of,
  repeat,
  switchMap,
  timer,
} from 'rxjs';
import type { Context } from '../../src/context.ts';
import { type InvalidOptionError, UserFunctionError } from '../../src/errors.ts';
import { checkPeriod } from './duration.ts';

/** Unit: milliseconds. `undefined`, 0 and Infinity: no resync. */
export type ResyncPeriod = number | undefined | Observable<number | undefined>;

/** Emits once, a period later, and up to a tenth more, so that who started together does not resync together. */
export const resyncTick = (period: number, { scheduler, random }: Context): Observable<0> =>
  defer(() => timer(period * (1 + random() / 10), scheduler));

/**
 * Emits at each period. Of a stream of periods the last usable one counts, also after its end; one that cannot be
 * used and an error of the stream are problems on the status.
 */
export function resyncTicks(resync: ResyncPeriod, context: Context): Observable<0> {
  return periodsOf(resync, context).pipe(
    map((period) => (isOff(period) ? undefined : period)),
    distinctUntilChanged(),
    switchMap((period) => (period === undefined ? EMPTY : resyncTick(period, context).pipe(repeat()))),
  );
}

/** Throws InvalidOptionError. */
export function checkResync(resync: ResyncPeriod): void {
  if (!isObservable(resync) && !isOff(resync)) checkPeriod('resync', resync);
}

function periodsOf(resync: ResyncPeriod, { status }: Context): Observable<number | undefined> {
  if (!isObservable(resync)) return of(resync);
  const isUsable = (period: number | undefined): boolean => {
    try {
      checkResync(period);
      return true;
    } catch (error) {
      status.problem(error as InvalidOptionError);
      return false;
    }
  };
  return resync.pipe(
    filter(isUsable),
    catchError((cause: unknown) => {
      status.problem(new UserFunctionError('resync', undefined, cause));
      return EMPTY;
    }),
  );
}

const isOff = (period: number | undefined): period is 0 | undefined =>
  period === undefined || period === 0 || period === Infinity;
