import type { JsonValue } from '../../src/testing/json.ts';
import { mask } from './mask.ts';

const uid = (last: number) => `00000000-0000-0000-0000-00000000000${String(last)}`;

const masked = (request: string, ...bodies: JsonValue[]): JsonValue =>
  mask(
    bodies.map((body) => ({ request, status: 200, headers: {}, body })),
    'my-ns',
  );

const object = (resourceVersion: string, last: number, more = {}) => ({
  metadata: { name: 'a', uid: uid(last), resourceVersion, ...more },
});

describe('mask', () => {
  it('numbers versions by size and uids by appearance', () => {
    expect(masked('GET /', object('100', 7), object('99', 3), object('100', 7))).toMatchObject([
      { body: { metadata: { uid: 'uid-1', resourceVersion: 'v2' } } },
      { body: { metadata: { uid: 'uid-2', resourceVersion: 'v1' } } },
      { body: { metadata: { uid: 'uid-1', resourceVersion: 'v2' } } },
    ]);
  });

  it('shows a version of no object as the last one before it', () => {
    const list = (resourceVersion: string) => ({ metadata: { resourceVersion } });
    const versions = [list('9'), object('10', 1), list('10'), list('15'), object('20', 1)];
    const ordinals = ['v0', 'v1', 'v1', 'v1', 'v2'];
    expect(masked('GET /', ...versions)).toMatchObject(
      ordinals.map((resourceVersion) => ({ body: { metadata: { resourceVersion } } })),
    );
  });

  it('keeps versions that only the client says', () => {
    expect(masked('GET /?resourceVersion=999', object('10', 1))).toMatchObject([
      { request: 'GET /?resourceVersion=999' },
    ]);
    expect(masked('GET /?resourceVersion=10', object('10', 1))).toMatchObject([
      { request: 'GET /?resourceVersion=v1' },
    ]);
  });

  it('hides what differs from run to run, and nothing else', () => {
    const made = object('10', 1, {
      name: 'made-x7k2p',
      generateName: 'made-',
      namespace: 'my-ns',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { time: 'now', count: '10' },
      managedFields: [{}],
    });
    expect(masked('GET /my-ns/made-x7k2p', made)).toMatchObject([
      {
        request: 'GET /the-namespace/made-<random-1>',
        body: {
          metadata: {
            name: 'made-<random-1>',
            namespace: 'the-namespace',
            creationTimestamp: '<time>',
            labels: { time: 'now', count: '10' },
          },
        },
      },
    ]);
    expect(JSON.stringify(masked('GET /', made))).not.toContain('managedFields');
  });

  it('leaves the versions of messages in sight', () => {
    const refused = { message: 'Too large resource version: 999, current: 12345' };
    expect(masked('GET /', refused)).toMatchObject([
      { body: { message: 'Too large resource version: 999, current: <version>' } },
    ]);
  });
});
