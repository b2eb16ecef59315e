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

/** Counts by asking, and by what comes after all who ask meanwhile. */
function counter(after: (then: () => void) => void): () => number {
  let count = 0;
  let counts = false;
  return () => {
    if (!counts) {
      counts = true;
      count += 1;
      after(() => {
        counts = false;
      });
    }
    return count;
  };
}

/** A number for this turn of the event loop: another one in the next. */
export const thisTurn = counter((then) => setImmediate(then));

/** A number for what runs until promises come back. */
export const thisRun = counter((then) => {
  queueMicrotask(then);
});
