import { dropOldest } from '../../operators/dropOldest.ts';
import { add, byHand, expectHandled, update } from './handling.ts';

describe('dropOldest', () => {
  it('hands out everything as it came while there is room', () => {
    expectHandled(
      dropOldest,
      '-auvb------------|', //
      '-----a---u---v---(b|)',
      '^----------------!',
      { capacity: 3 },
    );
  });

  it('keeps the newest as they came, and merges by key what is older', () => {
    expectHandled(
      dropOldest,
      '-auvwx-----------|    ', //
      '-----a---V---w---(x|) ',
      '^----------------!    ',
      { capacity: 2 },
    );
  });

  it('keeps the last state of each of more keys than it has room for', () => {
    expectHandled(
      dropOldest,
      '-auvbce|              ', //
      '-----a---b---V---c---(e|)',
      '^------!              ',
      { capacity: 1 },
    );
  });

  it('counts exactly what it dropped', () => {
    const { tell, done, statuses, context } = byHand(dropOldest, { capacity: 4, lowWater: 1 });
    tell(add('a', 1));
    for (let version = 1; version <= 10; version += 1) tell(update('a', version, version + 1));
    const [backlog] = context.backlogs;
    expect(backlog).toMatchObject({ length: 5, handed: 1, lost: 5, level: 'full' });
    for (let left = 6; left > 0; left -= 1) done('a');
    const levels = statuses.flatMap((status) => (status.type === 'backlog' ? [status.backlog] : []));
    expect(levels).toMatchObject([
      { name: 'dropOldest', capacity: 4, level: 'high', length: 3, lost: 0 },
      { level: 'full', length: 5, lost: 0 },
      { level: 'low', length: 1, handed: 5, lost: 5 },
    ]);
  });
});
