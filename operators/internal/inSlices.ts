import type { SchedulerLike } from 'rxjs';

/** How long one slice may take. Unit: milliseconds. */
const SLICE = 8;
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
    const outer = sliceEnd;
    const end = outer ?? scheduler.now() + SLICE / (1 + waiting);
    sliceEnd = end;
    try {
      work(end);
    } finally {
      sliceEnd = outer;
    }
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

/** When the slice that runs is over. */
let sliceEnd: number | undefined;

/** How many slices wait for their turn. */
let waiting = 0;

function giveWay(slice: () => void): void {
  waiting += 1;
  setImmediate(() => {
    waiting -= 1;
    slice();
  });
}
