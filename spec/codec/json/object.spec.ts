import { decodeAroundMetadata, decodeObject, isTable, parseObject } from '../../../src/codec/json/object.ts';

const TYPE = { kind: 'Pod', apiVersion: 'v1' };
const bare = (text: string) => ({ bytes: Buffer.from(text), inEvent: false });
const inEvent = (text: string) => ({
  bytes: Buffer.from(`{"type":"ADDED","object":${text}}`),
  inEvent: true,
});

describe('parseObject', () => {
  it('takes an object out of its event', () => {
    expect(parseObject(bare('{"a":1}'))).toEqual({ a: 1 });
    expect(parseObject(inEvent('{"a":1}'))).toEqual({ a: 1 });
  });
});

describe('decodeObject', () => {
  it('completes the type and leaves the object open for changes', () => {
    const object = decodeObject(bare('{"metadata":{"name":"a"}}'), TYPE);
    expect(object).toEqual({ ...TYPE, metadata: { name: 'a' } });
    expect(Object.isFrozen(object)).toBe(false);
  });
});

describe('decodeAroundMetadata', () => {
  it('puts the decoded metadata in its place and freezes the rest', () => {
    const meta = Object.freeze({ name: 'decoded' });
    const source = bare('{"metadata":{"name":"a"},"spec":{"b":[]}}');
    const object = decodeAroundMetadata(source, [12, 24], meta, TYPE);
    expect(object).toEqual({ ...TYPE, metadata: { name: 'decoded' }, spec: { b: [] } });
    expect(object.metadata).toBe(meta);
    expect(Object.isFrozen((object as { spec: { b: unknown } }).spec.b)).toBe(true);
  });
});

describe('isTable', () => {
  it.each([
    [{ kind: 'Table', apiVersion: 'meta.k8s.io/v1' }, true],
    [{ kind: 'Table', apiVersion: 'furniture.example.com/v1' }, false],
    [{ kind: 'PodList', apiVersion: 'v1' }, false],
    [null, false],
    ['Table', false],
  ])('%j: %s', (value, expected) => {
    expect(isTable(value)).toBe(expected);
  });
});
