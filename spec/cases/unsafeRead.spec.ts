import { failure, pod } from '../testkit/objects.ts';
import { heldIn, play } from '../testkit/play.ts';
import {
  after,
  body,
  bytes,
  cutAfter,
  end,
  errorEvent,
  json,
  list,
  refuse,
  reset,
  type Step,
  watch,
} from '../testkit/steps.ts';

const THREE = [pod('a', 90), pod('b', 91), pod('c', 92)];
const FULL = list(300, ...THREE);

it('C09 a list that is refused three times is reported, waited for and made up', async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown): unknown => unheard.push(error);
  process.on('unhandledRejection', hear).on('uncaughtException', hear);
  const { clock, server, informer, told, errors, statuses } = await play([
    list(100, pod('a', 90), pod('b', 91)),
    watch(after(5_000), errorEvent(410, 'Expired'), end()),
  ]);
  server.stopListening();
  await clock.advance(5_000 + 800 + 1_600);
  expect(errors).toEqual(['410 Expired', 'ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
  expect(statuses.flatMap((status) => (status.type === 'error' ? [status.delay] : []))).toEqual([
    0, 800, 1_600, 3_200,
  ]);
  expect(heldIn(informer.store)).toEqual(['a@90', 'b@91']);

  await server.acceptConnections();
  server.expect(list(200, pod('a', 90), pod('c', 150)), watch());
  await clock.advance(3_200);
  expect(told).toEqual([
    'add a@90 initial',
    'add b@91 initial',
    'synced',
    'delete b@91 finalStateUnknown',
    'add c@150',
  ]);
  expect(server.asked.at(-1)).toBe('WATCH rv=200');
  process.off('unhandledRejection', hear).off('uncaughtException', hear);
  expect(unheard).toEqual([]);
});

const text = JSON.stringify({
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '300' },
  items: THREE,
});
const resetInside: Step = {
  expects: 'LIST',
  actions: [FULL.actions[0] ?? after(0), bytes(text.slice(0, 200)), after(1), reset()],
};
const truncated = (size: number): Step => body('LIST', text.slice(0, size));

const FAILURES: readonly (readonly [string, Step, string])[] = [
  ['500', refuse('LIST', 500, 'InternalError'), '500 InternalError'],
  ['reset in the middle', resetInside, 'CUT'],
  ['closed in the middle', cutAfter(200, FULL), 'CUT'],
  ['a body that ends in the middle of an item', truncated(200), 'UNREADABLE'],
  ['a body that ends behind an item', truncated(text.indexOf('},{') + 1), 'UNREADABLE'],
  ['a body that lacks its last brace', truncated(text.length - 1), 'UNREADABLE'],
  ['an empty body', truncated(0), 'UNREADABLE'],
  ['a Status with 200', json('LIST', failure(500, 'InternalError')), '500 InternalError'],
];

it.each(FAILURES)('C10 a list that fails (%s) deletes nothing', async (_, failed, name) => {
  const { clock, server, informer, told, errors } = await play([
    list(100, ...THREE),
    watch(after(5_000), errorEvent(410, 'Expired'), end()),
    failed,
    failed,
    FULL,
    watch(),
  ]);
  const before = told.slice();
  await clock.advance(5_000 + 810);
  expect(errors).toEqual(['410 Expired', name, name]);
  expect(heldIn(informer.store)).toEqual(['a@90', 'b@91', 'c@92']);

  await clock.advance(1_610);
  expect(server.asked.at(-1)).toBe('WATCH rv=300');
  expect(told).toEqual(before);
  expect(heldIn(informer.store)).toEqual(['a@90', 'b@91', 'c@92']);
});

it.each(FAILURES)('C10 a first list that fails (%s) is not in sync', async (_, failed, name) => {
  const { clock, informer, told, errors } = await play([failed, failed, list(300), watch()]);
  await clock.advance(810);
  expect(errors).toEqual([name, name]);
  expect(told).toEqual([]);
  expect(informer.store.size).toBe(0);
  await clock.advance(1_610);
  expect(told).toEqual(['synced']);
});
