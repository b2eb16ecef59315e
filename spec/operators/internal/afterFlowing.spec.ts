import { VirtualTimeScheduler } from 'rxjs';
import { afterFlowing } from '../../../operators/internal/afterFlowing.ts';
import { createContext } from '../../../src/context.ts';

/** Runs the holds, each from one time to another, and returns when the work was done. */
function doneAt(delay: number, ...holds: readonly (readonly [from: number, to: number])[]): number[] {
  const scheduler = new VirtualTimeScheduler();
  const context = createContext({ scheduler });
  for (const [from, to] of holds) {
    const hold = (): void => {
      const release = context.flow.hold();
      scheduler.schedule(release, to - from);
    };
    if (from === 0) hold();
    else scheduler.schedule(hold, from);
  }
  const done: number[] = [];
  afterFlowing(context, delay, () => done.push(scheduler.now()));
  scheduler.flush();
  return done;
}

describe('afterFlowing', () => {
  it('is a timer where nobody holds the flow', () => {
    expect(doneAt(100)).toEqual([100]);
  });

  it('does not count while it is held', () => {
    expect(doneAt(100, [0, 30], [40, 60], [70, 1_000])).toEqual([100 + 30 + 20 + 930]);
  });

  it('does not begin before it is released', () => {
    expect(doneAt(100, [0, 500])).toEqual([600]);
  });

  it('counts a flow that several hold until the last lets it go', () => {
    expect(doneAt(100, [10, 50], [20, 80])).toEqual([170]);
  });

  it('leaves no timer and no listener, held or not', () => {
    const scheduler = new VirtualTimeScheduler();
    const context = createContext({ scheduler });
    const work = jest.fn();
    afterFlowing(context, 100, work).unsubscribe();
    const release = context.flow.hold();
    const held = afterFlowing(context, 100, work);
    held.unsubscribe();
    release();
    scheduler.flush();
    expect(work).not.toHaveBeenCalled();
  });
});
