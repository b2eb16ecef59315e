import type { SchedulerLike } from 'rxjs';

/** How long what is read in one turn of the event loop may take, whoever reads it. Unit: milliseconds. */
const LIMIT = 8;

/** When that is over, once something was read in this turn. */
let end: number | undefined;

/**
 * Reads something that came, and says whether there is no time for more in this turn of the event loop. It is
 * up to the reader to go on in the next one: Node itself hands out 2 MB of a socket, and that of each, before
 * anything else has its turn.
 */
export function readInTurn(scheduler: SchedulerLike, read: () => void): boolean {
  if (end === undefined) {
    end = scheduler.now() + LIMIT;
    setImmediate(() => {
      end = undefined;
    });
  }
  const limit = end;
  read();
  return scheduler.now() >= limit;
}

/** Counts the turns in which it was asked for. */
let turn = 0;
let turnCounts = false;

/** A number for this turn of the event loop: another one in the next. */
export function thisTurn(): number {
  if (!turnCounts) {
    turnCounts = true;
    turn += 1;
    setImmediate(() => {
      turnCounts = false;
    });
  }
  return turn;
}
