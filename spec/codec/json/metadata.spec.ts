import * as fc from 'fast-check';
import { decodeMetadata } from '../../../src/codec/json/metadata.ts';
import { objectOf, style, text, tree, write } from './arbitraries.ts';

const refuse = (cause: unknown): never => {
  throw cause as Error;
};

describe('decodeMetadata', () => {
  const metadata = objectOf({ name: text, managedFields: fc.option(tree, { nil: undefined }) });

  it('gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(metadata, style, (metadata, style) => {
        const written = write(metadata, style).trim();
        const bytes = Buffer.from(`>>${written}, "tail": {}`);
        const { meta, end } = decodeMetadata(bytes, 2, refuse);

        expect(end).toBe(2 + Buffer.byteLength(written));
        expect(Object.isFrozen(meta)).toBe(true);
        const expected = JSON.parse(written) as object;
        expect(meta).toEqual(expected);
        expect({ ...meta }).toEqual(expected);
        expect(JSON.parse(JSON.stringify(meta))).toEqual(JSON.parse(JSON.stringify(expected)));
        expect(structuredClone(meta)).toEqual(expected);
      }),
    );
  });

  it.each([
    ['last', '{"name":"a","managedFields":[{"manager":"m"}]}'],
    ['first', '{"managedFields":[{"manager":"m"}],"name":"a"}'],
    ['nowhere, but in a later object', '{"name":"a","labels":{}}'],
    ['in an annotation, too', '{"annotations":{"a":",\\"managedFields\\":[]}"},"managedFields":[]}'],
    ['further below, too', '{"a":{"name":"b","managedFields":[1]},"name":"a","managedFields":[2]}'],
    ['only further below', '{"a":{"name":"b","managedFields":[1]},"name":"a"}'],
  ])('gives what JSON.parse gives where managedFields are %s', (_, written) => {
    const later = ',"spec":{"template":{"metadata":{"name":"b","managedFields":[3]},"spec":{}}}';
    const { meta, end } = decodeMetadata(Buffer.from(`{"metadata":${written}${later}}`), 12, refuse);
    expect(meta).toEqual(JSON.parse(written));
    expect(end).toBe(12 + written.length);
  });

  it('decodes managedFields when they are read, and tells then that they are damaged', () => {
    const onError = jest.fn();
    const { meta } = decodeMetadata(Buffer.from('{"managedFields":[x],"name":"a"}'), 0, onError);
    expect(meta.name).toBe('a');
    expect(onError).not.toHaveBeenCalled();
    expect(meta.managedFields).toBeUndefined();
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it('has no managedFields where there are none', () => {
    const { meta, managedFields } = decodeMetadata(Buffer.from('{"name":"a"}'), 0, refuse);
    expect(Object.keys(meta)).toEqual(['name']);
    expect(managedFields).toBeUndefined();
  });

  it.each([
    '{,"managedFields":[]},"spec":{}',
    '{"a":{"name":"b","managedFields":[]},"spec":{}',
    '{"name":"a"',
    '{"name":x}',
    '{"name":"a","managedFields":[}',
    '[]',
  ])('throws for %s', (text) => {
    expect(() => decodeMetadata(Buffer.from(text), 0, refuse)).toThrow(SyntaxError);
  });
});
