import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jsonCodec } from '../../src/codec/json/jsonCodec.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { failure, pod } from '../testkit/objects.ts';
import { heldIn, play } from '../testkit/play.ts';
import {
  added,
  answer,
  bytes,
  inPieces,
  json,
  line,
  list,
  modified,
  page,
  type Step,
  watch,
} from '../testkit/steps.ts';

const TEXT = 'café-日本-😀';

it('C45 characters may be cut anywhere', async () => {
  const b = pod('b', 101, { annotations: { text: TEXT, [TEXT]: '\u{1F600}' } });
  const { clock, notifications, told, problems, errors } = await play([
    list(100, pod('a', 90)),
    inPieces(1, watch(added(b), modified(pod('a', 102)))),
  ]);
  await clock.advance(1_000);
  expect(told.slice(2)).toEqual(['add b@101', 'update a@90->a@102']);
  expect(notifications[1]?.meta.annotations).toEqual({ text: TEXT, [TEXT]: '\u{1F600}' });
  expect(JSON.stringify(notifications[1]?.object)).not.toContain('\uFFFD');
  expect([...problems, ...errors]).toEqual([]);
});

it('C45 characters of a list, too', async () => {
  const { clock, notifications, told } = await play([
    inPieces(1, list(100, pod('a', 90, { annotations: { text: TEXT } }))),
    watch(),
  ]);
  await clock.advance(1_000);
  expect(told).toEqual(['add a@90 initial', 'synced']);
  expect(notifications[0]?.meta.annotations).toEqual({ text: TEXT });
});

const secret = (size: number): KubernetesObject & { data: object } => ({
  ...pod('big', 101),
  data: { blob: 'x'.repeat(size) },
});
const MB = 1_000_000;

it('C47 an object of two megabytes is one object', async () => {
  const { clock, told, notifications } = await play([
    list(100, pod('a', 90)),
    inPieces(64 * 1024, watch(added(secret(2 * MB)), modified(pod('a', 102)))),
  ]);
  await clock.advance(1_000);
  expect(told.slice(2)).toEqual(['add big@101', 'update a@90->a@102']);
  expect(notifications[1]?.object).toMatchObject(secret(2 * MB));
});

it('C47 one above the limit is reported with limit and key, the others go on, and a list makes up for it', async () => {
  const { clock, server, told, statuses } = await play(
    [
      list(100, pod('a', 90)),
      inPieces(64 * 1024, watch(added(secret(2 * MB)), modified(pod('a', 102)))),
      list(103, pod('a', 102), pod('big', 103)),
      watch(),
    ],
    { maxItemBytes: MB },
  );
  await clock.advance(1_000);
  const problems = statuses.flatMap((status) => (status.type === 'problem' ? [status.error] : []));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ code: 'ITEM_TOO_LARGE', limit: MB, key: 'default/big' });
  expect(problems[0]?.message).toMatch(/default\/big.*1000000/);
  expect(told.slice(2)).toEqual(['update a@90->a@102']);

  await clock.advance(30_000);
  expect(server.asked.at(-1)).toBe('WATCH rv=103');
  expect(told.slice(3)).toEqual(['add big@103']);
});

it('C47 a long line costs time by its length, and memory a small multiple of it', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const options = { apiVersion: 'v1', kind: 'Secret' };
  const copies = jest.spyOn(Buffer.prototype, 'set');
  const searches = jest.spyOn(Buffer.prototype, 'indexOf');
  const size = 16 * MB;
  const whole = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: secret(size) })}\n`);
  const decoder = jsonCodec.watch(options);
  collectGarbage();
  const before = process.memoryUsage();
  let events = 0;
  for (let at = 0; at < whole.length; at += 16_384) {
    events += decoder.push(whole.subarray(at, at + 16_384)).length;
  }
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  expect(events).toBe(1);
  expect(arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed).toBeLessThan(6 * size);
  // Were it by the square of the length, it would be hundreds of times as much.
  const total = (all: readonly unknown[]): number =>
    (all as readonly Buffer[]).reduce((sum, { length }) => sum + length, 0);
  const copied = total(copies.mock.calls.map(([bytes]: readonly unknown[]) => bytes));
  const searched = total(searches.mock.contexts);
  expect(copied).toBeLessThan(4 * size);
  expect(searched).toBeLessThan(4 * size);
  jest.restoreAllMocks();
});

const listOf = (body: object): Step => json('LIST', { apiVersion: 'v1', ...body });

it.each([
  ['null', { items: null }],
  ['missing', {}],
  ['empty', { items: [] }],
])('C50 a list whose items are %s is empty', async (_, items) => {
  const { told, server, informer, errors } = await play([
    listOf({ kind: 'PodList', metadata: { resourceVersion: '25' }, ...items }),
    watch(added(pod('a', 26))),
  ]);
  expect(told).toEqual(['synced', 'add a@26']);
  expect(server.asked[1]).toBe('WATCH rv=25');
  expect(heldIn(informer.store)).toEqual(['a@26']);
  expect(errors).toEqual([]);
});

it.each([
  ['a Status', failure(403, 'Forbidden')],
  ['a Status of success', { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }],
  ['one object', { kind: 'Pod', ...pod('a', 1) }],
  ['an empty object', {}],
  ['a string', 'PodList'],
  ['null', null],
  ['an array', [pod('a', 1)]],
])('C50 a body that is %s is an error and no empty list', async (_, body) => {
  const { told, errors, informer } = await play([json('LIST', body)]);
  expect(told).toEqual([]);
  expect(errors).toHaveLength(1);
  expect(informer.store.stale).toBe(true);
});

it.each(['IngressList', 'IngressSet', undefined])(
  'C51 items of a %s are of the kind that was asked for',
  async (kind) => {
    const spec = { rules: [] };
    const types = { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' };
    const { notifications, told, informer } = await play(
      [
        json('LIST', {
          kind,
          apiVersion: 'networking.k8s.io/v1',
          metadata: { resourceVersion: '100' },
          items: [{ ...pod('a', 90), spec }],
        }),
        watch(
          line({ type: 'MODIFIED', object: { ...types, ...pod('a', 90), spec } }),
          line({ type: 'MODIFIED', object: { ...types, ...pod('a', 101), spec: { rules: [1] } } }),
        ),
      ],
      types,
    );
    expect(told).toEqual(['add a@90 initial', 'synced', 'update a@90->a@101']);
    expect(notifications[0]?.object).toEqual({ ...types, ...pod('a', 90), spec });
    expect(notifications[1]).toMatchObject({ object: types, old: types });
    expect(informer.store.get('default/a')?.object).toMatchObject({ ...types, spec: { rules: [1] } });
  },
);

const MANY = Array.from({ length: 20_000 }, (_, i) => ({ ...pod(`p${i}`, i + 1), status: { phase: 'x' } }));

it.each([
  ['in one piece, whatever the limit says', [list(30_000, ...MANY)]],
  [
    'in forty pages',
    Array.from({ length: 40 }, (_, i) => {
      const items = MANY.slice(i * 500, (i + 1) * 500);
      return i < 39 ? page(30_000, `token ${i}`, ...items) : list(30_000, ...items);
    }),
  ],
])('C54 20000 objects come %s', async (_, pages) => {
  const { told, server, informer, notifications } = await play<KubernetesObject & { status?: object }>(
    [...pages, watch()],
    {
      transform: (object) => {
        delete object.status;
      },
    },
  );
  expect(told).toHaveLength(20_001);
  expect(told.at(-1)).toBe('synced');
  expect(informer.store.size).toBe(20_000);
  expect(notifications.every(({ object }) => object.status === undefined)).toBe(true);
  expect(server.asked.at(-1)).toBe('WATCH rv=30000');
});

it('C54 a page may be larger than its limit', async () => {
  const { told, server } = await play(
    [
      page(100, 'next', ...['a', 'b', 'c', 'd'].map((name) => pod(name, 90))),
      answer('LIST', ...list(100, pod('e', 90)).actions, bytes('')),
      watch(),
    ],
    { pageSize: 2 },
  );
  expect(told).toHaveLength(6);
  expect(server.asked).toEqual(['LIST rv=0 limit=2', 'LIST limit=2 continue=next', 'WATCH rv=100']);
});
