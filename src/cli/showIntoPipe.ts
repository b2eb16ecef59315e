import type { Writable } from 'node:stream';
import {
  EMPTY,
  fromEvent,
  ignoreElements,
  merge,
  type Observable,
  type SchedulerLike,
  take,
  tap,
} from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import type { Session } from './session.ts';
import { toldOf, type ViewEvent } from './view/event.ts';
import { pipeLine } from './view/pipeLine.ts';

/**
 * A line for each event. While the reader does not read, what changes is merged by key, so that what waits is
 * bounded.
 */
export function showIntoPipe(
  session: Session,
  verbose: boolean,
  out: Writable,
  scheduler: SchedulerLike,
): Observable<never> {
  const drained$ = fromEvent(out, 'drain').pipe(take(1), ignoreElements());
  const show = (event: ViewEvent): Observable<never> => {
    const line = pipeLine(event, verbose);
    return line === undefined || out.write(`${line}\n`) ? EMPTY : drained$;
  };
  const changes$ = session.changes$.pipe(
    coalesce((notification) => show({ type: 'told', at: scheduler.now(), ...toldOf(notification) })),
  );
  return merge(session.others$.pipe(tap(show)), changes$).pipe(ignoreElements());
}
