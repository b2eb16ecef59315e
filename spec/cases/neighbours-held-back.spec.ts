import { pod } from '../testkit/objects.ts';
import { play } from '../testkit/play.ts';
import {
  type Action,
  added,
  after,
  answer,
  end,
  list,
  modified,
  page,
  refuse,
  refuseFor,
  type Step,
  watch,
} from '../testkit/steps.ts';

const A = list(100, pod('a', 90));
const HEAD: Action = { type: 'head', status: 200, headers: {} };

/** Not even its head comes before that. */
const heldBack = (delay: number, ...actions: Action[]): Step =>
  answer('WATCH', after(delay), HEAD, ...actions);

describe('a watch whose answer is held back until there is something to say', () => {
  it('and that ends right behind it ended well', async () => {
    const { clock, server, told, errors } = await play([
      A,
      heldBack(90_000, modified(pod('a', 101)), added(pod('b', 102)), end()),
      watch(),
    ]);
    await clock.advance(90_000);
    expect(server.asked.at(-1)).toBe('WATCH rv=102');
    expect(told.slice(2)).toEqual(['update a@90->a@101', 'add b@102']);
    expect(errors).toEqual([]);
  });

  it('and that ends with nothing to say, at its time, ended well, too', async () => {
    const { clock, server, errors } = await play([
      A,
      heldBack(300_000, end()),
      A,
      heldBack(300_000, end()),
      A,
    ]);
    server.answer({ WATCH: watch() });
    await clock.advance(600_000);
    // What was silent for all of its time is looked after.
    expect(server.asked.slice(1)).toEqual([
      'WATCH rv=100',
      'LIST limit=1',
      'WATCH rv=100',
      'LIST limit=1',
      'WATCH rv=100',
    ]);
    expect(errors).toEqual([]);
  });

  it('is told once there is an event, and goes on', async () => {
    const { clock, informer, told, errors } = await play([
      A,
      heldBack(200_000, added(pod('b', 101)), after(50_000), added(pod('c', 102))),
    ]);
    expect(informer.live).toBe(false);
    await clock.advance(250_000);
    expect(told.slice(2)).toEqual(['add b@101', 'add c@102']);
    expect([informer.live, errors]).toEqual([true, []]);
  });

  it('for a few seconds only, again and again, is waited for as any that is too short', async () => {
    const { clock, server, informer } = await play([], { subscribed: false });
    server.answer({ LIST: A, WATCH: heldBack(2_000, end()) });
    informer.start();
    await clock.advance(120_000);
    expect(server.asked.length).toBeLessThanOrEqual(12);
  });
});

describe('a page behind the first, refused by a server', () => {
  it.each<[string, Step, number]>([
    ['that has too many requests', refuse('LIST', 429), 800],
    ['that says for how long', refuseFor(7, 'LIST', 429), 7_000],
    ['that is not available', refuse('LIST', 503), 800],
  ])('%s is asked for again, and those before it are not', async (_, refused, wait) => {
    const { clock, server, told } = await play([
      page(100, 'two', pod('a', 90)),
      refused,
      page(100, 'three', pod('b', 91)),
      list(100, pod('c', 92)),
      watch(),
    ]);
    await clock.advance(wait);
    expect(server.asked.slice(1)).toEqual([
      'LIST limit=500 continue=two',
      'LIST limit=500 continue=two',
      'LIST limit=500 continue=three',
      'WATCH rv=100',
    ]);
    expect(told).toEqual(['add a@90 initial', 'add b@91 initial', 'add c@92 initial', 'synced']);
  });

  it('that has forgotten it meanwhile is listed anew', async () => {
    const { clock, server, told } = await play([
      page(100, 'two', pod('a', 90)),
      refuse('LIST', 429),
      refuse('LIST', 410, 'Expired'),
      list(110, pod('a', 90), pod('b', 105)),
      watch(),
    ]);
    await clock.advance(800);
    expect(server.asked.slice(-2)).toEqual(['LIST rv=0 limit=500', 'WATCH rv=110']);
    expect(told).toEqual(['add a@90 initial', 'add b@105 initial', 'synced']);
  });
});
