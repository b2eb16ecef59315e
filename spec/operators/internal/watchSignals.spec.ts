import { pod } from '../../testkit/objects.ts';
import { play } from '../../testkit/play.ts';
import {
  added,
  after,
  bookmark,
  end,
  initialEnd,
  late,
  list,
  modified,
  stream,
  watch,
} from '../../testkit/steps.ts';

const a90 = pod('a', 90);

describe('a watch', () => {
  it('of a second, as asked for, is healthy: it is asked for again at once, as often as it ends', async () => {
    const second = () => watch(bookmark(100), after(990), end());
    const { clock, server, errors } = await play(
      [list(100, a90), second(), second(), second(), second(), second(), watch()],
      { watchTimeout: 1 },
    );
    await clock.advance(5 * 990);
    expect(errors).toEqual([]);
    expect(server.asked).toEqual(['LIST rv=0 limit=500', ...Array.from({ length: 6 }, () => 'WATCH rv=100')]);
  });

  it('of less than half of the second that was asked for is not', async () => {
    const { clock, errors } = await play([list(100, a90), watch(after(490), end()), watch()], {
      watchTimeout: 1,
    });
    await clock.advance(490 + 800);
    expect(errors).toEqual(['SHORT_WATCH']);
  });

  it('that was answered no sooner than 10 s after it was asked for lived all the while', async () => {
    const held = late(10_000, watch(end()));
    const { clock, server, errors } = await play([list(100, a90), held, watch()]);
    await clock.advance(10_000);
    expect(errors).toEqual([]);
    expect(server.asked.at(-1)).toBe('WATCH rv=100');
    const { clock: sooner, errors: short } = await play([list(100, a90), late(9_999, watch(end())), watch()]);
    await sooner.advance(9_999 + 800);
    expect(short).toEqual(['SHORT_WATCH']);
  });

  it('says from which version it watches, and that it is answered', async () => {
    const { clock, statuses } = await play([list(100, a90), late(500, watch())]);
    const live = { type: 'live', version: '100' };
    expect(statuses).toContainEqual({ type: 'watch', version: '100' });
    expect(statuses).not.toContainEqual(live);
    await clock.advance(500);
    expect(statuses).toContainEqual(live);
  });

  it('says when it ended, and how long it lasted', async () => {
    const { clock, statuses } = await play([list(100, a90), watch(after(2_000), end()), watch()]);
    await clock.advance(2_000);
    expect(statuses).toContainEqual({ type: 'end', reason: 'server closed it', lasted: 2_000 });
  });

  it.each([
    ['a bookmark older than its start', bookmark(60)],
    ['a state older than its start and than what is held', modified(pod('a', 60))],
  ])('with %s: the server went back, and is listed after 30 s', async (_, event) => {
    const { clock, server, statuses } = await play([list(100, a90), watch(event), list(110, a90), watch()]);
    await clock.advance(29_999);
    expect(server.asked).toHaveLength(2);
    await clock.advance(1);
    expect(server.asked.slice(2)).toEqual(['LIST rv=100 NotOlderThan limit=500', 'WATCH rv=110']);
    expect(statuses).toContainEqual({ type: 'list', reason: 'server went back', mode: 'paged' });
    expect(statuses).toContainEqual({ type: 'end', reason: 'relist due', lasted: 30_000 });
  });

  it.each([
    ['a bookmark at its start', bookmark(100)],
    ['an old state that is told as new', added(pod('a', 60))],
    ['a state older than its start of an object that is not held', modified(pod('b', 60))],
  ])('with %s is no watch of a server that went back', async (_, event) => {
    const { clock, server } = await play([list(100, a90), watch(event)]);
    await clock.advance(60_000);
    expect(server.asked).toHaveLength(2);
  });

  it.each([
    ['without a byte, for less than was asked for', [after(299_000), end()]],
    ['with one byte', [bookmark(100), after(300_000), end()]],
  ])('%s: the server is not asked where it stands', async (_, actions) => {
    const { clock, server } = await play([list(100, a90), watch(...actions), watch()]);
    await clock.advance(300_000);
    expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=100', 'WATCH rv=100']);
  });

  it('whose events came in another order goes on behind the newest', async () => {
    const { clock, server } = await play([
      list(100, a90),
      watch(added(pod('b', 105)), added(pod('c', 103)), after(2_000), end()),
      watch(),
    ]);
    await clock.advance(2_000);
    expect(server.asked.at(-1)).toBe('WATCH rv=105');
  });
});

describe('a streaming list', () => {
  it('is live from its mark on, and behind that a watch that begins there', async () => {
    const { clock, server, statuses } = await play(
      [stream(added(a90), initialEnd(100), bookmark(60)), stream(added(a90), initialEnd(110))],
      { streaming: true },
    );
    expect(statuses).toContainEqual({ type: 'live', version: '100' });
    await clock.advance(30_000);
    expect(server.asked).toEqual(['STREAM', 'STREAM rv=100']);
  });

  it('that is held has its time when the flow goes on: it does not run out meanwhile', async () => {
    const chatter = Array.from({ length: 5 }, (_, i) => [after(5_000), bookmark(50 + i)]).flat();
    const { clock, server, told, informer } = await play([stream(added(a90), ...chatter, initialEnd(100))], {
      streaming: true,
    });
    await clock.advance(1_000);
    const release = informer.context.flow.hold();
    await clock.advance(120_000);
    expect(told).toEqual([]);
    release();
    await clock.advance(1_000);
    expect(server.asked).toEqual(['STREAM']);
    expect(told).toEqual(['add a@90 initial', 'synced']);
  });
});
