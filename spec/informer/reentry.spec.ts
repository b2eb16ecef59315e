import { map, take } from 'rxjs';
import { holdOf, type Notification } from '../../src/store/notification.ts';
import { recorded } from '../operators/pipeline.ts';
import { pod } from '../testkit/objects.ts';
import { play } from '../testkit/play.ts';
import { added, after, list, watch } from '../testkit/steps.ts';

const first = list(100, pod('a', 90), pod('b', 91));

describe('an informer that is started by who hears of its stop', () => {
  it.each([
    ['before it was started by hand', true],
    ['after that', false],
  ])('runs anew: one who subscribed %s', async (_, isFirst) => {
    const { clock, informer, server } = await play([first, watch(), first, watch()], { subscribed: false });
    const subscribe = (): void => {
      informer.notifications$.pipe(take(10)).subscribe({ complete: () => informer.start() });
    };
    if (isFirst) subscribe();
    informer.start();
    if (!isFirst) subscribe();
    await clock.settle();
    informer.stop();
    await clock.settle();
    expect(server.asked).toHaveLength(4);
    expect(informer.readiness).toMatchObject({ state: 'live', synced: true });
    informer.stop();
    expect(informer.readiness).toMatchObject({ state: 'stopped', synced: false });
    await clock.settle();
    expect(server.sockets.size).toBe(0);
  });
});

it('a stream of periods may ask the informer itself, as the last one that is there', async () => {
  const { clock, informer } = await play([first, watch(after(3_000), added(pod('c', 101)))], {
    subscribed: false,
    linger: 1_000,
  });
  const shown = ({ type, key }: Notification<unknown>): string => `${type} ${key}`;
  const one = recorded(informer.notifications$, shown);
  await clock.settle();
  one.subscription.unsubscribe();
  const resync = informer.notifications$.pipe(
    take(1),
    map(() => 60_000),
  );
  const two = recorded(informer.notifications({ resync }), shown);
  await clock.advance(3_000);
  expect(two.log).toEqual(['add default/a', 'add default/b', 'add default/c']);
  two.subscription.unsubscribe();
});

it('a set that is still being told at stop() is complete, whatever selects it', async () => {
  const { clock, informer } = await play([first, watch()], {
    subscribed: false,
    indexers: { all: () => ['yes'] },
  });
  informer.start();
  await clock.settle();
  const queries = [{}, { where: () => true }, { labels: '!x' }, { index: 'all', value: 'yes' }];
  const told = queries.map((query) =>
    recorded(informer.select(query).notifications$, (notification) => {
      holdOf(notification)?.();
      return notification.key;
    }),
  );
  for (const { log } of told) expect(log).toEqual(['default/a']);
  informer.stop();
  for (const { log } of told) expect(log).toEqual(['default/a', 'complete']);
});
