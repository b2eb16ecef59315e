import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { pod } from '../testkit/objects.ts';
import { heldIn, play } from '../testkit/play.ts';
import {
  type Action,
  added,
  after,
  bookmark,
  bytes,
  deleted,
  end,
  line,
  list,
  modified,
  watch,
} from '../testkit/steps.ts';

const A = list(100, pod('a', 90));
const event = (type: string, metadata: object): Action => line({ type, object: { metadata } });
const B = JSON.stringify({ type: 'ADDED', object: pod('b', 101) });

describe('an event', () => {
  it.each<[string, Action[], string[]]>([
    [
      'a delete without a version',
      [event('DELETED', { name: 'a', namespace: 'default', uid: 'uid-a' })],
      ['delete a@'],
    ],
    [
      'a delete without a uid',
      [event('DELETED', { name: 'a', namespace: 'default', resourceVersion: '101' })],
      ['delete a@101'],
    ],
    ['a delete of another uid', [deleted(pod('a', 101, { uid: 'x' }))], ['delete a@90 finalStateUnknown']],
    ['a delete with the version that is held', [deleted(pod('a', 90))], ['delete a@90']],
    ['a delete, twice', [deleted(pod('a', 101)), deleted(pod('a', 101))], ['delete a@101']],
    [
      'a namespace of null',
      [event('ADDED', { name: 'n', namespace: null, uid: 'n', resourceVersion: '101' })],
      ['add n@101'],
    ],
    [
      'a uid of null',
      [event('ADDED', { name: 'n', namespace: 'default', uid: null, resourceVersion: '101' })],
      ['add n@101'],
    ],
    [
      'a version that is a number',
      [event('ADDED', { name: 'n', namespace: 'default', uid: 'n', resourceVersion: 101 })],
      ['add n@'],
    ],
    [
      'its type behind its object, and other metadata in front',
      [
        bytes(
          `{"object":{"spec":{"metadata":{"name":"x"}},"s":"}{\\"",${JSON.stringify(pod('n', 101)).slice(1)},"type":"ADDED"}\n`,
        ),
      ],
      ['add n@101'],
    ],
    ['two in a line', [bytes(`${B}${B.replace('101', '102')}\n`)], ['add b@101', 'update b@101->b@102']],
    ['another uid', [added(pod('a', 101, { uid: 'x' }))], ['delete a@90 finalStateUnknown', 'add a@101']],
    ['the same version, another content', [modified({ ...pod('a', 90), kind: 'Pod', apiVersion: 'v1' })], []],
    [
      'names of the language',
      [event('ADDED', { name: '__proto__', namespace: 'constructor', uid: 'n', resourceVersion: '101' })],
      ['add constructor/__proto__@101'],
    ],
    [
      'half a character',
      [bytes(`${B.replace('"default"', '"default","annotations":{"x":"\\ud800"}')}\n`)],
      ['add b@101'],
    ],
  ])('(%s) is told as what it means', async (_, actions, expected) => {
    const { told, errors, problems } = await play([A, watch(...actions)]);
    expect([told.slice(2), errors, problems]).toEqual([expected, [], []]);
  });

  it.each([
    ['control characters', '"x\ty"'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0xc3, 0x22])],
  ])('(%s in a string) is reported once it is read, and throws nothing', async (_, text) => {
    const [head, tail] = B.replace('"default"', '"default","annotations":{"x":#}').split('#') as [
      string,
      string,
    ];
    const { notifications, problems, informer } = await play<KubernetesObject>([
      A,
      watch(
        bytes(Buffer.concat([head, text, `${tail}\n`].map((part) => Buffer.from(part)))),
        added(pod('c', 102)),
      ),
    ]);
    expect(() => notifications.map(({ object, meta }) => [object, meta])).not.toThrow();
    expect(problems).toEqual(['UNREADABLE']);
    expect(heldIn(informer.store)).toContain('c@102');
  });

  it('(of a server that begins each watch with everything) is told once', async () => {
    const everything = [added(pod('a', 90)), added(pod('b', 101))];
    const { clock, told, server } = await play([
      A,
      watch(...everything, after(2_000), end()),
      watch(...everything, modified(pod('a', 102))),
    ]);
    await clock.advance(2_000);
    expect(told.slice(2)).toEqual(['add b@101', 'update a@90->a@102']);
    expect(server.asked.at(-1)).toBe('WATCH rv=101');
  });

  it('(of a server that was set back, and says so by no more than its versions) leads to a list', async () => {
    const { clock, told, server, statuses } = await play([
      list(9_000, pod('a', 8_990)),
      watch(modified(pod('a', 60)), added(pod('b', 61))),
      list(70, pod('a', 60), pod('b', 61)),
      watch(modified(pod('a', 71))),
    ]);
    await clock.advance(30_000);
    expect(told.slice(2)).toEqual(['add b@61', 'update a@8990->a@60', 'update a@60->a@71']);
    expect(server.asked.slice(2)).toEqual(['LIST rv=9000 NotOlderThan limit=500', 'WATCH rv=70']);
    expect(statuses.filter(({ type }) => type === 'list').at(-1)).toMatchObject({
      reason: 'server went back',
    });
  });

  it('(older than what is held, yet newer than the start of the watch) is passed over', async () => {
    const { clock, told, server } = await play([list(100, pod('a', 110)), watch(modified(pod('a', 105)))]);
    await clock.advance(60_000);
    expect([told.length, server.asked.length]).toEqual([2, 2]);
  });

  it('(a bookmark that is older) does not set the version back', async () => {
    const { clock, server } = await play([
      A,
      watch(bookmark(150), bookmark(50), after(2_000), end()),
      watch(),
    ]);
    await clock.advance(2_000);
    expect(server.asked.at(-1)).toBe('WATCH rv=150');
  });
});
