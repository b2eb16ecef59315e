import { pod, TOO_LARGE } from '../testkit/objects.ts';
import { heldIn, play, watching } from '../testkit/play.ts';
import {
  type Action,
  added,
  after,
  bookmark,
  deleted,
  end,
  errorEvent,
  late,
  list,
  modified,
  refuse,
  type Step,
  silence,
  watch,
} from '../testkit/steps.ts';

const expires: Action[] = [after(2_000), errorEvent(410, 'Expired'), end()];

describe('the next run lists none older than what was known, though the last event said an older version:', () => {
  it.each<[string, Action[]]>([
    ['a delete with the version of the change before it', [deleted(pod('a', 10))]],
    ['an older bookmark', [bookmark(60)]],
    ['a watch that begins with everything', [added(pod('a', 10)), added(pod('b', 20))]],
    ['a delete with a version between', [modified(pod('b', 9_050)), deleted(pod('a', 9_010))]],
  ])('%s', async (_, events) => {
    const { server, clock, informer } = await play([
      list(9_000, pod('a', 10), pod('b', 20)),
      watch(...events),
      list(9_100, pod('b', 9_060)),
      watch(),
    ]);
    expect(Number(informer.resourceVersion)).toBeGreaterThanOrEqual(9_000);
    informer.stop();
    watching(informer);
    await clock.settle();
    expect(server.asked[2]).toMatch(/^LIST rv=90[05]0 NotOlderThan limit=500$/);
  });
});

describe('a list that fails again and again because of its version, without saying so, is done with none:', () => {
  const old = list(100, pod('a', 90));
  const recovers = async (refused: Step): Promise<void> => {
    const played = await play([
      old,
      watch(...expires),
      refused,
      refused,
      refused,
      list(50, pod('a', 40), pod('b', 45)),
      watch(),
    ]);
    await played.clock.advance(240_000);
    expect(played.server.asked.slice(2)).toEqual([
      ...Array<string>(3).fill('LIST rv=100 NotOlderThan limit=500'),
      'LIST limit=500',
      'WATCH rv=50',
    ]);
    expect(played.told.slice(2)).toEqual(['update a@90->a@40', 'add b@45']);
    expect(played.end).toBeUndefined();
  };

  it.each<[string, Step]>([
    [
      '500 of a server that cannot parse it',
      refuse('LIST', 500, undefined, { message: 'resourceVersion: Invalid value: "100": invalid syntax' }),
    ],
    ['504 in words of its own', refuse('LIST', 504, 'Timeout', { message: 'not there yet' })],
    ['no answer at all', silence('LIST')],
  ])('%s', async (_, refused) => {
    await recovers(refused);
  });

  it('but not one that is refused because the server is busy, or away', async () => {
    const busy = [429, 503, 502].map((code) => refuse('LIST', code));
    const { clock, server } = await play([old, watch(...expires), ...busy, list(200), watch()]);
    await clock.advance(30_000);
    expect(server.asked.slice(2, -1)).toEqual(Array<string>(4).fill('LIST rv=100 NotOlderThan limit=500'));
  });
});

it('a bookmark that is older than the start of its watch is that of a server that was set back', async () => {
  const { clock, server, informer, statuses } = await play([
    list(9_000, pod('a', 8_990)),
    watch(bookmark(60)),
    refuse('LIST', 504, 'Timeout', TOO_LARGE),
    list(61, pod('a', 50), pod('b', 55)),
    watch(),
  ]);
  await clock.advance(30_000);
  expect(server.asked.slice(2)).toEqual([
    'LIST rv=9000 NotOlderThan limit=500',
    'LIST limit=500',
    'WATCH rv=61',
  ]);
  expect(statuses.filter(({ type }) => type === 'list')).toContainEqual(
    expect.objectContaining({ reason: 'server went back' }),
  );
  expect(heldIn(informer.store)).toEqual(['a@50', 'b@55']);
});

it('a server whose lists say version 0 is listed anew with none, since at 0 it may say anything', async () => {
  const { clock, server, told } = await play([
    list('0', pod('a', 90)),
    watch(...expires),
    list('0', pod('b', 95)),
    watch(),
  ]);
  await clock.advance(2_000);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=0', 'LIST limit=500', 'WATCH rv=0']);
  expect(told.slice(2)).toEqual(['delete a@90 finalStateUnknown', 'add b@95']);
});

it('a server that calls each version it lists expired is listed, ever rarer, and nothing is missed', async () => {
  const expired = refuse('WATCH', 410, 'Expired');
  const { clock, server, told } = await play([
    list(100, pod('a', 90)),
    expired,
    late(10, list(110, pod('a', 105))),
    expired,
    list(120, pod('b', 115)),
    watch(),
  ]);
  await clock.advance(10_000);
  expect(server.asked.filter((line) => line.startsWith('LIST'))).toEqual([
    'LIST rv=0 limit=500',
    'LIST rv=100 NotOlderThan limit=500',
    'LIST limit=500',
  ]);
  expect(told.slice(2)).toEqual(['update a@90->a@105', 'delete a@105 finalStateUnknown', 'add b@115']);
});
