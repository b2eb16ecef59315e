import { throwIfFull } from '../../operators/throwIfFull.ts';
import { BufferFullError } from '../../src/errors.ts';
import { add, byHand, expectHandled, update } from './handling.ts';

describe('throwIfFull', () => {
  it('hands out everything as it came', () => {
    expectHandled(
      throwIfFull,
      '-auvb------------|', //
      '-----a---u---v---(b|)',
      '^----------------!',
      { capacity: 3 },
    );
  });

  it('errors at once with more than it has room for', () => {
    expectHandled(
      throwIfFull,
      '-a-u--vw----|', //
      '-----a-#     ',
      '^------!     ',
      { capacity: 1 },
      { error: new BufferFullError('throwIfFull', { capacity: 1, lag: 1 }) },
    );
  });

  it('says who it was, how much room there was and for how long the oldest has waited', () => {
    const { tell, done, log, ends, source$, begun } = byHand(throwIfFull, { capacity: 2, name: 'billing' });
    tell(add('a', 1), update('a', 1, 2), add('b', 1));
    done('a');
    tell(add('c', 1));
    expect(log).toEqual([]);
    tell(add('d', 1));
    expect(log).toEqual([
      'error billing: more than 2 notifications wait, the oldest for 0 s; handle them faster or more at a time, give more capacity, or merge them by key',
    ]);
    expect([ends.get('a')?.observed, source$.observed]).toEqual([false, false]);
    expect(begun).toEqual(['add a1', 'update a1 a2']);
    const error = new BufferFullError('x', { capacity: 2, lag: 1500 });
    expect(error).toMatchObject({ code: 'BUFFER_FULL', terminal: true, capacity: 2, lag: 1500 });
  });
});
