import { gzipSync } from 'node:zlib';
import { failure, pod } from '../testkit/objects.ts';
import { heldIn, play, watching } from '../testkit/play.ts';
import {
  added,
  after,
  body,
  bookmark,
  bytes,
  deleted,
  end,
  errorEvent,
  initialEnd,
  json,
  line,
  list,
  modified,
  page,
  raw,
  refuse,
  reset,
  type Step,
  stream,
  watch,
} from '../testkit/steps.ts';

const A = list(100, pod('a', 90));
const status = (content: object): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  ...content,
});
const expiredAsEvent = (object: unknown): Step => watch(after(5_000), line({ type: 'ERROR', object }), end());

describe('an expired version is recognised', () => {
  it.each([
    ['by its code alone', status({ code: 410 })],
    ['by its reason alone', status({ reason: 'Expired' })],
    ['by its words alone', status({ message: 'too old resource version: 100 (200)' })],
    ['by newer words', status({ message: 'The resourceVersion for the provided watch is too old.' })],
    [
      'by those of etcd',
      status({ code: 500, message: 'etcdserver: mvcc: required revision has been compacted' }),
    ],
    ['without a kind', { code: 410, message: 'too old resource version: 100 (200)' }],
    ['with a code that is text', status({ code: '410' })],
    [
      'with fields of null',
      { ...status({ code: 410 }), metadata: null, details: null, reason: null, message: null },
    ],
  ])('in an ERROR event %s', async (_, object) => {
    const { clock, server } = await play([A, expiredAsEvent(object), A, watch()]);
    await clock.advance(5_000);
    expect(server.asked.slice(2)).toEqual(['LIST rv=100 NotOlderThan limit=500', 'WATCH rv=100']);
  });

  it.each([
    ['as a bare line', watch(after(5_000), line(status({ code: 410, reason: 'Expired' })), end())],
    [
      'as a bare line without its end',
      watch(after(5_000), bytes(JSON.stringify(status({ code: 410 }))), end()),
    ],
    ['as an HTTP status without a body', body('WATCH', '', 410)],
    ['as an HTTP status with HTML', body('WATCH', '<html>gone</html>', 410)],
    ['as another HTTP status whose body says so', json('WATCH', failure(410, 'Expired'), 400)],
  ])('%s', async (_, step) => {
    const { clock, server } = await play([A, step, A, watch()]);
    await clock.advance(5_000);
    expect(server.asked.slice(2)).toEqual(['LIST rv=100 NotOlderThan limit=500', 'WATCH rv=100']);
  });
});

describe('an ERROR event that says nothing usable', () => {
  it.each([
    ['an empty object', {}],
    ['null', null],
    ['missing', undefined],
    ['text', 'oh no'],
    ['of another kind', { kind: 'Pod', metadata: { name: 'a' } }],
  ])('(%s) ends the watch as an error, and is waited for', async (_, object) => {
    const { clock, server, told, errors, statuses } = await play([
      A,
      watch(after(5_000), line({ type: 'ERROR', object })),
      watch(added(pod('b', 101))),
    ]);
    await clock.advance(5_000);
    expect(errors).toHaveLength(1);
    expect(statuses.find(({ type }) => type === 'error')).toMatchObject({
      error: { terminal: false },
      delay: 800,
    });
    await clock.advance(800);
    expect(server.asked.slice(1)).toEqual(['WATCH rv=100', 'WATCH rv=100']);
    expect(told.at(-1)).toBe('add b@101');
  });
});

describe('a watch that is answered by something else', () => {
  it.each([
    [
      'a page of HTML',
      body('WATCH', '<!doctype html>\n<html>\n<body>\nlog in\n</body>\n</html>\n', 200, {
        'content-type': 'text/html',
      }),
    ],
    [
      'the list',
      json('WATCH', {
        kind: 'PodList',
        apiVersion: 'v1',
        metadata: { resourceVersion: '1' },
        items: [pod('z', 1)],
      }),
    ],
    ['nothing', body('WATCH', '')],
    ['binary', body('WATCH', Buffer.from([0x6b, 0x38, 0x73, 0, 10, 1, 2, 255, 10]))],
    ['a redirect', body('WATCH', '', 302, { location: 'https://login.example/?secret=1' })],
    ['a body of an unknown encoding', body('WATCH', 'xx', 200, { 'content-encoding': 'br' })],
    ['no HTTP', raw('WATCH', 'hello\r\n\r\n')],
    ['headers that are too large', raw('WATCH', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}\r\n\r\n`)],
  ])('(%s) is waited for, and nothing is taken of it', async (_, step) => {
    const { clock, server, informer, told, errors } = await play([A, step, watch(added(pod('b', 101)))]);
    await clock.advance(790);
    expect(errors).toHaveLength(1);
    expect(server.asked).toHaveLength(2);
    await clock.advance(10);
    expect(server.asked.slice(1)).toEqual(['WATCH rv=100', 'WATCH rv=100']);
    expect(told).toEqual(['add a@90 initial', 'synced', 'add b@101']);
    expect(heldIn(informer.store)).toEqual(['a@90', 'b@101']);
  });
});

describe('a list that is not what it should be', () => {
  const SOME = [pod('a', 90), pod('b', 91)];
  const listBody = (more: object): object => ({
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '200' },
    items: SOME,
    ...more,
  });
  it.each([
    ['HTML', body('LIST', '<html></html>')],
    ['no version, though those before had one', json('LIST', listBody({ metadata: {}, items: [] }))],
    ['an empty version', json('LIST', listBody({ metadata: { resourceVersion: '' }, items: [] }))],
    ['no metadata', json('LIST', listBody({ metadata: undefined, items: [] }))],
    ['metadata of null', json('LIST', listBody({ metadata: null, items: null }))],
    ['a version that is a number', json('LIST', listBody({ metadata: { resourceVersion: 200 } }))],
    ['an item of null', json('LIST', listBody({ items: [pod('a', 90), null] }))],
    ['an item without metadata', json('LIST', listBody({ items: [pod('a', 90), {}] }))],
    ['an item without a name', json('LIST', listBody({ items: [pod('a', 90), { metadata: { uid: 'u' } }] }))],
    ['items that are an object', json('LIST', listBody({ items: {} }))],
    [
      'a Table',
      json('LIST', {
        kind: 'Table',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { resourceVersion: '200' },
        rows: [],
      }),
    ],
    ['a redirect', body('LIST', '', 301, { location: '/elsewhere' })],
    ['204', body('LIST', '', 204)],
    [
      'two lists',
      body('LIST', JSON.stringify(listBody({ items: [] })) + JSON.stringify(listBody({ items: [] }))),
    ],
  ])('(%s) deletes nothing, and is asked for again', async (_, step) => {
    const played = await play([
      list(100, ...SOME),
      watch(after(5_000), errorEvent(410, 'Expired'), end()),
      step,
      list(300, ...SOME),
      watch(),
    ]);
    const { clock, server, told, informer } = played;
    await clock.advance(6_000);
    expect(played.end).toBeUndefined();
    expect(played.errors).toHaveLength(2);
    expect(told).toEqual(['add a@90 initial', 'add b@91 initial', 'synced']);
    expect(heldIn(informer.store)).toEqual(['a@90', 'b@91']);
    expect(server.asked.at(-1)).toBe('WATCH rv=300');
  });

  it('(the same object twice) holds it once, as it came last', async () => {
    const { told } = await play([list(100, pod('a', 90), pod('a', 91)), watch()]);
    expect(told).toEqual(['add a@91 initial', 'synced']);
  });

  it.each([['the same token again', [page(100, 'more', pod('a', 90)), page(100, 'more', pod('a', 90))]]])(
    '(%s) does not go round in circles',
    async (_, pages) => {
      const { clock, server, told } = await play([
        ...pages,
        page(100, 'more', pod('a', 90)),
        page(100, 'more', pod('a', 90)),
        list(100, pod('a', 90), pod('b', 91)),
        watch(),
      ]);
      await clock.advance(10_000);
      expect(server.asked.at(-1)).toBe('WATCH rv=100');
      expect(server.asked.at(-2)).toBe('LIST rv=0');
      expect(told).toEqual(['add a@90 initial', 'add b@91 initial', 'synced']);
    },
  );
});

describe('events that are odd', () => {
  it('of an object that is not known are adds, of one that is they are updates', async () => {
    const { told } = await play([
      A,
      watch(
        modified(pod('b', 101)),
        added(pod('a', 102)),
        deleted(pod('c', 103)),
        added(pod('c', 104)),
        deleted(pod('c', 105)),
      ),
    ]);
    expect(told.slice(2)).toEqual(['add b@101', 'update a@90->a@102', 'add c@104', 'delete c@105']);
  });

  it.each([
    ['without an object', { type: 'ADDED' }],
    ['with an object of null', { type: 'ADDED', object: null }],
    ['with a type in lower case', { type: 'added', object: pod('z', 101) }],
    ['with a type of null', { type: null, object: pod('z', 101) }],
    ['with a type that is a number', { type: 3, object: pod('z', 101) }],
    ['with an object that is a list', { type: 'ADDED', object: [pod('z', 101)] }],
    ['with an object that is a Status', { type: 'MODIFIED', object: failure(500) }],
    ['without a name', { type: 'ADDED', object: { metadata: { uid: 'u' } } }],
    ['with a name of another type', { type: 'ADDED', object: { metadata: { name: 3 } } }],
    ['a bookmark without a version', { type: 'BOOKMARK', object: { kind: 'Pod', metadata: {} } }],
    ['a bookmark without an object', { type: 'BOOKMARK' }],
    ['a bookmark of null', { type: 'BOOKMARK', object: null }],
    ['a bookmark whose metadata is null', { type: 'BOOKMARK', object: { metadata: null } }],
  ])('(%s) are reported, and the others go on', async (_, event) => {
    const { told, problems, errors, informer } = await play([A, watch(line(event), added(pod('b', 102)))]);
    expect(problems).toEqual(['UNREADABLE']);
    expect(errors).toEqual([]);
    expect(told.slice(2)).toEqual(['add b@102']);
    expect(informer.live).toBe(true);
  });

  it('of no version, or an empty one, do not move the version', async () => {
    const without = { metadata: { name: 'b', namespace: 'default', uid: 'b' } };
    const { server, clock } = await play([
      A,
      watch(added(without), modified(pod('c', '')), after(2_000), end()),
      watch(),
    ]);
    await clock.advance(2_000);
    expect(server.asked.at(-1)).toBe('WATCH rv=100');
  });

  it('of an object that leaves the selection are deletes', async () => {
    const { told } = await play([A, watch(deleted(pod('a', 101)))], { labelSelector: 'app=x' });
    expect(told.at(-1)).toBe('delete a@101');
  });

  it('with line ends of Windows, blank lines and a byte order mark are events', async () => {
    const text = JSON.stringify({ type: 'ADDED', object: pod('b', 101) });
    const { told, problems } = await play([A, watch(bytes(`\uFEFF\r\n\r\n${text}\r\n \r\n`))]);
    expect(told.slice(2)).toEqual(['add b@101']);
    expect(problems).toEqual([]);
  });
});

describe('a compressed answer', () => {
  const headers = { 'content-encoding': 'gzip' };
  const listed = gzipSync(
    JSON.stringify({ kind: 'PodList', metadata: { resourceVersion: '100' }, items: [pod('a', 90)] }),
  );
  const event = (version: number): Buffer =>
    gzipSync(`${JSON.stringify({ type: 'MODIFIED', object: pod('a', version) })}\n`);

  it('is read, one member an event', async () => {
    const { clock, told, errors } = await play([
      body('LIST', listed, 200, headers),
      {
        expects: 'WATCH',
        actions: [
          { type: 'head', status: 200, headers },
          ...[101, 102, 103].flatMap((v) => [bytes(event(v)), after(1_000)]),
        ],
      },
    ]);
    expect(told).toEqual(['add a@90 initial', 'synced', 'update a@90->a@101']);
    await clock.advance(2_000);
    expect(told).toHaveLength(5);
    expect(errors).toEqual([]);
  });

  it.each([
    ['cut', listed.subarray(0, 60)],
    ['damaged', Buffer.concat([listed.subarray(0, 30), Buffer.from('rubbish rubbish'), listed.subarray(45)])],
    ['not compressed', Buffer.from('{"kind":"PodList"}')],
  ])('that is %s is a failed one', async (_, content) => {
    const { clock, told, errors } = await play([body('LIST', content, 200, headers), A, watch()]);
    expect(told).toEqual([]);
    expect(errors).toHaveLength(1);
    await clock.advance(800);
    expect(told).toEqual(['add a@90 initial', 'synced']);
  });
});

describe('a failure', () => {
  it.each([
    [
      'with Retry-After in an ERROR event',
      watch(errorEvent(429, 'TooManyRequests', { details: { retryAfterSeconds: 7 } }), end()),
      7_000,
    ],
    ['with Retry-After that is negative', body('WATCH', '', 503, { 'retry-after': '-3' }), 800],
    ['with Retry-After that is rubbish', body('WATCH', '', 503, { 'retry-after': 'soon' }), 800],
    ['with Retry-After and 500', body('WATCH', '', 500, { 'retry-after': '5' }), 5_000],
    ['502 of a proxy', body('WATCH', '<html>Bad Gateway</html>', 502), 800],
    ['407 of a proxy', body('WATCH', '', 407), 800],
    ['418', body('WATCH', '', 418), 800],
    ['599', body('WATCH', '', 599), 800],
  ])('%s is waited for', async (_, step, wait) => {
    const { clock, server } = await play([A, step, watch()]);
    await clock.advance(10_000);
    expect(server.requests.map(({ at }) => at)).toEqual([0, 0, wait]);
    expect(server.asked.at(-1)).toBe('WATCH rv=100');
  });

  it('of a watch that is only in the way: an interim answer, then the real one', async () => {
    const { told } = await play([
      A,
      raw('WATCH', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', {
        type: 'raw',
        bytes: Buffer.from(`${JSON.stringify({ type: 'ADDED', object: pod('b', 101) })}\n`),
      }),
    ]);
    expect(told.at(-1)).toBe('add b@101');
  });

  it('of the body of a failure that never ends is told all the same', async () => {
    const { clock, errors, server } = await play([
      A,
      { expects: 'WATCH', actions: [{ type: 'head', status: 503, headers: {} }, bytes('busy')] },
      watch(),
    ]);
    await clock.advance(11_000);
    expect(errors).toEqual(['503']);
    expect(server.asked.at(-1)).toBe('WATCH rv=100');
  });

  it('of a page behind the first begins the list anew', async () => {
    for (const failing of [refuse('LIST', 500), refuse('LIST', 403, 'Forbidden'), refuse('LIST', 502)]) {
      const { clock, server, told } = await play([page(100, 'more', pod('a', 90)), failing, A, watch()]);
      await clock.advance(30_000);
      expect(server.asked).toEqual([
        'LIST rv=0 limit=500',
        'LIST limit=500 continue=more',
        'LIST rv=0 limit=500',
        'WATCH rv=100',
      ]);
      expect(told).toEqual(['add a@90 initial', 'synced']);
    }
  });

  it('of credentials at a page behind the first goes on with that page', async () => {
    const { server, told } = await play([
      page(100, 'more', pod('a', 90)),
      refuse('LIST', 401),
      list(100, pod('b', 91)),
      watch(),
    ]);
    expect(server.asked.slice(1, 3)).toEqual([
      'LIST limit=500 continue=more',
      'LIST limit=500 continue=more',
    ]);
    expect(told).toEqual(['add a@90 initial', 'add b@91 initial', 'synced']);
  });
});

describe('a streaming list', () => {
  it.each([
    ['ERROR 410', [errorEvent(410, 'Expired'), end()]],
    ['ERROR 500', [errorEvent(500, 'InternalError'), end()]],
    ['a reset', [after(10), reset()]],
    ['a line that cannot be read', [line('{{{'), initialEnd(100)]],
    ['the end', [end()]],
  ])('that comes to %s before its mark leaves nothing behind', async (_, actions) => {
    const { clock, server, told } = await play(
      [
        stream(added(pod('z', 50)), ...actions),
        ...(actions.some(({ type }) => type === 'body') && _ === 'ERROR 410'
          ? [stream(added(pod('a', 90)), initialEnd(100))]
          : [A, watch()]),
      ],
      { streaming: true },
    );
    await clock.advance(2_000);
    expect(told).toEqual(['add a@90 initial', 'synced']);
    expect(server.faults).toEqual([]);
  });

  it('counts changes and deletes before its mark', async () => {
    const { told } = await play(
      [
        stream(
          added(pod('a', 90)),
          added(pod('b', 91)),
          modified(pod('a', 92)),
          deleted(pod('b', 93)),
          initialEnd(100),
          added(pod('c', 101)),
        ),
      ],
      { streaming: true },
    );
    expect(told).toEqual(['add a@92 initial', 'synced', 'add c@101']);
  });

  it('whose mark has no version is no list', async () => {
    const mark = line({
      type: 'BOOKMARK',
      object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    const { clock, told, server } = await play([stream(added(pod('z', 50)), mark), A, watch()], {
      streaming: true,
    });
    await clock.advance(12_000);
    expect(told).toEqual(['add a@90 initial', 'synced']);
    expect(server.faults).toEqual([]);
  });
});

describe('stops and starts', () => {
  it('start twice is once, and stop at once after start asks for nothing', async () => {
    const { informer, server, clock } = await play([A, watch()], { subscribed: false });
    informer.start();
    informer.stop();
    await clock.settle();
    expect(server.asked).toEqual([]);
    informer.start();
    informer.start();
    await clock.settle();
    expect(server.asked).toEqual(['LIST rv=0 limit=500', 'WATCH rv=100']);
  });

  it.each(['list', 'page', 'listed', 'applied', 'synced', 'watch', 'live', 'end', 'error', 'wait'] as const)(
    'a stop in the report %s ends it there',
    async (where) => {
      const { informer, server, clock } = await play([], { subscribed: false });
      server.expect(A, watch(after(2_000), end()), watch(after(2_000), reset()));
      informer.status$.subscribe(({ type }) => {
        if (type === where) informer.stop();
      });
      informer.start();
      await clock.advance(10_000);
      expect([informer.phase.type, clock.pending, server.sockets.size]).toEqual(['stopped', 0, 0]);
      // What the script still expects was never asked for.
      server.skip();
    },
  );

  it('a stop and start within a handler is a new run, and only one', async () => {
    const { informer, server, clock, told } = await play([
      A,
      watch(after(1_000), modified(pod('a', 101)), modified(pod('a', 102))),
    ]);
    server.expect(list(200, pod('a', 102)), watch());
    informer.notifications$.subscribe(({ type }) => {
      if (type !== 'update') return;
      informer.stop();
      informer.start();
    });
    await clock.advance(2_000);
    expect(server.asked.slice(2)).toEqual(['LIST rv=101 NotOlderThan limit=500', 'WATCH rv=200']);
    expect(server.sockets.size).toBe(1);
    expect(told.slice(0, 3)).toEqual(['add a@90 initial', 'synced', 'update a@90->a@101']);
    expect(heldIn(informer.store)).toEqual(['a@102']);
  });

  it('a start in the report of a terminal error is a new run', async () => {
    const { informer, server, clock } = await play([A, refuse('WATCH', 405), A, watch()], {
      subscribed: false,
    });
    let again = true;
    informer.notifications$.subscribe({
      error() {
        if (again) informer.start();
        again = false;
      },
    });
    await clock.settle();
    expect(server.asked).toHaveLength(4);
    expect(informer.live).toBe(true);
  });

  it('a subscriber that comes in the middle of another one leaving keeps it running', async () => {
    const { informer, server, clock } = await play([A, watch(after(1_000), modified(pod('a', 101)))], {
      subscribed: false,
    });
    const first = informer.notifications$.subscribe(({ type }) => {
      if (type !== 'update') return;
      watching(informer);
      first.unsubscribe();
    });
    await clock.advance(2_000);
    expect(server.asked).toHaveLength(2);
    expect(informer.live).toBe(true);
  });
});

it('a bookmark that is the only thing a watch brings moves the version across a reset', async () => {
  const { clock, server } = await play([A, watch(after(2_000), bookmark(150), after(1), reset()), watch()]);
  await clock.advance(5_000);
  expect(server.asked.at(-1)).toBe('WATCH rv=150');
});
