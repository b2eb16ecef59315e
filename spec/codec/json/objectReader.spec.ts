import type { CodecOptions } from '../../../src/codec/codec.ts';
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
        failure({ code: 'UNREADABLE', key: 'a', position: 7 }),
      );
    });

    it('throws what the key function of the result throws', () => {
      expect(() => read(object, { transform: () => undefined, key: () => '' })).toThrow(
        failure({ code: 'USER_FUNCTION', where: 'key' }),
      );
    });
  });
});
