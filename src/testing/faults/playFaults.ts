import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ControlPlane } from '../handlers/context.ts';
import type { Interceptors } from '../interceptors.ts';
import type { LoggedRequest } from '../requestLog.ts';
import { answerPage, expire, refuse } from './answers.ts';
import { FAULT_KINDS, type Fault, type FaultKind } from './fault.ts';
import { bodyFilter, eventFilter } from './filterOf.ts';
import { type FaultScript, faultsOf } from './script.ts';
import { makeStale } from './stale.ts';
import { type Filter, type Line, takeOver } from './takeOver.ts';

/** Faults that are being played. */
export interface FaultRun {
  /** How often each kind of fault has happened so far: not those that had nothing to befall. */
  readonly counts: Readonly<Record<FaultKind, number>>;
  /** From now on requests are answered as they should be, and what was still to happen does not. */
  stop(): void;
}

/** Errors: InvalidOptionError. */
export function playFaults(plane: ControlPlane, interceptors: Interceptors, script: FaultScript): FaultRun {
  const faultOf = faultsOf(script, plane.random);
  const counts = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  let playing = true;
  const takeOut = interceptors.add((request, response, next, logged) => {
    const fault = faultOf(logged);
    if (fault === undefined) {
      next();
      return;
    }
    const happens = (): boolean => {
      if (playing) counts[fault.kind] += 1;
      return playing;
    };
    new Befallen({ plane, request, response, next, logged, happens }).play(fault);
  });
  return {
    counts,
    stop() {
      playing = false;
      takeOut();
    },
  };
}

interface Exchange {
  readonly plane: ControlPlane;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly next: () => void;
  readonly logged: LoggedRequest;
  /** Counts the fault, and says whether it still is to happen. */
  readonly happens: () => boolean;
}

/** A request that something happens to. */
class Befallen {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  play(fault: Fault): void {
    const { plane, request, response, next, logged, happens } = this.#exchange;
    switch (fault.kind) {
      case 'status':
        happens();
        refuse(response, fault);
        break;
      case 'html':
        happens();
        answerPage(response, fault);
        break;
      case 'expired':
        happens();
        expire(
          response,
          logged.query['resourceVersion'] ?? '0',
          this.#isWatch ? (fault.as ?? 'http') : 'http',
        );
        break;
      case 'stale':
        if (logged.verb === 'list' && makeStale(request, plane, fault.by)) happens();
        next();
        break;
      case 'clockJump':
        if (canJump(plane.scheduler)) {
          plane.scheduler.jump(fault.by);
          happens();
        }
        next();
        break;
      case 'duplicate':
      case 'reorder':
      case 'bookmarks':
        if (this.#isWatch) this.#filter((line) => eventFilter(fault, line, happens));
        else next();
        break;
      default:
        this.#filter((line) => bodyFilter(fault, line, happens));
    }
  }

  get #isWatch(): boolean {
    return this.#exchange.logged.verb === 'watch';
  }

  #filter(filterOf: (line: Line) => Filter): void {
    const { plane, request, response, next } = this.#exchange;
    // What is compressed could be neither counted nor changed.
    delete request.headers['accept-encoding'];
    takeOver(response, plane.scheduler, filterOf);
    next();
  }
}

/** A stepped clock. */
function canJump(scheduler: object): scheduler is { jump(milliseconds: number): void } {
  return typeof (scheduler as { jump?: unknown }).jump === 'function';
}
