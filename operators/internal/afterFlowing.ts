import { Subscription } from 'rxjs';
import type { Context } from '../../src/context.ts';

/** Does the work after so long in which nobody held the flow. Unit: milliseconds. */
export function afterFlowing({ scheduler, flow }: Context, delay: number, work: () => void): Subscription {
  let left = delay;
  let since = scheduler.now();
  let timer = Subscription.EMPTY;
  const run = (): void => {
    since = scheduler.now();
    timer = scheduler.schedule(() => {
      all.unsubscribe();
      work();
    }, left);
  };
  const all = new Subscription(
    flow.listen((paused) => {
      timer.unsubscribe();
      if (paused) left = Math.max(0, left - (scheduler.now() - since));
      else run();
    }),
  );
  all.add(() => {
    timer.unsubscribe();
  });
  if (!flow.paused) run();
  return all;
}
