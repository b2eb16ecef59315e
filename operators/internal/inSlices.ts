import type { SchedulerLike } from 'rxjs';

/** How long one slice may take. Unit: milliseconds. */
const SLICE = 8;
/** Steps between two looks at the clock. */
const STEPS = 16;

/**
 * Does work in slices that give way to everything else with `setImmediate` (a microtask, as `asapScheduler`
 * uses, would starve I/O). The first slice runs at once; `done` is called when `step` says that nothing is
 * left. Nothing is called any more once `owner` is closed.
 */
export function inSlices(
  scheduler: SchedulerLike,
  owner: { readonly closed: boolean },
  step: () => boolean,
  done: () => void,
): void {
  const slice = (): void => {
    const end = scheduler.now() + SLICE;
    for (let steps = 1; !owner.closed; steps += 1) {
      if (!step()) {
        done();
        return;
      }
      if (steps % STEPS === 0 && scheduler.now() >= end) {
        setImmediate(slice);
        return;
      }
    }
  };
  slice();
}
