import { readInTurn, thisRun, thisTurn } from '../../../operators/internal/turn.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** A clock, and the turns of the event loop, in the hands of the spec. */
function byHand() {
  const ends: (() => void)[] = [];
  jest.spyOn(globalThis, 'setImmediate').mockImplementation(((end: () => void) => {
    ends.push(end);
  }) as never);
  const clock = { time: 0, now: () => clock.time, schedule: () => undefined as never };
  return {
    /** Reads for so long. Unit: milliseconds. */
    read: (lasting: number) =>
      readInTurn(clock, () => {
        clock.time += lasting;
      }),
    nextTurn: () => {
      for (const end of ends.splice(0)) end();
    },
  };
}

describe('readInTurn', () => {
  it('says when what was read in one turn took 8 ms together', () => {
    const { read, nextTurn } = byHand();
    expect([read(5), read(2), read(1), read(0)]).toEqual([false, false, true, true]);
    nextTurn();
    expect([read(7), read(0), read(1)]).toEqual([false, false, true]);
    nextTurn();
  });

  it('counts from the first reading of a turn', () => {
    const { read, nextTurn } = byHand();
    expect(read(1)).toBe(false);
    nextTurn();
    read(100);
    nextTurn();
    expect(read(7)).toBe(false);
    nextTurn();
  });

  it('lets an error out, and the time of the turn go on', () => {
    const { read, nextTurn } = byHand();
    const clock = { now: () => 0, schedule: () => undefined as never };
    const broken = (): never => {
      throw new Error('broken');
    };
    expect(() => readInTurn(clock, broken)).toThrow('broken');
    expect(read(8)).toBe(true);
    nextTurn();
  });
});

describe('thisTurn', () => {
  it('is one number in a turn of the event loop, and another one in the next', () => {
    const { nextTurn } = byHand();
    const first = thisTurn();
    expect(thisTurn()).toBe(first);
    nextTurn();
    const second = thisTurn();
    expect([second === first, thisTurn()]).toEqual([false, second]);
    nextTurn();
  });
});

describe('thisRun', () => {
  it('is one number until promises come back', async () => {
    const first = thisRun();
    expect(thisRun()).toBe(first);
    await Promise.resolve();
    const second = thisRun();
    expect([second === first, thisRun()]).toEqual([false, second]);
  });
});
