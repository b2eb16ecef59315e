import type { SchedulerLike } from 'rxjs';
import { endOfSlice, giveWay, within } from './slice.ts';
import { thisRun, thisTurn } from './turn.ts';

/**
 * Work that is there now and then. Returns what begins it: `step` is called until it says that nothing is to be done
 * for now, then `idle`; beginning it meanwhile does nothing. Nothing is called any more once `owner` is
 * closed.
 *
 * It gives way as `inSlices` does, and what it does in one turn of the event loop counts together, however often
 * it is begun: promises that are resolved at once would else begin it again and again.
 */
export function inTurns(
  scheduler: SchedulerLike,
  owner: { readonly closed: boolean },
  step: () => boolean,
  idle: () => void,
): () => void {
  let busy = false;
  let turn: number | undefined;
  let run: number | undefined;
  let end = 0;
  let left = 0;

  const gone = (): boolean => owner.closed;
  const slice = (): void => {
    if (turn !== thisTurn()) end = endOfSlice(scheduler);
    // What passed since was not for this work, unless promises came back meanwhile. Nor was it with a virtual clock.
    else if (run === thisRun()) end += scheduler.now() - left;
    turn = thisTurn();
    run = thisRun();
    within(end, work);
    left = scheduler.now();
  };
  const work = (): void => {
    while (!gone()) {
      if (!step()) {
        busy = false;
        if (!gone()) idle();
        return;
      }
      if (scheduler.now() >= end) {
        giveWay(slice);
        return;
      }
    }
  };
  return () => {
    if (busy) return;
    busy = true;
    slice();
  };
}
