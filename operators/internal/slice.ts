import type { SchedulerLike } from 'rxjs';

/** How long one slice may take. Unit: milliseconds. */
const SLICE = 8;

/** When the slice that runs is over. */
let sliceEnd: number | undefined;

/** How many slices wait for their turn. */
let waiting = 0;

/** When a slice that begins now is over: with the one that runs, or else after its share of the time of one. */
export const endOfSlice = (scheduler: SchedulerLike): number =>
  sliceEnd ?? scheduler.now() + SLICE / (1 + waiting);

/** Works in a slice: what begins another one meanwhile belongs to it. */
export function within(end: number, work: () => void): void {
  const outer = sliceEnd;
  sliceEnd = end;
  try {
    work();
  } finally {
    sliceEnd = outer;
  }
}

/** Works in the next turn of the event loop. */
export function giveWay(slice: () => void): void {
  waiting += 1;
  setImmediate(() => {
    waiting -= 1;
    slice();
  });
}
