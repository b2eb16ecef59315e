import * as fc from 'fast-check';
import type { CodecOptions, Entry, ListEnd } from '../../../src/codec/codec.ts';
import { JsonListDecoder } from '../../../src/codec/json/listDecoder.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { failure } from '../failure.ts';
import { feed, list, pieceSizes, style, write } from './arbitraries.ts';

const KIND = { kind: 'Thing', apiVersion: 'example.com/v1' };
type Options = Partial<CodecOptions<KubernetesObject>>;

function decode(
  body: string,
  sizes: readonly number[] = [11],
  { maxItemBytes = Infinity, ...options }: Options = {},
) {
  const decoder = new JsonListDecoder<KubernetesObject>({ ...KIND, ...options }, maxItemBytes);
  const entries: Entry<KubernetesObject>[] = [];
  feed(Buffer.from(body), sizes, (piece) => entries.push(...decoder.push(piece)));
  return { entries, end: decoder.end() };
}

const end = (body: unknown): ListEnd => decode(JSON.stringify(body)).end;
const listEnd = { type: 'LIST', version: undefined, next: undefined, remaining: undefined };

describe('JsonListDecoder', () => {
  it('gives the items and the metadata of any list in any pieces', () => {
    fc.assert(
      fc.property(list, style, pieceSizes, (list, style, sizes) => {
        const body = write(list, style);
        const { entries, end } = decode(body, sizes);

        const { items, metadata } = JSON.parse(body) as {
          items: KubernetesObject[];
          metadata?: { resourceVersion?: string; continue?: string };
        };
        expect(entries.map(({ object }) => object)).toEqual(items.map((item) => ({ ...KIND, ...item })));
        expect(end).toEqual({
          ...listEnd,
          version: metadata?.resourceVersion || undefined,
          next: metadata?.continue || undefined,
        });
      }),
    );
  });

  it('gives the items of each piece at once', () => {
    const decoder = new JsonListDecoder<KubernetesObject>(KIND, Infinity);
    expect(decoder.push(Buffer.from('{"items":[{"metadata":{"name":"a"}},{"meta'))).toHaveLength(1);
    expect(decoder.push(Buffer.from('data":{"name":"b"}},{"metadata":{"name":"c"}}'))).toHaveLength(2);
    expect(decoder.push(Buffer.from(']}'))).toHaveLength(0);
    expect(decoder.end()).toEqual(listEnd);
  });

  it('takes items of megabytes', () => {
    const item = { metadata: { name: 'big' }, data: 'x'.repeat(2 << 20) };
    const { entries } = decode(JSON.stringify({ items: [item, item] }), [64 << 10]);
    expect(entries.map(({ object }) => object)).toMatchObject([item, item]);
  });

  it.each([
    [{ kind: 'PodList', items: [] }, {}],
    [{ kind: 'PodList', items: null }, {}],
    [{ kind: 'PodList' }, {}],
    [{ kind: 'Things', items: [] }, {}],
    [{ kind: 'PodList', metadata: null }, {}],
    [{ kind: 'PodList', metadata: { resourceVersion: '', continue: '' } }, {}],
    [{ kind: 'PodList', metadata: { resourceVersion: '7' } }, { version: '7' }],
    [
      {
        kind: 'PodList',
        metadata: { resourceVersion: '7', continue: 'abc', remainingItemCount: 3 },
        items: [],
      },
      { version: '7', next: 'abc', remaining: 3 },
    ],
  ])('%j is a list', (body, expected) => {
    expect(end(body)).toEqual({ ...listEnd, ...expected });
  });

  it('gives a Status in place of a list', () => {
    const status = { kind: 'Status', apiVersion: 'v1', code: 410, reason: 'Expired' };
    expect(end(status)).toEqual({ type: 'STATUS', status });
  });

  it.each([
    '{}',
    '{"kind":"Pod"}',
    '{"items":null}',
    '{"kind":"PodList","items":{}}',
    '{"kind":"PodList","items":"none"}',
    '{"kind":"PodList","items":[],"metadata":{"continue":5}}',
    '{"kind":"PodList","items":[],"metadata":{"resourceVersion":5}}',
    '{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[]}',
    '{"kind":"Table","apiVersion":"meta.k8s.io/v1","items":[]}',
    '{"kind":"PodList","items":[{"metadata":{}}]}',
    '{"kind":"PodList","items":[{"metadata":{"name":"a"}},{"spec":1}]}',
    '{"kind":"PodList","items":[{"metadata":{"name":"a"}}',
    '[]',
    '<html>',
    '',
  ])('%s is none', (body) => {
    expect(() => decode(body)).toThrow(failure({ code: 'UNREADABLE' }));
  });

  it.each([
    ['{"kind":"Table","apiVersion":"meta.k8s.io/v1","items":[]}', /a Table, not a list of objects/],
    ['{"kind":"Pod"}', /not a list/],
    ['{"kind":"PodList","items":[],"metadata":{"continue":5}}', /has a continue that is no string/],
    ['{"kind":"PodList","metadata":{"resourceVersion":5}}', /has a resourceVersion that is no string/],
  ])('says why %s is none', (body, message) => {
    expect(() => decode(body)).toThrow(failure({ code: 'UNREADABLE', message }));
  });

  it('takes no text for the number of items that remain', () => {
    expect(end({ kind: 'PodList', metadata: { remainingItemCount: '3' } })).toEqual(listEnd);
  });

  it('takes a list for one even if it is called Status', () => {
    const { entries, end } = decode('{"kind":"Status","items":[{"metadata":{"name":"a"}}]}');
    expect(entries).toHaveLength(1);
    expect(end).toEqual(listEnd);
  });

  it('is void as a whole once it failed', () => {
    const decoder = new JsonListDecoder<KubernetesObject>(KIND, Infinity);
    const refused = failure({ code: 'UNREADABLE', position: 36 });
    expect(() => decoder.push(Buffer.from('{"items":[{"metadata":{"name":"a"}},{}'))).toThrow(refused);
    expect(() => decoder.push(Buffer.from(']}'))).toThrow(refused);
    expect(() => decoder.end()).toThrow(refused);
  });

  it('refuses an item over the limit, with its key', () => {
    const item = { metadata: { name: 'big' }, data: 'x'.repeat(200) };
    expect(() => decode(JSON.stringify({ items: [item] }), [11], { maxItemBytes: 100 })).toThrow(
      failure({ code: 'ITEM_TOO_LARGE', key: 'big', position: 10, limit: 100 }),
    );
  });

  it.each(['transform', 'key'])('throws when the %s fails', (name) => {
    const failing = () => {
      throw new Error('mine');
    };
    expect(() => decode('{"items":[{"metadata":{"name":"a"}}]}', [11], { [name]: failing })).toThrow(
      failure({ code: 'USER_FUNCTION', where: name, key: 'a' }),
    );
  });
});

describe('a list of another type than was asked for', () => {
  const POD = { kind: 'Pod', apiVersion: 'v1' };

  it.each<[object, object]>([
    [{ kind: 'ServiceList', apiVersion: 'v1', items: [] }, POD],
    [{ kind: 'ServiceList', items: [] }, POD],
    [{ kind: 'PodList', apiVersion: 'v2', items: [] }, POD],
    [{ kind: 'ThingList', apiVersion: 'example.com/v2', items: [] }, KIND],
    [{ kind: 'PodList', items: [{ kind: 'Service', metadata: { name: 'a' } }] }, POD],
    [{ items: [{ apiVersion: 'v2', metadata: { name: 'a' } }] }, POD],
  ])('is no list: %j', (body, type) => {
    expect(() => decode(JSON.stringify(body), [11], type)).toThrow(failure({ code: 'UNREADABLE' }));
  });

  it('says what it is, and what was asked for', () => {
    const services = '{"kind":"ServiceList","apiVersion":"v1","items":[]}';
    expect(() => decode(services, [11], POD)).toThrow(/a v1 ServiceList, where v1 Pod was asked for/);
  });

  it.each<[object, object]>([
    [{ kind: 'PodList', apiVersion: 'v1', items: [] }, POD],
    [{ kind: 'PodList', apiVersion: '', items: [] }, POD],
    // What several types are put into.
    [{ kind: 'List', apiVersion: 'v1', items: [{ kind: 'Pod', metadata: { name: 'a' } }] }, POD],
    [{ kind: 'List', apiVersion: 'v2', items: [] }, POD],
    [{ kind: 'Pods', apiVersion: 'v2', items: [] }, POD],
    // A custom resource may name its list as it likes.
    [{ kind: 'ManyThingsList', apiVersion: 'example.com/v1', items: [] }, KIND],
    [{ kind: 'List', apiVersion: 'v1', items: [] }, KIND],
  ])('is not %j', (body, type) => {
    expect(decode(JSON.stringify(body), [11], type).end).toEqual(listEnd);
  });
});
