import * as fc from 'fast-check';
import type { KeyFunction } from '../../../src/codec/codec.ts';
import { entryOf } from '../../../src/codec/entry.ts';
import { scanIdentity } from '../../../src/codec/json/identity.ts';
import { JsonEntry } from '../../../src/codec/json/jsonEntry.ts';
import { LazyPart } from '../../../src/codec/json/lazyPart.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { failure } from '../failure.ts';
import { kubernetesObject, style, write } from './arbitraries.ts';

interface Thing extends KubernetesObject {
  spec?: unknown;
}

const KIND = { kind: 'Thing', apiVersion: 'example.com/v1' };

function entry(text: string, key?: KeyFunction<Thing>, inEvent = false): JsonEntry<Thing> {
  const bytes = Buffer.from(text, 'latin1');
  const objectAt = inEvent ? text.indexOf('"object":') + '"object":'.length : 0;
  const identity = scanIdentity(bytes, objectAt, bytes.length);
  if (identity === undefined) throw new Error('no identity');
  return new JsonEntry<Thing>(identity, { bytes, inEvent }, 42, { ...KIND, key });
}

const utf8 = (text: string) => Buffer.from(text).toString('latin1');
const parsed = (text: string): Thing => ({ ...KIND, ...(JSON.parse(text) as Thing) });

describe('JsonEntry', () => {
  type Read = 'meta' | 'managedFields' | 'object';
  const reads = fc.array(fc.constantFrom<Read>('meta', 'managedFields', 'object'), { maxLength: 5 });

  it('gives in any order of reading what JSON.parse gives, one reference each', () => {
    fc.assert(
      fc.property(kubernetesObject, style, reads, fc.boolean(), (object, style, reads, inEvent) => {
        const text = write(object, style).trim();
        const read = entry(utf8(inEvent ? `{"type":"ADDED","object":${text}}` : text), undefined, inEvent);
        for (const what of reads) {
          expect(what === 'managedFields' ? read.meta : read[what]).toBeDefined();
          if (what === 'managedFields')
            expect(Array.isArray(read.meta.managedFields)).toBe('managedFields' in read.meta);
        }

        expect(read.object).toEqual(parsed(text));
        expect(read.meta).toBe(read.object.metadata);
        expect(read.object).toBe(read.object);
        expect(read.meta.managedFields).toBe(read.object.metadata?.managedFields);
        expect(read.error).toBeUndefined();
        expectFrozen(read.object);
      }),
    );
  });

  it('completes the type, kind first, and leaves alone what is there', () => {
    expect(Object.keys(entry('{"metadata":{"name":"a"}}').object)).toEqual([
      'kind',
      'apiVersion',
      'metadata',
    ]);
    const other = entry('{"metadata":{"name":"a"},"apiVersion":"example.com/v2","kind":""}').object;
    expect(other).toEqual({ kind: 'Thing', apiVersion: 'example.com/v2', metadata: { name: 'a' } });
  });

  it('keeps of its bytes those of managedFields only, once it is decoded', () => {
    const detach = jest.spyOn(LazyPart.prototype, 'detach');
    const read = entry('{"metadata":{"name":"a","managedFields":[]}}');
    expect(read.meta.name).toBe('a');
    expect(detach).not.toHaveBeenCalled();
    expect(read.object.kind).toBe('Thing');
    expect(detach).toHaveBeenCalledTimes(1);
    detach.mockRestore();
  });

  it('cannot be changed', () => {
    const read = entry('{"metadata":{"name":"a"}}');
    expect(() => Object.assign(read, { key: 'b' })).toThrow(TypeError);
    expect(() => Object.assign(read, { object: {} })).toThrow(TypeError);
  });

  describe('of a damaged body', () => {
    const damaged = '{"metadata":{"name":"a","namespace":"b"},"spec":{x}}';

    it.each([
      ['object', ['object', 'meta'], ['undefined', 'object']],
      ['meta', ['meta', 'object'], ['object', 'undefined']],
    ] as const)('still gives the metadata, with %s read first', (_, order, types) => {
      const read = entry(damaged);
      expect(read.error).toBeUndefined();
      expect(order.map((what) => typeof read[what])).toEqual(types);
      expect(read.meta).toEqual({ name: 'a', namespace: 'b' });
      expect(read.object).toBeUndefined();
      expect(read.error).toMatchObject({ code: 'UNREADABLE', position: 42, key: 'b/a' });
      expect(read.error?.message).toContain('its body is damaged');
      expect(read.error).toBe(read.error);
    });

    it.each([
      '{"metadata":{"name":"a","namespace":"b","uid":"c","resourceVersion":"d","labels":{x}}}',
      '{"metadata":{"name":"a","namespace":"b","uid":"c","resourceVersion":"d"',
      '{"metadata":{"name":"a","labels":"\xff"}}',
    ])('gives neither where the metadata is: %j', (text) => {
      const read = entry(text);
      expect(read.meta).toBeUndefined();
      expect(read.error).toMatchObject({ code: 'UNREADABLE' });
      expect([read.object, read.meta]).toEqual([undefined, undefined]);
    });

    it('gives all but managedFields where those are', () => {
      const read = entry('{"metadata":{"name":"a","managedFields":[x]},"spec":1}');
      expect(read.object.spec).toBe(1);
      expect(read.error).toBeUndefined();
      expect(read.meta.managedFields).toBeUndefined();
      expect(read.error).toMatchObject({ code: 'UNREADABLE' });
    });

    it('tells what was wrong first', () => {
      const read = entry('{"metadata":{"name":"a","managedFields":[x]},"spec":x}');
      expect(read.object).toBeUndefined();
      const { error } = read;
      expect(read.meta.managedFields).toBeUndefined();
      expect(read.error).toBe(error);
    });

    it('refuses what is not UTF-8', () => {
      const read = entry('{"metadata":{"name":"a"},"spec":"\xff"}');
      expect(read.object).toBeUndefined();
      expect(read.error).toMatchObject({ code: 'UNREADABLE' });
    });
  });

  describe('with a key function', () => {
    it('is known by what that gives', () => {
      const read = entry('{"metadata":{"name":"a","uid":"u"},"spec":1}', ({ meta, object }) => {
        return `${String(meta.uid)}-${String(object.spec)}`;
      });
      expect(read.key).toBe('u-1');
    });

    it.each([
      () => '',
      () => undefined as unknown as string,
      () => {
        throw new Error('no');
      },
    ])('throws for %s', (key) => {
      expect(() => entry('{"metadata":{"name":"a"}}', key)).toThrow(
        failure({ code: 'USER_FUNCTION', where: 'key', key: 'a' }),
      );
    });

    it('throws for the damage that made the function fail', () => {
      const read = () => entry('{"metadata":{"name":"a"},"spec":x}', ({ object }) => String(object.spec));
      expect(read).toThrow(failure({ code: 'UNREADABLE' }));
    });
  });

  describe('sameContent', () => {
    const a = '{"metadata":{"name":"a"},"spec":[1,2]}';
    it.each([
      [a, a, true],
      [a, '{ "spec":[1,2], "metadata":{"name":"a"} }', true],
      [a, '{"kind":"Thing","metadata":{"name":"a"},"spec":[1,2]}', true],
      [a, '{"metadata":{"name":"a"},"spec":[2,1]}', false],
      [a, '{"metadata":{"name":"a"}}', false],
      [a, '{"metadata":{"name":"a"},"spec":[1,x]}', false],
      ['{"metadata":{"name":"a"},"spec":x}', '{"metadata":{"name":"a"},"spec":y}', false],
    ])('%s and %s: %s', (one, other, same) => {
      expect(entry(one).sameContent(entry(other))).toBe(same);
      expect(entry(other).sameContent(entry(one))).toBe(same);
      const read = entry(one);
      JSON.stringify(read.object);
      expect(read.sameContent(entry(other))).toBe(same);
      expect(entry(other).sameContent(read)).toBe(same);
    });

    it('needs no decoding where the bytes are the same', () => {
      const damaged = '{"metadata":{"name":"a"},"spec":x}';
      const one = entry(damaged);
      expect(one.sameContent(entry(damaged))).toBe(true);
      expect(one.error).toBeUndefined();
    });

    it('holds between an event, an item and an object that was there already', () => {
      const item = entry(a);
      const event = entry(`{"type":"ADDED","object":${a}}`, undefined, true);
      expect(item.sameContent(event)).toBe(true);
      expect(event.sameContent(entryOf(parsed(a)))).toBe(true);
      expect(entryOf(parsed(a)).sameContent(item)).toBe(true);
    });
  });
});

function expectFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  expect(Object.isFrozen(value)).toBe(true);
  Object.values(value).forEach(expectFrozen);
}
