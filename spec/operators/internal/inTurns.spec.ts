import { inTurns } from '../../../operators/internal/inTurns.ts';

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
  /** Work that is given to it, each step taking so long. Unit: milliseconds. */
  const worker = (lasting: number) => {
    const job = { left: 0, steps: 0, idle: 0, closed: false };
    const step = (): boolean => {
      if (job.left === 0) return false;
      job.left -= 1;
      job.steps += 1;
      clock.time += lasting;
      return true;
    };
    const begin = inTurns(clock, job, step, () => (job.idle += 1));
    const give = (count: number): void => {
      job.left += count;
      begin();
    };
    return { job, give, begin };
  };
  return { clock, worker };
}

afterEach(() => {
  // What still works counts with the next.
  while (turns.length > 0) turn();
  jest.restoreAllMocks();
});

describe('inTurns', () => {
  it('works at once, as often as it is begun', () => {
    const { worker } = byHand();
    const { job, give } = worker(0.1);
    give(3);
    give(2);
    expect(job).toMatchObject({ steps: 5, idle: 2 });
  });

  it('gives way after 8 ms, as often as it takes', () => {
    const { worker } = byHand();
    const { job, give } = worker(1);
    give(20);
    expect(job).toMatchObject({ steps: 8, idle: 0 });
    turn();
    expect(job).toMatchObject({ steps: 16, idle: 0 });
    turn();
    expect(job).toMatchObject({ steps: 20, idle: 1 });
  });

  it('counts together what it does in one turn, however often it is begun', () => {
    const { worker } = byHand();
    const { job, give } = worker(1);
    for (let begun = 0; begun < 100; begun += 1) give(1);
    expect(job.steps).toBe(8);
    turn();
    expect(job.steps).toBe(16);
    turn();
    expect(job.steps).toBe(24);
  });

  it('does not count what others do in between', () => {
    const { clock, worker } = byHand();
    const { job, give } = worker(1);
    for (let begun = 0; begun < 5; begun += 1) {
      give(1);
      clock.time += 100;
    }
    expect(job).toMatchObject({ steps: 5, idle: 5 });
  });

  it('counts what promises do in between', async () => {
    const { clock, worker } = byHand();
    const { job, give } = worker(1);
    for (let begun = 0; begun < 5; begun += 1) {
      give(1);
      await Promise.resolve();
      clock.time += 3;
    }
    expect(job).toMatchObject({ steps: 3, left: 2 });
    turn();
    expect(job).toMatchObject({ steps: 5, idle: 3 });
  });

  it('has time again in the next turn', () => {
    const { worker } = byHand();
    const { job, give } = worker(1);
    give(5);
    turn();
    give(5);
    expect(job).toMatchObject({ steps: 10, idle: 2 });
  });

  it('does something in each turn, however long that takes', () => {
    const { worker } = byHand();
    const { job, give } = worker(100);
    give(3);
    expect(job.steps).toBe(1);
    turn();
    turn();
    expect(job).toMatchObject({ steps: 3, idle: 0 });
    turn();
    expect(job.idle).toBe(1);
  });

  it('is not begun again by what it does', () => {
    const { clock } = byHand();
    const log: string[] = [];
    let left = 2;
    const begin = inTurns(
      clock,
      { closed: false },
      () => {
        if (left === 0) return false;
        left -= 1;
        log.push('in');
        begin();
        log.push('out');
        return true;
      },
      () => log.push('idle'),
    );
    begin();
    expect(log).toEqual(['in', 'out', 'in', 'out', 'idle']);
  });

  it('may be begun when it is idle', () => {
    const { clock } = byHand();
    let left = 1;
    let idle = 0;
    const begin = inTurns(
      clock,
      { closed: false },
      () => (left -= 1) >= 0,
      () => {
        idle += 1;
        if (idle > 1) return;
        left = 1;
        begin();
      },
    );
    begin();
    expect(idle).toBe(2);
  });

  it('calls nothing once its owner is closed: before, between turns and in the last step', () => {
    const { clock, worker } = byHand();
    const early = worker(1);
    early.job.closed = true;
    early.give(1);
    expect(early.job).toMatchObject({ steps: 0, idle: 0 });

    const late = worker(1);
    late.give(10);
    late.job.closed = true;
    turn();
    expect(late.job).toMatchObject({ steps: 8, idle: 0 });

    const owner = { closed: false };
    const idle = jest.fn();
    const last = (): boolean => {
      owner.closed = true;
      return false;
    };
    inTurns(clock, owner, last, idle)();
    expect(idle).not.toHaveBeenCalled();
  });

  it('shares the time of one among many', () => {
    const { clock, worker } = byHand();
    const workers = Array.from({ length: 8 }, () => worker(0.001));
    for (const { give } of workers) give(20_000);
    const before = clock.time;
    turn();
    expect(clock.time - before).toBeGreaterThan(4);
    expect(clock.time - before).toBeLessThan(9);
    for (let left = 0; left < 30; left += 1) turn();
    expect(workers.every(({ job }) => job.idle === 1)).toBe(true);
  });
});
