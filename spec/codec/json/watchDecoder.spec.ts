import * as fc from 'fast-check';
import type { CodecOptions, Entry, WatchEvent } from '../../../src/codec/codec.ts';
import { isJson } from '../../../src/codec/json/parse.ts';
import { JsonWatchDecoder } from '../../../src/codec/json/watchDecoder.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import {
  feed,
  kubernetesObject,
  objectOf,
  pieceSizes,
  STRUCTURE,
  styleOfOneLine,
  write,
} from './arbitraries.ts';

const KIND = { kind: 'Thing', apiVersion: 'example.com/v1' };
type Options = Partial<CodecOptions<KubernetesObject>>;

function decode(
  body: string,
  sizes: readonly number[] = [11],
  { maxItemBytes = Infinity, ...options }: Options = {},
) {
  const decoder = new JsonWatchDecoder<KubernetesObject>({ ...KIND, ...options }, maxItemBytes);
  const events: WatchEvent<KubernetesObject>[] = [];
  feed(Buffer.from(body), sizes, (piece) => events.push(...decoder.push(piece)));
  return { events, decoder };
}

/** What there is to see of an event once all of it was read. */
function seen(event: WatchEvent<KubernetesObject> | undefined): unknown {
  if (event?.type === 'UNREADABLE') {
    const { code, key } = event.error;
    return {
      type: event.type,
      code,
      key,
      position: 'position' in event.error ? event.error.position : undefined,
    };
  }
  if (event === undefined || !('entry' in event)) return event;
  return { type: event.type, object: event.entry.object, error: event.entry.error };
}

const only = (line: string, options?: Options) => seen(decode(`${line}\n`, [11], options).events[0]);

describe('JsonWatchDecoder', () => {
  it('gives the events of any body in any pieces', () => {
    const event = objectOf({
      type: fc.constantFrom('ADDED', 'MODIFIED', 'DELETED'),
      object: kubernetesObject,
    });
    const lineEnd = fc.constantFrom('\n', '\r\n', '\n\n', ' \n \n');
    const lines = fc.array(fc.tuple(event, styleOfOneLine, lineEnd), { maxLength: 4 });
    fc.assert(
      fc.property(lines, pieceSizes, fc.boolean(), (lines, sizes, marked) => {
        const written = lines.map(([event, style]) => write(event, style));
        const body = lines.map(([, , end], i) => `${written[i] ?? ''}${end}`).join('');
        const { events, decoder } = decode(`${marked ? '\ufeff' : ''}${body}`, sizes);

        const expected = written.map(
          (line) => JSON.parse(line) as { type: string; object: KubernetesObject },
        );
        expect(events.map(seen)).toEqual(
          expected.map(({ type, object }) => ({ type, object: { ...KIND, ...object }, error: undefined })),
        );
        expect(decoder.cut).toBe(false);
      }),
    );
  });

  it('keeps characters whole that are cut', () => {
    const object = { metadata: { name: 'b', annotations: { text: 'café-日本-😀' } } };
    const { events } = decode(`${JSON.stringify({ type: 'ADDED', object })}\n`, [1]);
    expect(events.map(seen)).toEqual([{ type: 'ADDED', object: { ...KIND, ...object }, error: undefined }]);
  });

  it('finds the metadata behind blanks, whatever is in front of it', () => {
    const metadata = '"metadata": {"name": "a"}';
    for (const object of [metadata, `"apiVersion":"example.com/v1","kind":"Thing",${metadata}`]) {
      expect(decode(`{"type":"ADDED","object":{${object}}}\n`, [11]).events).toMatchObject([
        { type: 'ADDED', entry: { key: 'a' } },
      ]);
    }
  });

  it('takes a line of megabytes', () => {
    const big = { metadata: { name: 'big' }, data: 'x'.repeat(2 << 20) };
    const line = JSON.stringify({ type: 'ADDED', object: big });
    const { events } = decode(`${line}\n{"type":"MODIFIED","object":{"metadata":{"name":"a"}}}\n`, [
      64 << 10,
    ]);
    expect(events.map(seen)).toMatchObject([{ object: big }, { object: { metadata: { name: 'a' } } }]);
  });

  describe('bookmarks', () => {
    const bookmark = (metadata: unknown) =>
      JSON.stringify({ type: 'BOOKMARK', object: { kind: 'Pod', metadata } });

    it.each([
      [undefined, false],
      [{ 'k8s.io/initial-events-end': 'true' }, true],
      [{ 'k8s.io/initial-events-end': 'false' }, false],
      [{ 'k8s.io/initial-events-end': 'True' }, false],
      [{ 'k8s.io/initial-events-end': true }, false],
    ])('with the annotations %j', (annotations, initialEventsEnd) => {
      const expected = { type: 'BOOKMARK', version: '12', initialEventsEnd };
      expect(only(bookmark({ resourceVersion: '12', annotations }))).toEqual(expected);
    });

    it.each([{}, null, { resourceVersion: '' }, { resourceVersion: 12 }])(
      'without a version: %j',
      (metadata) => {
        expect(only(bookmark(metadata))).toMatchObject({ type: 'UNREADABLE', code: 'UNREADABLE' });
      },
    );
  });

  describe('failures', () => {
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 };

    it('come as ERROR events or as a bare Status', () => {
      expect(only(JSON.stringify({ type: 'ERROR', object: status }))).toEqual({ type: 'ERROR', status });
      expect(only(JSON.stringify(status))).toEqual({ type: 'ERROR', status });
    });

    it.each([
      ['{"type":"ERROR","object":{"code":410}}', { kind: 'Status', code: 410 }],
      ['{"type":"ERROR","object":{"kind":"Pod"}}', { kind: 'Status' }],
      ['{"type":"ERROR","object":"oh no"}', { kind: 'Status' }],
      ['{"type":"ERROR","object":null}', { kind: 'Status' }],
      ['{"type":"ERROR"}', { kind: 'Status' }],
    ])('come as ERROR events without a proper Status: %s', (line, expected) => {
      expect(only(line)).toEqual({ type: 'ERROR', status: expected });
    });

    it('are unreadable if they are no JSON', () => {
      const line = '{"type":"ERROR","object":x}';
      expect(only(line)).toMatchObject({ type: 'UNREADABLE', code: 'UNREADABLE' });
    });
  });

  describe('reports what it cannot read and goes on', () => {
    const good = '{"type":"ADDED","object":{"metadata":{"name":"good"}}}';

    it.each([
      ['no json', /the line is not a whole JSON object/],
      ['{"type":"ADDED","object":{"metadata":{"name":"a"', /the line is not a whole JSON object/],
      ['{"type":"BOOKMARK","object":x}', /it is not JSON/],
      ['{"type":"BOOKMARK"}', /a bookmark without a resourceVersion/],
      ['{"type":"BOOKMARK","object":{}}', /a bookmark without a resourceVersion/],
      ['{"type":"OTHER","object":{}}', /an event of the unknown type OTHER/],
      ['{"kind":"Pod"}', /neither an event nor a Status/],
      [`${good}{"type":"ADDED"}`, /something follows the event in its line/],
    ])('and says why: %s', (line, message) => {
      const [event] = decode(`${line}\n`).events;
      expect(event).toMatchObject({
        type: 'UNREADABLE',
        error: { code: 'UNREADABLE', message: expect.stringMatching(message) as string },
      });
    });

    it.each([
      ['no json', undefined],
      ['null', undefined],
      ['[]', undefined],
      ['{}', undefined],
      ['{"type":"ADDED"}', undefined],
      ['{"type":"ADDED","object":null}', undefined],
      ['{"type":"ADDED","object":[{"metadata":{"name":"a"}}]}', undefined],
      ['{"type":"ADDED","object":{"metadata":{"labels":{"name":"a"}}}}', undefined],
      ['{"type":"ADDED","object":{"metadata":{"name":"a/b"}}}', undefined],
      ['{"type":"ADDED","object":{"metadata":{"name":"a"', undefined],
      ['{"type":"ADDED","object":{"metadata":{"name":"a"},"spec":', 'a'],
      ['{"type":"UNHEARD","object":{"metadata":{"name":"a"}}}', 'a'],
      ['{"type":5,"object":{"metadata":{"name":"a"}}}', 'a'],
      ['{"object":{"metadata":{"name":"a"}}}', 'a'],
      ['{"kind":"Pod","metadata":{"name":"a"}}', undefined],
      ['{"type":"ADDED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[]}}', undefined],
    ])('%s', (line, key) => {
      const { events } = decode(`${good}\n${line}\n${good}\n`);
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'UNREADABLE', 'ADDED']);
      expect(seen(events[1])).toEqual({
        type: 'UNREADABLE',
        code: 'UNREADABLE',
        key,
        position: good.length + 1,
      });
    });

    it('names the unknown type', () => {
      const [event] = decode('{"type":"UNHEARD","object":{}}\n').events;
      expect(event).toMatchObject({ error: { message: expect.stringContaining('UNHEARD') as string } });
    });

    it.each([[[1]], [[7]], [[1000]]])('a line over the limit, in pieces of %j', (sizes) => {
      const object = { metadata: { name: 'big' }, data: 'x'.repeat(200) };
      const long = JSON.stringify({ type: 'ADDED', object });
      const { events } = decode(`${good}\n${long}\n${good}\n`, sizes, { maxItemBytes: 100 });
      expect(events.map(seen)).toMatchObject([
        { type: 'ADDED' },
        { type: 'UNREADABLE', code: 'ITEM_TOO_LARGE', key: 'big', position: good.length + 1 },
        { type: 'ADDED' },
      ]);
    });

    it('what the functions of the user make fail', () => {
      const failing = () => {
        throw new Error('mine');
      };
      expect(only(good, { transform: failing })).toMatchObject({ type: 'UNREADABLE', code: 'USER_FUNCTION' });
      expect(only(good, { key: failing })).toMatchObject({ type: 'UNREADABLE', code: 'USER_FUNCTION' });
    });
  });

  it('gives every event, whatever is damaged: read at once, or when its object is', () => {
    const line = fc.tuple(kubernetesObject, styleOfOneLine, fc.nat(), fc.constantFrom(...STRUCTURE));
    fc.assert(
      fc.property(line, ([object, style, place, char]) => {
        const text = `{"type":"ADDED","object":${write(object, style)}}`;
        const at = place % text.length;
        const damaged = text.slice(0, at) + char + text.slice(at + 1);
        const { events } = decode(`${damaged}\n`);
        expect(events).toHaveLength(1);

        const [event] = events;
        if (event === undefined || !('entry' in event)) return;
        readAll(event.entry);
        expect(event.entry.error === undefined).toBe(isJson(damaged));
      }),
      { numRuns: 500 },
    );
  });

  it('runs the transform on deleted objects, too', () => {
    const event = only('{"type":"DELETED","object":{"metadata":{"name":"a"},"spec":1}}', {
      transform: ({ metadata = {} }) => ({ metadata }),
    });
    expect(event).toEqual({ type: 'DELETED', object: { metadata: { name: 'a' } }, error: undefined });
  });

  describe('the end of the body', () => {
    const line = '{"type":"ADDED","object":{"metadata":{"name":"a"}}}';

    it.each([
      ['', false, 0],
      [`${line}\n`, false, 0],
      [`${line}\n \r`, false, 0],
      [line, false, 1],
      [`${line} `, false, 1],
      [line.slice(0, -1), true, 0],
      [`${line}\n{`, true, 0],
    ])('%j', (body, cut, last) => {
      const { decoder } = decode(body);
      expect(decoder.cut).toBe(cut);
      expect(decoder.end()).toHaveLength(last);
      expect(decoder.cut).toBe(cut);
      expect(decoder.end()).toHaveLength(0);
    });

    it('is a cut in the middle of a line that was too long', () => {
      expect(decode(line, [11], { maxItemBytes: 20 }).decoder.cut).toBe(true);
    });
  });
});

function readAll(entry: Entry<KubernetesObject>): void {
  JSON.stringify([entry.object, entry.meta]);
}

describe('several events in one line', () => {
  const event = (name: string, more: object = {}): string =>
    JSON.stringify({
      type: 'ADDED',
      object: { ...KIND, metadata: { name, resourceVersion: '1' }, ...more },
    });
  const BOOKMARK = JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '7' } } });
  const STATUS = JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Expired',
    code: 410,
  });

  const read = (line: string): string[] =>
    decode(`${line}\n`).events.map((one) => ('entry' in one ? one.entry.name : one.type));

  it.each(['', ' ', '\r', '\t \t'])('are all taken, with %j between them', (between) => {
    expect(read([event('a'), event('b'), BOOKMARK, STATUS].join(between))).toEqual([
      'a',
      'b',
      'BOOKMARK',
      'ERROR',
    ]);
    expect(read([BOOKMARK, event('a')].join(between))).toEqual(['BOOKMARK', 'a']);
    expect(read([event('a'), STATUS].join(between))).toEqual(['a', 'ERROR']);
  });

  it('say where they begin', () => {
    const damaged = event('b').replace('"b"', 'null');
    const [one, ...more] = decode(`${event('a')}${damaged}\n`).events;
    expect(more).toEqual([]);
    expect(seen(one)).toMatchObject({ type: 'UNREADABLE', position: 0, key: 'a' });
    const { cause } = (one as { error: Error }).error;
    expect(cause).toMatchObject({ position: event('a').length });
  });

  it.each(['garbage}', '{"type":"ADDED","obj}', '{"type":"ADDED","object":{}}'])(
    'of which the last is %s: nothing of the line counts, and that is said once',
    (garbage) => {
      expect(read(`${event('a')}${garbage}`)).toEqual(['UNREADABLE']);
    },
  );

  it.each(['}', '{}}', '{"metadata":{"name":"c"}}'])(
    'of which the last is %s, which is none: that is found when the object is read',
    (garbage) => {
      expect(only(`${event('a')}${garbage}`)).toMatchObject({
        object: undefined,
        error: { code: 'UNREADABLE' },
      });
    },
  );

  it('are not seen where an object only holds what looks like some', () => {
    const spec = { text: `"}{"${event('x')}`, object: { object: 1 }, type: 'ADDED', list: [{ object: {} }] };
    expect(read(event('a', { spec }))).toEqual(['a']);
    expect(only(event('a', { spec }))).toMatchObject({ object: { spec } });
  });
});

describe('an object of another type than was asked for', () => {
  const event = (object: object): string => JSON.stringify({ type: 'MODIFIED', object });
  const metadata = { name: 'a', namespace: 'n', resourceVersion: '1' };

  it.each([
    ['another kind', { kind: 'Service', apiVersion: 'example.com/v1', metadata }, 'example.com/v1 Service'],
    ['another version', { apiVersion: 'example.com/v2', kind: 'Thing', metadata }, 'example.com/v2 Thing'],
    ['a longer kind', { kind: 'Things', metadata }, 'example.com/v1 Things'],
    ['a shorter one', { kind: 'Thin', metadata }, 'example.com/v1 Thin'],
  ])('is not taken: %s', (_, object, what) => {
    const [one] = decode(`${event(object)}\n`).events;
    expect(one).toMatchObject({ type: 'UNREADABLE', error: { code: 'UNREADABLE', key: 'n/a' } });
    expect(one).toMatchObject({ error: { message: expect.stringContaining(what) as string } });
  });

  it.each([
    ['says nothing', { metadata }],
    ['says it with nothing in it', { kind: '', apiVersion: null, metadata }],
    ['is of the type', { ...KIND, metadata }],
    ['has a kind inside', { spec: { kind: 'Service' }, ...KIND, metadata }],
  ])('is not one that %s', (_, object) => {
    expect(decode(`${event(object)}\n`).events).toMatchObject([{ type: 'MODIFIED', entry: { key: 'n/a' } }]);
  });

  it('is not one that writes its type with escapes', () => {
    const line =
      '{"type":"ADDED","object":{"k\\u0069nd":"Th\\u0069ng","metadata":{"name":"a","namespace":"n"}}}';
    expect(decode(`${line}\n`).events).toMatchObject([{ type: 'ADDED' }]);
  });
});
