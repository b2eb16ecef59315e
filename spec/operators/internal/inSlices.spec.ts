import { inSlices } from '../../../operators/internal/inSlices.ts';

/** What waits for `setImmediate`. */
const turns: (() => void)[] = [];
const turn = (): void => {
  for (const run of turns.splice(0)) run();
};

/** A clock, and `setImmediate`, in the hands of the spec. */
function byHand() {
  jest.spyOn(globalThis, 'setImmediate').mockImplementation(((turn: () => void) => {
    turns.push(turn);
  }) as never);
  const clock = { time: 0, now: () => clock.time, schedule: () => undefined as never };
  /** Work of so many steps, each taking so long. Unit: milliseconds. */
  const work = (steps: number, lasting: number) => {
    const job = { steps: 0, done: 0, closed: false };
    const step = (): boolean => {
      if (job.steps === steps) return false;
      job.steps += 1;
      clock.time += lasting;
      return true;
    };
    const begin = (then = (): void => undefined): void => {
      inSlices(clock, job, step, () => {
        job.done += 1;
        then();
      });
    };
    return { job, begin };
  };
  return { clock, work };
}

afterEach(() => {
  // What still works counts with the next.
  while (turns.length > 0) turn();
  jest.restoreAllMocks();
});

describe('inSlices', () => {
  it('does short work at once', () => {
    const { work } = byHand();
    const { job, begin } = work(1000, 0.001);
    begin();
    expect(job).toMatchObject({ steps: 1000, done: 1 });
    expect(turns).toEqual([]);
  });

  it('gives way after 8 ms, as often as it takes', () => {
    const { work } = byHand();
    const { job, begin } = work(50, 0.5);
    begin();
    expect(job).toMatchObject({ steps: 16, done: 0 });
    turn();
    expect(job).toMatchObject({ steps: 32, done: 0 });
    turn();
    turn();
    expect(job).toMatchObject({ steps: 50, done: 1 });
    expect(turns).toEqual([]);
  });

  it('calls done for no work', () => {
    const { work } = byHand();
    const { job, begin } = work(0, 1);
    begin();
    expect(job.done).toBe(1);
  });

  it('calls nothing once its owner is closed: before, between slices and in the last step', () => {
    const { clock, work } = byHand();
    const early = work(1, 1);
    early.job.closed = true;
    early.begin();
    expect(early.job).toMatchObject({ steps: 0, done: 0 });

    const late = work(20, 1);
    late.begin();
    late.job.closed = true;
    turn();
    expect(late.job).toMatchObject({ steps: 16, done: 0 });

    const owner = { closed: false };
    const done = jest.fn();
    const last = (): boolean => {
      owner.closed = true;
      return false;
    };
    inSlices(clock, owner, last, done);
    expect(done).not.toHaveBeenCalled();
  });

  it('has many that work in one turn share the time of one slice', () => {
    const { clock, work } = byHand();
    const jobs = Array.from({ length: 8 }, () => work(10_000, 0.001));
    for (const { begin } of jobs) begin();
    const before = clock.time;
    turn();
    expect(clock.time - before).toBeGreaterThan(4);
    expect(clock.time - before).toBeLessThan(9);
    // As long as it lasts.
    for (let turns = 0; turns < 20; turns += 1) turn();
    expect(jobs.every(({ job }) => job.done === 1)).toBe(true);
  });

  it('has what it begins share its time', () => {
    const { clock, work } = byHand();
    const inner = Array.from({ length: 10 }, () => work(10_000, 0.001));
    const outer = work(1, 0.001);
    outer.begin(() => {
      for (const { begin } of inner) begin();
    });
    expect(clock.time).toBeGreaterThan(7);
    expect(clock.time).toBeLessThan(9);
  });

  it('lets an error of a step out, and the next work have its time', () => {
    const { clock, work } = byHand();
    const failing = (): boolean => {
      throw new Error('step');
    };
    expect(() => inSlices(clock, { closed: false }, failing, jest.fn())).toThrow('step');
    clock.time += 1000;
    const { job, begin } = work(100, 0.01);
    begin();
    expect(job.done).toBe(1);
  });
});
