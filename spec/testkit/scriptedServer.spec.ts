import { get } from 'node:http';
import { createClock } from '../../src/testing/clock.ts';
import { pod } from './objects.ts';
import { heldIn, play } from './play.ts';
import { scriptedServer } from './scriptedServer.ts';
import { added, after, bookmark, cutAfter, end, list, modified, refuse, watch } from './steps.ts';

it('plays a script', async () => {
  const { clock, server, told, informer } = await play([
    list(100, pod('a', 90)),
    watch(after(5_000), modified(pod('a', 101)), bookmark(105), end()),
    refuse('WATCH', 410, 'Expired'),
    cutAfter(80, list(200, pod('a', 150))),
    list(200, pod('b', 150)),
    watch(),
  ]);
  await clock.advance(10_000);
  server.send(added(pod('c', 201)));
  await clock.settle();
  expect(server.asked).toEqual([
    'LIST rv=0 limit=500',
    'WATCH rv=100',
    'WATCH rv=105',
    'LIST rv=105 NotOlderThan limit=500',
    'LIST rv=105 NotOlderThan limit=500',
    'WATCH rv=200',
  ]);
  expect(told).toEqual([
    'add a@90 initial',
    'synced',
    'update a@90->a@101',
    'delete a@101 finalStateUnknown',
    'add b@150',
    'add c@201',
  ]);
  expect(heldIn(informer.store)).toEqual(['b@150', 'c@201']);
});

it('tells what went otherwise than the script', async () => {
  const clock = createClock();
  const server = await scriptedServer(clock, [list(100)]);
  get(`${server.cluster.server}/api/v1/pods?watch=true&resourceVersion=7`).on('error', () => undefined);
  await clock.settle();
  expect(server.faults).toEqual([
    'WATCH rv=7 came where LIST was expected',
    'nobody asked for the step LIST',
  ]);
  await server.close();
  clock.dispose();
});
