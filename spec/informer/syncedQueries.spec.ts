import { pod } from '../testkit/objects.ts';
import { atTheEnd, play } from '../testkit/play.ts';
import { list, watch } from '../testkit/steps.ts';

const indexers = { first: (_: unknown, { name = '' }: { name?: string }) => [name.slice(0, 1)] };

it('an informer is in sync when its queries were told, too', async () => {
  const { clock, informer } = await play([list(100, pod('a', 90), pod('b', 91)), watch()], {
    subscribed: false,
    indexers,
  });
  const log: string[] = [];
  const told =
    (what: string): (() => void) =>
    () =>
      log.push(what);
  for (const subscription of [
    informer.synced$.subscribe(told('synced')),
    informer.get$('default/a').subscribe(told('key')),
    informer.select({ index: 'first', value: 'a' }).notifications$.subscribe(told('value')),
    informer.select({ index: 'first', value: 'b' }).count$.subscribe(told('count of a value')),
    informer.select({ where: ({ name }) => name === 'b' }).count$.subscribe(told('count')),
    informer.notifications({ initial: false, onSynced: told('joined') }).subscribe(),
  ]) {
    atTheEnd(() => subscription.unsubscribe());
  }
  await clock.settle();
  expect(log.at(-1)).toBe('synced');
  expect(log.toSorted()).toEqual(['count', 'count of a value', 'joined', 'key', 'synced', 'value']);
});
