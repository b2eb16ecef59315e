import { pod, TOO_LARGE } from '../testkit/objects.ts';
import { heldIn, play } from '../testkit/play.ts';
import {
  added,
  after,
  bookmark,
  end,
  errorEvent,
  initialEnd,
  line,
  list,
  modified,
  refuse,
  stream,
  watch,
} from '../testkit/steps.ts';

it.each(['Expired', 'Gone', undefined])(
  'C12 410 within the stream, with the reason %s, is an expired version and no event',
  async (reason) => {
    const { clock, server, informer, told, errors } = await play([
      list(100, pod('a', 90), pod('b', 95)),
      watch(after(5_000), modified(pod('a', 101)), errorEvent(410, reason), end()),
      list(300, pod('a', 101), pod('c', 250)),
      watch(),
    ]);
    await clock.advance(5_000);
    expect(server.asked).toEqual([
      'LIST rv=0 limit=500',
      'WATCH rv=100',
      'LIST rv=101 NotOlderThan limit=500',
      'WATCH rv=300',
    ]);
    expect(told).toEqual([
      'add a@90 initial',
      'add b@95 initial',
      'synced',
      'update a@90->a@101',
      'delete b@95 finalStateUnknown',
      'add c@250',
    ]);
    expect(errors).toEqual([`410 ${reason ?? ''}`.trim()]);
    expect(heldIn(informer.store)).toEqual(['a@101', 'c@250']);
  },
);

it.each([
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [504, 'Timeout'],
] as const)('C12 an ERROR event of %i is waited for, and listed if it repeats', async (code, reason) => {
  const fails = watch(errorEvent(code, reason), end());
  const { clock, server, told, errors } = await play([
    list(100, pod('a', 90)),
    fails,
    fails,
    fails,
    list(100, pod('a', 90)),
    watch(),
  ]);
  await clock.advance(800 + 1_600 + 3_200);
  expect(server.asked.slice(1)).toEqual([
    'WATCH rv=100',
    'WATCH rv=100',
    'WATCH rv=100',
    'LIST rv=100 NotOlderThan limit=500',
    'WATCH rv=100',
  ]);
  expect(errors).toEqual(Array(3).fill(`${code} ${reason}`));
  expect(told).toEqual(['add a@90 initial', 'synced']);
});

it('C13 410 in answer to a watch is the same as 410 within its stream', async () => {
  const { clock, server, told } = await play([
    list(100, pod('a', 90)),
    watch(after(5_000), end()),
    refuse('WATCH', 410, 'Expired'),
    list(300, pod('a', 90), pod('c', 250)),
    watch(),
  ]);
  await clock.advance(5_000);
  expect(server.asked.slice(1)).toEqual([
    'WATCH rv=100',
    'WATCH rv=100',
    'LIST rv=100 NotOlderThan limit=500',
    'WATCH rv=300',
  ]);
  expect(told.slice(2)).toEqual(['add c@250']);
});

it('C15 the version of the list is what the next watch starts from, not that of an object', async () => {
  const { clock, server, told, errors } = await play([
    list(9_000, pod('a', 50)),
    watch(after(200_000), end()),
    watch(),
  ]);
  await clock.advance(200_000);
  expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=9000', 'WATCH rv=9000']);
  expect(told).toEqual(['add a@50 initial', 'synced']);
  expect(errors).toEqual([]);
});

it('C15 after the silence of a whole watch one object is looked at, and nothing is listed again', async () => {
  const { clock, server, told, errors, statuses } = await play([
    list(9_000, pod('a', 50)),
    watch(after(300_000), end()),
    list(9_000, pod('a', 50)),
    watch(),
  ]);
  await clock.advance(300_000);
  expect(server.asked.slice(1)).toEqual(['WATCH rv=9000', 'LIST limit=1', 'WATCH rv=9000']);
  expect(told).toEqual(['add a@50 initial', 'synced']);
  expect(errors).toEqual([]);
  expect(statuses.filter(({ type }) => type === 'listed')).toHaveLength(1);
});

it('C15 (a bookmark came) its version is what the next watch starts from', async () => {
  const { clock, server, told } = await play([
    list(9_000, pod('a', 50)),
    watch(after(240_000), bookmark(9_400), after(60_000), end()),
    watch(),
  ]);
  await clock.advance(300_000);
  expect(server.asked.slice(1)).toEqual(['WATCH rv=9000', 'WATCH rv=9400']);
  expect(told).toEqual(['add a@50 initial', 'synced']);
});

const BEHIND = 'Too large resource version: 9000, current: 8700';

it.each([
  [
    '504 in words only',
    refuse('LIST', 504, 'Timeout', { message: BEHIND, details: { retryAfterSeconds: 1 } }),
  ],
  ['504 with its cause', refuse('LIST', 504, 'Timeout', TOO_LARGE)],
  ['410', refuse('LIST', 410, 'Expired')],
])(
  'C17 a relist at the last version that is refused (%s) is done once more, with none',
  async (_, refused) => {
    const { clock, server, informer, told } = await play([
      list(9_000, pod('a', 50), pod('b', 60)),
      watch(after(5_000), errorEvent(410, 'Expired'), end()),
      refused,
      list(8_700, pod('a', 50)),
      watch(),
    ]);
    await clock.advance(5_000);
    expect(server.asked.slice(2)).toEqual([
      'LIST rv=9000 NotOlderThan limit=500',
      'LIST limit=500',
      'WATCH rv=8700',
    ]);
    expect(told.slice(3)).toEqual(['delete b@60 finalStateUnknown']);
    expect(informer.resourceVersion).toBe('8700');
  },
);

it('C17 the same of a streaming list', async () => {
  const { clock, server, told } = await play(
    [
      stream(added(pod('a', 50)), initialEnd(9_000), after(5_000), errorEvent(410, 'Expired'), end()),
      refuse('STREAM', 504, 'Timeout', { message: BEHIND }),
      stream(added(pod('a', 50)), initialEnd(8_700)),
    ],
    { streaming: true },
  );
  await clock.advance(5_000);
  expect(server.asked).toEqual(['STREAM', 'STREAM rv=9000', 'STREAM']);
  expect(told).toEqual(['add a@50 initial', 'synced']);
});

it.each([
  ['above 2^53', '9007199254740992', '9007199254740993'],
  ['with one digit more', '9', '10'],
  ['far above 2^64', '36893488147419103232', '36893488147419103233'],
  ['that are no numbers', 'W/abc', 'W/abd'],
  ['that are no numbers and seem to go back', 'b', 'a'],
])('C19 versions %s are told and followed', async (_, first, second) => {
  const { clock, server, informer, told } = await play([
    list(first, pod('a', first)),
    watch(after(2_000), modified(pod('a', second)), end()),
    watch(),
  ]);
  await clock.advance(2_000);
  expect(told.slice(2)).toEqual([`update a@${first}->a@${second}`]);
  expect(server.asked.slice(1)).toEqual([`WATCH rv=${first}`, `WATCH rv=${second}`]);
  expect(informer.resourceVersion).toBe(second);
});

it('C19 the same version again is no update', async () => {
  const { told } = await play([
    list('9007199254740992', pod('a', '9007199254740992')),
    watch(modified(pod('a', '9007199254740992')), line(''), modified(pod('a', '9007199254740993'))),
  ]);
  expect(told.slice(2)).toEqual(['update a@9007199254740992->a@9007199254740993']);
});
