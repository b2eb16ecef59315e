import * as fc from 'fast-check';
import { scanIdentity } from '../../../src/codec/json/identity.ts';
import type { KubernetesObject } from '../../../src/kubernetes/objects.ts';
import { kubernetesObject, style, write } from './arbitraries.ts';

const scan = (text: string) => scanIdentity(Buffer.from(text), 0, Buffer.byteLength(text));

describe('scanIdentity', () => {
  it('finds what JSON.parse finds, and where the metadata begins', () => {
    fc.assert(
      fc.property(kubernetesObject, style, (object, style) => {
        const bytes = Buffer.from(write(object, style).trim());
        const { metadata = {} } = JSON.parse(bytes.toString()) as KubernetesObject;

        const { metadataAt, ...identity } = scanIdentity(bytes, 0, bytes.length) ?? { metadataAt: 0 };
        expect(identity).toEqual({
          name: metadata.name,
          namespace: metadata.namespace || undefined,
          uid: metadata.uid || undefined,
          resourceVersion: metadata.resourceVersion || undefined,
        });
        expect(bytes[metadataAt]).toBe('{'.charCodeAt(0));
        expect(bytes.subarray(0, metadataAt).toString()).toMatch(/:\s*$/);
      }),
    );
  });

  it('finds in the beginning of an object either the whole identity or none', () => {
    fc.assert(
      fc.property(
        kubernetesObject,
        style,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (object, style, part) => {
          const bytes = Buffer.from(write(object, style).trim());
          const whole = scanIdentity(bytes, 0, bytes.length);
          const found = scanIdentity(bytes, 0, Math.floor(bytes.length * part));
          expect([whole, undefined]).toContainEqual(found);
        },
      ),
    );
  });

  it('takes what is empty for missing', () => {
    expect(scan('{"metadata":{"name":"a","namespace":"","uid":"","resourceVersion":""}}')).toMatchObject({
      namespace: undefined,
      uid: undefined,
      resourceVersion: undefined,
    });
  });

  it('stops where all is known', () => {
    expect(scan('{"metadata":{"name":"a","namespace":"b","uid":"c","resourceVersion":"d",#')).toEqual({
      name: 'a',
      namespace: 'b',
      uid: 'c',
      resourceVersion: 'd',
      metadataAt: 12,
    });
  });

  it.each([
    '{}',
    '[]',
    'null',
    '{"metadata":{}}',
    '{"metadata":null}',
    '{"metadata":[{"name":"a"}]}',
    '{"metadata":"name"}',
    '{"metadata":{"name":""}}',
    '{"metadata":{"name":1}}',
    '{"metadata":{"name":null}}',
    '{"metadata":{"name":"a/b"}}',
    '{"metadata":{"name":"a","namespace":"b/c"}}',
    '{"metadata":{"labels":{"name":"a"}}}',
    '{"spec":{"metadata":{"name":"a"}}}',
    '{"metadata":{"name":"a"',
    '{"metadata":{"name":"a","namespace":"b","uid":"c"',
    '{"metadata":{"name":"a","namespace":"b","resourceVersion":"d"',
    '{"metadata":{"name":"a","uid":"c","resourceVersion":"d"',
    '{"metadata":{"name":"a","resourceVersion":"d"',
    '{"metadata":{"namespace":"b","uid":"c","resourceVersion":"d"',
    '{"metadata":{"name":"a" "namespace":"b"}}',
  ])('finds none in %s', (text) => {
    expect(scan(text)).toBeUndefined();
  });
});
