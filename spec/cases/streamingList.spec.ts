import { pod } from '../testkit/objects.ts';
import { heldIn, play } from '../testkit/play.ts';
import {
  added,
  after,
  bookmark,
  end,
  errorEvent,
  initialEnd,
  list,
  refuse,
  stream,
  watch,
} from '../testkit/steps.ts';

const THREE = list(320, pod('a', 20), pod('b', 21), pod('c', 300));

it.each([
  [422, 'Invalid'],
  [400, 'BadRequest'],
])(
  'C42 a server that refuses a streaming list with %i is asked for a list, and never again',
  async (code, reason) => {
    const { clock, server, told, errors } = await play(
      [
        refuse('STREAM', code, reason),
        THREE,
        watch(after(5_000), errorEvent(410, 'Expired'), end()),
        THREE,
        watch(),
      ],
      { streaming: true },
    );
    expect(server.asked).toEqual(['STREAM', 'LIST rv=0 limit=500', 'WATCH rv=320']);
    expect(told).toEqual(['add a@20 initial', 'add b@21 initial', 'add c@300 initial', 'synced']);
    expect(errors).toEqual([]);
    await clock.advance(5_000);
    expect(server.asked.slice(3)).toEqual(['LIST rv=320 NotOlderThan limit=500', 'WATCH rv=320']);
  },
);

it.each([
  ['without the mark', [bookmark(300)]],
  ['that never comes', []],
])('C42 a streaming list whose last bookmark is one %s is given up after ten seconds', async (_, last) => {
  const { clock, server, told, errors } = await play(
    [stream(added(pod('a', 20)), added(pod('b', 21)), ...last), THREE, watch()],
    { streaming: true },
  );
  await clock.advance(9_000);
  expect(told).toEqual([]);
  await clock.advance(2_000);
  expect(server.asked).toEqual(['STREAM', 'LIST rv=0 limit=500', 'WATCH rv=320']);
  expect(told).toEqual(['add a@20 initial', 'add b@21 initial', 'add c@300 initial', 'synced']);
  expect(errors).toEqual([]);
});

it('C42 a streaming list that always has something to say and no end is given up after a minute', async () => {
  const chatter = Array.from({ length: 12 }, (_, i) => [after(5_000), bookmark(300 + i)]).flat();
  const { clock, server, told } = await play([stream(added(pod('a', 20)), ...chatter), THREE, watch()], {
    streaming: true,
  });
  await clock.advance(61_000);
  expect(server.asked).toEqual(['STREAM', 'LIST rv=0 limit=500', 'WATCH rv=320']);
  expect(told.at(-1)).toBe('synced');
});

it('C42 of a streaming list that is cut short nothing is taken, no version either', async () => {
  const { clock, server, informer, told } = await play(
    [stream(added(pod('c', 300)), added(pod('a', 20)), after(10), end()), THREE, watch()],
    { streaming: true },
  );
  await clock.advance(1_000);
  expect(server.asked).toEqual(['STREAM', 'LIST rv=0 limit=500', 'WATCH rv=320']);
  expect(told).toEqual(['add a@20 initial', 'add b@21 initial', 'add c@300 initial', 'synced']);
  expect(heldIn(informer.store)).toEqual(['a@20', 'b@21', 'c@300']);
});

it('C42 a stream that ends right after its mark was complete', async () => {
  const { clock, server, told } = await play(
    [stream(added(pod('a', 20)), initialEnd(320), end()), watch(added(pod('b', 321)))],
    { streaming: true },
  );
  await clock.advance(800);
  expect(server.asked).toEqual(['STREAM', 'WATCH rv=320']);
  expect(told).toEqual(['add a@20 initial', 'synced', 'add b@321']);
});
