import type { WriteStream } from 'node:tty';
import {
  combineLatest,
  fromEvent,
  ignoreElements,
  map,
  merge,
  Observable,
  type SchedulerLike,
  scan,
  startWith,
  tap,
  throttleTime,
} from 'rxjs';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';
import { toldOf, type ViewEvent } from './view/event.ts';
import { screenOf } from './view/screen.ts';
import { emptyState, viewReducer } from './view/viewState.ts';

/** Between two drawings. Unit: milliseconds. */
const FRAME = 150;

/** Draws the session until unsubscribed, and gives the terminal back then. */
export function showOnTerminal(
  session: Session,
  verbose: boolean,
  terminal: Terminal,
  out: WriteStream,
  scheduler: SchedulerLike,
): Observable<never> {
  const told$ = session.changes$.pipe(
    map((notification): ViewEvent => ({ type: 'told', at: scheduler.now(), ...toldOf(notification) })),
  );
  const state$ = merge(session.others$, told$).pipe(scan(viewReducer(verbose), emptyState(scheduler.now())));
  const resized$ = fromEvent(out, 'resize').pipe(startWith(undefined));
  const drawn$ = combineLatest([state$, resized$, resumed$(terminal)]).pipe(
    throttleTime(FRAME, scheduler, { leading: true, trailing: true }),
    tap(([state]) => {
      terminal.draw(screenOf(state, session.facts(), terminal.size));
    }),
  );
  return new Observable((subscriber) => {
    terminal.open();
    subscriber.add(() => {
      terminal.close();
    });
    return merge(drawn$, suspended$(terminal)).pipe(ignoreElements()).subscribe(subscriber);
  });
}

/** Ctrl-Z gives the terminal back before the process stops. */
const suspended$ = (terminal: Terminal): Observable<unknown> =>
  fromEvent(process, 'SIGTSTP').pipe(
    tap(() => {
      terminal.close();
      process.kill(process.pid, 'SIGSTOP');
    }),
  );

/** And takes it again when it goes on. */
const resumed$ = (terminal: Terminal): Observable<unknown> =>
  fromEvent(process, 'SIGCONT').pipe(
    tap(() => {
      terminal.open();
    }),
    startWith(undefined),
  );
