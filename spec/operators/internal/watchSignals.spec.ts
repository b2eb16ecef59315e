import { pod } from '../../testkit/objects.ts';
import { play } from '../../testkit/play.ts';
import { added, after, bookmark, end, initialEnd, list, stream, watch } from '../../testkit/steps.ts';

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
