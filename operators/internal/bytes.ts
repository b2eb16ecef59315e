import { Observable } from 'rxjs';
import type { Context } from '../../src/context.ts';
import { SleptError, StalledError } from '../../src/errors.ts';
import { apiErrorOf } from '../../src/kubernetes/status.ts';
import type { Connection, HttpRequest, Transport } from '../../src/transport/http.ts';
import { readInTurn } from './turn.ts';

/** Unit: milliseconds. */
const HEARTBEAT = 5_000;
const SLEPT = 10_000;
/** How long it may take to get there. Unit: milliseconds. */
const CONNECT_LIMIT = 30_000;
/** Of the body of a failure, and how long it may be silent. Unit: bytes, milliseconds. */
const FAILURE_BODY = 65_536;
const FAILURE_IDLE = 5_000;

export interface BytesOptions {
  /** How long the connection may be without one byte; asked at each heartbeat. Unit: milliseconds. */
  readonly idleLimit: () => number;
  /** The server accepted the request. */
  readonly onAnswer?: () => void;
}

/**
 * One request and the body of its answer, in pieces that are valid during the call only.
 *
 * Errors: ApiError for an answer that is no success, ConnectionError, StalledError, SleptError and what
 * the transport says. Reading pauses while `flow` is held, and silence does not count then. It gives way to
 * everything else every few milliseconds.
 */
export function bytes$(
  transport: Transport,
  request: HttpRequest,
  context: Context,
  { idleLimit, onAnswer }: BytesOptions,
): Observable<Uint8Array> {
  return new Observable((subscriber) => {
    const { scheduler, flow, status } = context;
    let failure: { httpStatus: number; headers: Record<string, string | string[] | undefined> } | undefined;
    const failureBody: Uint8Array[] = [];
    let failureSize = 0;

    const fail = (): void => {
      if (failure === undefined) return;
      const bodyText = Buffer.concat(failureBody).toString('utf8', 0, FAILURE_BODY);
      subscriber.error(apiErrorOf(request, { ...failure, bodyText }, scheduler.now()));
    };

    let silent = 0;
    let underWay = 0;
    const connection: Connection = transport.open(request, {
      answer(httpStatus, headers) {
        silent = 0;
        status.alive();
        if (httpStatus >= 200 && httpStatus < 300) onAnswer?.();
        else failure = { httpStatus, headers };
      },
      data(chunk) {
        silent = 0;
        status.alive();
        if (failure === undefined) {
          const noTimeLeft = readInTurn(scheduler, () => subscriber.next(chunk));
          if (noTimeLeft && !subscriber.closed) giveWay();
          return;
        }
        failureBody.push(Uint8Array.from(chunk));
        failureSize += chunk.length;
        if (failureSize >= FAILURE_BODY) fail();
      },
      end() {
        if (failure === undefined) subscriber.complete();
        else fail();
      },
      error(error) {
        // A failure whose body was cut is still that failure.
        if (failure === undefined) subscriber.error(error);
        else fail();
      },
    });
    subscriber.add(() => connection.cancel());

    let givesWay = false;
    const follow = (): void => {
      if (flow.paused || givesWay) connection.pause();
      else connection.resume();
    };
    const giveWay = (): void => {
      givesWay = true;
      follow();
      setImmediate(() => {
        givesWay = false;
        if (!subscriber.closed) follow();
      });
    };
    if (flow.paused) connection.pause();
    subscriber.add(flow.listen(follow));

    const period = Math.min(HEARTBEAT, idleLimit() / 5);
    let last = scheduler.now();
    status.watchedUntil(last + period + SLEPT);
    subscriber.add(
      scheduler.schedule(function (this) {
        const now = scheduler.now();
        const lapse = now - last - period;
        last = now;
        status.watchedUntil(now + period + SLEPT);
        if (!flow.paused) silent += period;
        underWay = connection.connecting === true ? underWay + period : 0;
        if (lapse > SLEPT) subscriber.error(new SleptError(request, lapse));
        else if (failure !== undefined && silent >= FAILURE_IDLE) fail();
        else if (underWay >= CONNECT_LIMIT) subscriber.error(new StalledError(request, CONNECT_LIMIT));
        else if (silent >= idleLimit()) subscriber.error(new StalledError(request, idleLimit()));
        else this.schedule(undefined, period);
      }, period),
    );
  });
}
