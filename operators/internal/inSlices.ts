import type { SchedulerLike } from 'rxjs';
import { endOfSlice, giveWay, within } from './slice.ts';

/** Steps between two looks at the clock. */
const STEPS = 16;

/**
 * Does work in slices that give way to everything else with `setImmediate` (a microtask, as `asapScheduler`
 * uses, would starve I/O). The first slice runs at once; `done` is called when `step` says that nothing is
 * left. Nothing is called any more once `owner` is closed.
 *
 * Much work under way at a time does not add up: the slices that run in one turn of the event loop share the
 * time of one, and what is begun in a slice belongs to it.
 */
export function inSlices(
  scheduler: SchedulerLike,
  owner: { readonly closed: boolean },
  step: () => boolean,
  done: () => void,
): void {
  const slice = (): void => {
    const end = endOfSlice(scheduler);
    within(end, () => {
      work(end);
    });
  };
  const gone = (): boolean => owner.closed;
  const work = (end: number): void => {
    for (let steps = 1; !gone(); steps += 1) {
      if (!step()) {
        if (!gone()) done();
        return;
      }
      if (steps % STEPS === 0 && scheduler.now() >= end) {
        giveWay(slice);
        return;
      }
    }
  };
  slice();
}
