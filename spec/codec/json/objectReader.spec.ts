import type { CodecOptions, Entry } from '../../../src/codec/codec.ts';
import { ObjectReader } from '../../../src/codec/json/objectReader.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { failure } from '../failure.ts';

interface Thing extends KubernetesObject {
  spec?: { [name: string]: unknown };
}

const TYPE = { kind: 'Thing', apiVersion: 'example.com/v1' };

function read(text: string, options: Partial<CodecOptions<Thing>> = {}) {
  const reader = new ObjectReader<Thing>({ ...TYPE, ...options });
  return reader.read({ bytes: Buffer.from(text), inEvent: false }, 0, 7);
}

describe('ObjectReader', () => {
  it('makes an entry that is not decoded yet', () => {
    const entry = read('{"metadata":{"name":"a","namespace":"b"},"spec":x}');
    expect(entry).toMatchObject({ key: 'b/a', error: undefined });
  });

  it.each([
    [
      '{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"1"},"rows":[]}',
      /is a Table/,
    ],
    ['{"metadata":{}}', /no usable metadata\.name/],
    ['{"metadata":{"name":"a/b"}}', /no usable metadata\.name/],
    ['null', /no usable metadata\.name/],
    ['{"metadata"}', /not JSON/],
  ])('refuses %s', (text, message) => {
    expect(() => read(text)).toThrow(failure({ code: 'UNREADABLE', position: 7, message }));
  });

  it('tells the key that the beginning of an object tells', () => {
    const reader = new ObjectReader<Thing>(TYPE);
    expect(reader.keyIn(Buffer.from('{"metadata":{"name":"a"},"spec":'), 0)).toBe('a');
    expect(reader.keyIn(Buffer.from('{"metadata":{"name":"a"'), 0)).toBeUndefined();
  });

  describe('with a transform', () => {
    const object =
      '{"metadata":{"name":"a","uid":"u","resourceVersion":"4","managedFields":[{"manager":"m"}]},"spec":{"a":1,"b":[2]}}';

    it('reads the completed object, and the result has the say about all but uid and version', () => {
      const seen: unknown[] = [];
      const entry = read(object, {
        transform: (draft) => {
          seen.push(draft.kind, draft.apiVersion);
          draft.metadata = { name: 'changed', resourceVersion: '5' };
          delete draft.spec?.['a'];
        },
      });
      expect(seen).toEqual(['Thing', 'example.com/v1']);
      expect(entry).toMatchObject({
        key: 'changed',
        name: 'changed',
        uid: 'u',
        resourceVersion: '4',
        error: undefined,
      });
      expect(entry.object).toEqual({ ...TYPE, metadata: entry.meta, spec: { b: [2] } });
      expect(Object.isFrozen(entry.object.spec?.['b'])).toBe(true);
      expect(Object.isFrozen(entry.meta)).toBe(true);
    });

    it('gives the key function the result', () => {
      const entry = read(object, {
        transform: (draft) => ({ ...draft, spec: { id: 'x' } }),
        key: ({ object, meta }) => `${String(object.spec?.['id'])}-${String(meta.name)}`,
      });
      expect(entry.key).toBe('x-a');
    });

    it('reads the whole at once, so damage shows at once', () => {
      expect(() => read('{"metadata":{"name":"a"},"spec":x}', { transform: () => undefined })).toThrow(
        failure({ code: 'UNREADABLE', key: 'a', position: 7, message: /its body is damaged/ }),
      );
    });

    it('throws what the key function of the result throws', () => {
      expect(() => read(object, { transform: () => undefined, key: () => '' })).toThrow(
        failure({ code: 'USER_FUNCTION', where: 'key' }),
      );
    });
  });

  it('keeps a copy of the bytes', () => {
    const bytes = Buffer.from('{"metadata":{"name":"a"},"spec":{"b":1}}');
    for (const omit of [[], ['metadata.labels'], ['kind']]) {
      const entry = new ObjectReader<Thing>({ ...TYPE, omit }).read({ bytes, inEvent: false }, 0, 0);
      const original = Buffer.from(bytes);
      bytes.fill('#');
      expect(entry.object.spec).toEqual({ b: 1 });
      original.copy(bytes);
    }
  });

  describe('told what is held', () => {
    const object = '{"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"4"}}';
    const held = (facts: object) =>
      read(JSON.stringify({ metadata: { name: 'a', namespace: 'n', ...facts } }));
    const same = { uid: 'u', resourceVersion: '4' };

    it('gives that entry itself for the same state of the same object', () => {
      const entry = held(same);
      const known = jest.fn(() => entry);
      expect(read(object, { known })).toBe(entry);
      expect(known.mock.calls).toEqual([['n/a']]);
    });

    it.each([
      ['another version', { ...same, resourceVersion: '3' }, {}],
      ['another uid', { ...same, uid: 'v' }, {}],
      ['a key of yours', same, { key: () => 'k' }],
    ])('gives a new one for %s', (_, facts, options) => {
      const entry = held(facts);
      expect(read(object, { known: () => entry, ...options })).not.toBe(entry);
    });

    it('gives a new one where nothing is held, or there is nothing to go by', () => {
      const nameless = held({});
      expect(read(object, { known: () => undefined }).uid).toBe('u');
      expect(read('{"metadata":{"name":"a","namespace":"n"}}', { known: () => nameless })).not.toBe(nameless);
      for (const facts of [{ uid: 'u' }, { resourceVersion: '4' }]) {
        const half = held(facts);
        const text = JSON.stringify({ metadata: { name: 'a', namespace: 'n', ...facts } });
        expect(read(text, { known: () => half })).not.toBe(half);
      }
    });
  });

  describe('with paths to omit', () => {
    const object =
      '{"data":{"a":1},"metadata":{"labels":{"x":"1"},"name":"a","annotations":{"n/m":"x","k":"y"}},"spec":{"c":[{"env":1},{"env":2,"d":3}]}}';
    const omit = ['data', 'metadata.annotations["n/m"]', 'spec.c[*].env'];
    const trimmed = {
      ...TYPE,
      metadata: { labels: { x: '1' }, name: 'a', annotations: { k: 'y' } },
      spec: { c: [{}, { d: 3 }] },
    };

    it('cuts them out before the object is stored', () => {
      const entry = read(object, { omit });
      expect(entry.meta).toEqual(trimmed.metadata);
      expect(entry.object).toEqual(trimmed);
      expect(read(object, { omit }).object).toEqual(trimmed);
    });

    it('shows a transform and a key function what is left', () => {
      const seen: unknown[] = [];
      const transform = (draft: Thing): undefined => {
        seen.push(JSON.parse(JSON.stringify(draft)));
      };
      for (const lazyTransform of [false, true]) {
        const key = ({ object }: { object: Thing }) => Object.keys(object).join();
        expect(read(object, { omit, transform, lazyTransform, key }).key).toBe(Object.keys(trimmed).join());
      }
      expect(seen).toEqual([trimmed, trimmed]);
    });

    it('leaves a damaged object as it is', () => {
      const entry = read('{"data":1,"metadata":{"name":"a"},"spec":x}', { omit });
      expect(entry.meta).toEqual({ name: 'a' });
      expect(entry.object).toBeUndefined();
      expect(entry.error).toMatchObject({ code: 'UNREADABLE', position: 7 });
    });

    it('refuses what is no path', () => {
      expect(() => new ObjectReader({ ...TYPE, omit: ['metadata'] })).toThrow(
        failure({ code: 'INVALID_OPTION', option: 'omit' }),
      );
    });
  });

  describe('with a lazy transform', () => {
    const object = '{"metadata":{"name":"a","uid":"u","labels":{"x":"1"}},"spec":{"a":1}}';
    const runs = jest.fn((draft: Thing) => ({ ...draft, metadata: { name: 'b' }, spec: { b: 2 } }));
    const lazily = (options: Partial<CodecOptions<Thing>> = {}) =>
      read(object, { transform: runs, lazyTransform: true, ...options });

    beforeEach(() => runs.mockClear());

    it.each(['meta', 'object'] as const)('runs it when %s is read, once', (first) => {
      const entry = lazily();
      expect(entry).toMatchObject({ key: 'a', name: 'a', uid: 'u' });
      expect(runs).not.toHaveBeenCalled();
      JSON.stringify(entry[first]);
      expect(entry.object).toEqual({ ...TYPE, metadata: { name: 'b' }, spec: { b: 2 } });
      expect(entry.meta).toBe(entry.object.metadata);
      expect(Object.isFrozen(entry.object.spec)).toBe(true);
      expect(runs).toHaveBeenCalledTimes(1);
    });

    it('gives a key function the result', () => {
      expect(lazily({ key: ({ meta }) => `${String(meta.name)}!` }).key).toBe('b!');
    });

    it('tells what failed when it is read, once, and never throws', () => {
      const onDamage = jest.fn();
      const transform = () => {
        throw new Error('no');
      };
      const entry = lazily({ transform, onDamage });
      expect(onDamage).not.toHaveBeenCalled();
      expect([entry.meta, entry.object, entry.meta]).toEqual([undefined, undefined, undefined]);
      expect(entry.error).toMatchObject({ code: 'USER_FUNCTION', where: 'transform', key: 'a' });
      expect(onDamage.mock.calls).toEqual([[entry.error]]);
    });

    it('tells damage as damage', () => {
      const entry = read('{"metadata":{"name":"a"},"spec":x}', { transform: runs, lazyTransform: true });
      expect(entry.object).toBeUndefined();
      expect(entry.error).toMatchObject({ code: 'UNREADABLE', key: 'a', position: 7 });
    });
  });

  describe('of objects that are only checked', () => {
    const object =
      '{"metadata":{"name":"a","labels":{"x":"1"},"managedFields":[{"manager":"m"}]},"spec":{"a":[1]}}';
    const source = { bytes: Buffer.from(object), inEvent: false };
    const transform = (draft: Thing): undefined => {
      draft.spec = { ...draft.spec, b: 2 };
    };
    const ways: [string, Partial<CodecOptions<Thing>>][] = [
      ['', {}],
      [' with a transform', { transform }],
      [' with a lazy transform', { transform, lazyTransform: true }],
    ];

    function reading(options: Partial<CodecOptions<Thing>> = {}) {
      const onDamage = jest.fn();
      const reader = new ObjectReader<Thing>({ ...TYPE, objects: 'checked', onDamage, ...options });
      return { onDamage, read: () => reader.read(source, 0, 0) };
    }

    it.each(ways)('freezes nothing%s', (_, options) => {
      const entry = reading(options).read();
      for (const part of [entry.object, entry.object.spec, entry.meta, entry.meta.managedFields]) {
        expect(Object.isFrozen(part)).toBe(false);
      }
      expect(() => Object.assign(entry, { key: 'b' })).toThrow(TypeError);
    });

    const changes: [string, (entry: Entry<Thing>) => unknown][] = [
      ['the object', ({ object }) => Object.assign(object, { spec: 1 })],
      ['deep in it', ({ object }) => (object.spec?.['a'] as number[]).push(2)],
      ['its metadata', ({ meta }) => Object.assign(meta.labels ?? {}, { x: '2' })],
      ['its managedFields', ({ meta }) => meta.managedFields?.pop()],
      [
        'its metadata, before the object was read',
        (entry) => {
          Object.assign(entry.meta, { labels: {} });
          return entry.object;
        },
      ],
    ];
    const changed = changes.flatMap(([what, change]) =>
      ways.map(([way, options]) => [what, way, change, options] as const),
    );
    it.each(changed)('tells who changed %s%s, once', (_, __, change, options) => {
      const { onDamage, read } = reading(options);
      const entry = read();
      change(entry);
      entry.verify();
      entry.verify();
      expect(onDamage.mock.calls).toEqual([[failure({ code: 'CACHE_DAMAGED', key: 'a' })]]);
    });

    it.each(ways)('throws nothing where nobody is to be told%s', (_, options) => {
      const entry = reading({ ...options, onDamage: undefined }).read();
      Object.assign(entry.object, { spec: 1 });
      expect(() => {
        entry.verify();
      }).not.toThrow();
    });

    it.each(ways)('tells nothing of what was only read%s, nor of what was not', (_, options) => {
      const { onDamage, read } = reading(options);
      for (const what of [['meta'], ['object'], ['meta', 'object'], []] as const) {
        const entry = read();
        for (const name of what) JSON.stringify(entry[name]);
        entry.verify();
      }
      expect(onDamage).not.toHaveBeenCalled();
    });

    it('looks at the first and every 64th', () => {
      const { onDamage, read } = reading();
      for (let i = 0; i < 130; i += 1) {
        const entry = read();
        Object.assign(entry.object, { spec: i });
        entry.verify();
        expect(onDamage).toHaveBeenCalledTimes(1 + Math.floor(i / 64));
      }
    });

    it('is for checked ones only', () => {
      const { onDamage, read } = reading({ objects: 'frozen' });
      const entry = read();
      expect(() => Object.assign(entry.object, { spec: 1 })).toThrow(TypeError);
      entry.verify();
      expect(onDamage).not.toHaveBeenCalled();
    });
  });
});
