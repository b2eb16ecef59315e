import { gzipSync } from 'node:zlib';
import type { ObjectMeta } from '../../src/kubernetes/objects.ts';
import { failure, pod } from '../testkit/objects.ts';
import { heldIn, play } from '../testkit/play.ts';
import {
  type Action,
  added,
  after,
  body,
  cut,
  end,
  inPieces,
  json,
  list,
  page,
  raw,
  type Step,
  watch,
} from '../testkit/steps.ts';

const A = list(100, pod('a', 90));
const LIST = {
  kind: 'PodList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '100' },
  items: [pod('a', 90)],
};
const LISTED = JSON.stringify(LIST);
const INDENTED = JSON.stringify(LIST, null, 2);
const SIZED = `connection: close\r\ncontent-length: ${LISTED.length}\r\n\r\n${LISTED}`;
const CHUNKED = `transfer-encoding: chunked\r\ntrailer: x\r\nconnection: close\r\n\r\n${LISTED.length.toString(16)};a=b\r\n${LISTED}\r\n0\r\nx: y\r\n\r\n`;
const NULLS = {
  labels: null,
  annotations: null,
  ownerReferences: null,
  managedFields: null,
  generation: null,
};

describe('a list in an odd form is that list', () => {
  it.each<[string, Step]>([
    ['indented', body('LIST', INDENTED)],
    ['with line ends of Windows', body('LIST', INDENTED.replaceAll('\n', '\r\n'))],
    ['with a byte order mark', body('LIST', `\uFEFF${LISTED}`)],
    ['with blanks behind it', body('LIST', `${LISTED}\r\n\r\n  \n`)],
    ['byte by byte', inPieces(1, body('LIST', LISTED))],
    ['with an encoding that is empty', body('LIST', LISTED, 200, { 'content-encoding': '' })],
    ['with an encoding in capitals', body('LIST', gzipSync(LISTED), 200, { 'content-encoding': ' GZIP ' })],
    ['as plain text', body('LIST', LISTED, 200, { 'content-type': 'text/plain' })],
    ['with 203 of a proxy', body('LIST', LISTED, 203)],
    ['on a connection that is closed', body('LIST', LISTED, 200, { connection: 'close' })],
    ['with an offer of HTTP/2', body('LIST', LISTED, 200, { connection: 'Upgrade', upgrade: 'h2,h2c' })],
    [
      'in chunks with extensions and a trailer',
      raw('LIST', `HTTP/1.1 200 OK\r\n${CHUNKED}`, after(1), cut()),
    ],
    [
      'behind 102',
      raw('LIST', `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n${SIZED}`, after(1), cut()),
    ],
    ['without a reason phrase', raw('LIST', `HTTP/1.1 200\r\n${SIZED}`, after(1), cut())],
    [
      'with its items in front',
      body(
        'LIST',
        `{"items":${JSON.stringify(LIST.items)},"metadata":{"resourceVersion":"100"},"kind":"PodList"}`,
      ),
    ],
    [
      'with escaped names',
      body('LIST', LISTED.replace('"items"', '"\\u0069tems"').replace('"name"', '"n\\u0061me"')),
    ],
    [
      'with null for what there is not',
      json('LIST', {
        ...LIST,
        apiVersion: null,
        metadata: { resourceVersion: '100', continue: null, remainingItemCount: null },
        items: [pod('a', 90, NULLS as unknown as ObjectMeta)],
      }),
    ],
    [
      'that counts what remains in words',
      json('LIST', { ...LIST, metadata: { ...LIST.metadata, remainingItemCount: '-3' } }),
    ],
  ])('(%s)', async (_, step) => {
    const { clock, told, errors, problems, informer } = await play([step, watch(added(pod('b', 101)))]);
    await clock.advance(1_000);
    expect([told, errors, problems]).toEqual([['add a@90 initial', 'synced', 'add b@101'], [], []]);
    expect(informer.store.listByLabels('!x')).toHaveLength(2);
  });

  it('(with a token that is no word)', async () => {
    const token = 'a=b&c+d/%"é#?';
    const { server, told } = await play([page(100, token, pod('a', 90)), list(100, pod('b', 91)), watch()]);
    expect(server.requests[1]?.query['continue']).toBe(token);
    expect(told).toHaveLength(3);
  });
});

describe('a watch that is answered by something else', () => {
  it.each<[string, Step, string]>([
    [
      'another protocol',
      raw('WATCH', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'),
      'UNEXPECTED_ANSWER',
    ],
    ['HTTP/2', raw('WATCH', Buffer.from('00001204000000000000030000', 'hex')), 'UNEXPECTED_ANSWER'],
    ['an alert of TLS', raw('WATCH', Buffer.from('15030300020228', 'hex')), 'UNEXPECTED_ANSWER'],
    ['304', body('WATCH', '', 304), 'UNEXPECTED_ANSWER'],
    ['zeros', body('WATCH', Buffer.alloc(3_000)), 'CUT'],
    ['a compressed failure', gzipped(500, failure(500, 'InternalError')), '500 InternalError'],
    ['a failure of an unknown encoding', body('WATCH', 'xx', 503, { 'content-encoding': 'br' }), '503'],
    ['408 of a balancer', body('WATCH', '', 408, { connection: 'close' }), '408'],
    ['421', body('WATCH', '', 421), '421'],
    ['511 of a captive portal', body('WATCH', '<html>', 511), '511'],
    ['999', body('WATCH', '', 999), '999'],
  ])('(%s) is told at once, and waited for', async (_, step, error) => {
    const { clock, server, informer, errors } = await play([A, step, watch(added(pod('b', 101)))]);
    expect(errors).toEqual([error]);
    await clock.advance(800);
    expect(server.asked.slice(1)).toEqual(['WATCH rv=100', 'WATCH rv=100']);
    expect(heldIn(informer.store)).toEqual(['a@90', 'b@101']);
  });

  it.each([
    ['whole', gzipped(410, failure(410, 'Expired'))],
    [
      'cut',
      body('WATCH', gzipSync(JSON.stringify(failure(410))).subarray(0, 20), 410, {
        'content-encoding': 'gzip',
      }),
    ],
  ])('(a compressed 410, %s) is listed anew', async (_, step) => {
    const { server } = await play([A, step, A, watch()]);
    expect(server.asked.slice(2)).toEqual(['LIST rv=100 NotOlderThan limit=500', 'WATCH rv=100']);
  });

  it('(400 of a load balancer, again and again) does not end it: no API server said so', async () => {
    const refused = (type: 'LIST' | 'WATCH'): Step => body(type, '<html>400 Bad Request</html>', 400);
    const played = await play([
      A,
      ...(['WATCH', 'LIST', 'LIST', 'LIST'] as const).map(refused),
      list(100, pod('a', 90)),
      refused('WATCH'),
      list(100, pod('a', 90)),
      watch(added(pod('b', 101))),
    ]);
    await played.clock.advance(20_000);
    expect(played.end).toBeUndefined();
    expect(played.told).toEqual(['add a@90 initial', 'synced', 'add b@101']);
  });

  it('(408 on the idle connection) is not taken for the answer to the next one', async () => {
    const timeout = 'HTTP/1.1 408 Request Time-out\r\nConnection: close\r\ncontent-length: 0\r\n\r\n';
    const late: Action = { type: 'raw', bytes: Buffer.from(timeout) };
    const { clock, told, errors } = await play([
      A,
      watch(after(2_000), end(), after(1), late),
      watch(added(pod('b', 101))),
    ]);
    await clock.advance(5_000);
    expect([told.at(-1), errors]).toEqual(['add b@101', []]);
  });
});

it('a healthy watch during which the wall clock is set back ends without an error', async () => {
  const { clock, server, errors } = await play([A, watch(after(20_000), end()), watch()]);
  await clock.advance(10_000);
  const now = clock.now.bind(clock);
  Object.assign(clock, { now: () => now() - 3_600_000 });
  await clock.advance(11_000);
  expect([server.asked.length, errors]).toEqual([3, []]);
});

function gzipped(status: number, content: object): Step {
  return body('WATCH', gzipSync(JSON.stringify(content)), status, { 'content-encoding': 'gzip' });
}
