import { gunzipSync } from 'node:zlib';
import { type ApiServer, createApiServer } from '../../src/testing/apiServer.ts';
import { createClock, type SteppedClock } from '../../src/testing/clock.ts';
import { HttpClient, type WatchedAnswer } from './httpClient.ts';

const path = '/api/v1/namespaces/default/configmaps';

describe('watches', () => {
  let clock: SteppedClock;
  let server: ApiServer;
  let client: HttpClient;

  beforeEach(async () => {
    clock = createClock({ now: Date.UTC(2026, 0, 1) });
    server = await createApiServer({ scheduler: clock, resourceVersion: '95', history: 3 });
    client = new HttpClient(server.url);
  });

  afterEach(async () => {
    client.close();
    await server.close();
    clock.dispose();
  });

  const write = (name: string, labels: Record<string, string> = {}): void => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } };
    if (server.get('v1', 'ConfigMap', `default/${name}`) === undefined) server.create(object);
    else server.update(object);
  };

  async function watch(query: string, headers?: Record<string, string>): Promise<WatchedAnswer> {
    const watched = await client.watch(`${path}?watch=1&${query}`, headers);
    await clock.settle();
    return watched;
  }

  it('tell those who select what enters and leaves their selection', async () => {
    const all = await watch('resourceVersion=99');
    const red = await watch('resourceVersion=99&labelSelector=color%3Dred');
    write('a', { color: 'red' });
    write('a', { color: 'blue' });
    write('a', { color: 'red' });
    server.delete('v1', 'ConfigMap', 'default/a');
    await clock.settle();
    expect(all.story).toEqual(['ADDED a@100', 'MODIFIED a@101', 'MODIFIED a@102', 'DELETED a@103']);
    expect(red.story).toEqual(['ADDED a@100', 'DELETED a@101', 'ADDED a@102', 'DELETED a@103']);
    expect(red.events[1]?.object.metadata.labels).toEqual({ color: 'red' });
  });

  it('begin with what is there, marked by a bookmark where the streaming list was asked for', async () => {
    write('b');
    write('a');
    const plain = await watch('');
    const listed = await watch(
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    );
    write('c');
    await clock.settle();
    expect(plain.story).toEqual(['ADDED a@101', 'ADDED b@100', 'ADDED c@102']);
    expect(listed.story).toEqual(['ADDED a@101', 'ADDED b@100', 'BOOKMARK @101', 'ADDED c@102']);
    expect(listed.events[2]?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
  });

  it('get a bookmark each minute and two seconds before their end, if something new can be said', async () => {
    const watched = await watch('resourceVersion=99&allowWatchBookmarks=true&timeoutSeconds=150');
    await clock.advance(60_000);
    expect(watched.story).toEqual([]);
    server.create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'other-kind' } });
    await clock.advance(59_999);
    expect(watched.story).toEqual([]);
    await clock.advance(1);
    expect(watched.story).toEqual(['BOOKMARK @100']);
    await clock.advance(27_999);
    expect(watched.story).toHaveLength(1);
    await clock.advance(1);
    expect(watched.story).toEqual(['BOOKMARK @100', 'BOOKMARK @100']);
    await clock.advance(1_999);
    expect(watched.end).toBeUndefined();
    await clock.advance(1);
    expect(watched.end).toBe('clean');
    expect(clock.pending).toBe(0);
  });

  it('end by themselves after half an hour to an hour', async () => {
    const watched = await watch('resourceVersion=99');
    await clock.advance(1_799_999);
    expect(watched.end).toBeUndefined();
    await clock.advance(1_800_001);
    expect(watched.end).toBe('clean');
  });

  it('are told of the history that is kept, and refused what is older', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) write(name);
    expect((await watch('resourceVersion=103')).story).toEqual(['ADDED e@104', 'ADDED f@105']);
    const expired = await watch('resourceVersion=99');
    expect(expired.response.statusCode).toBe(200);
    expect(expired.events).toEqual([
      {
        type: 'ERROR',
        object: expect.objectContaining({
          code: 410,
          reason: 'Expired',
          message: 'too old resource version: 99 (102)',
        }) as unknown,
      },
    ]);
    expect(expired.end).toBe('clean');
  });

  it('expire with a compaction', async () => {
    write('a');
    write('b');
    server.compact();
    expect((await watch('resourceVersion=100')).story).toEqual(['ERROR 410']);
    expect((await watch('resourceVersion=101')).story).toEqual([]);
  });

  it('wait for a version that is not reached yet', async () => {
    const watched = await watch('resourceVersion=101');
    write('a');
    write('b');
    write('c');
    await clock.settle();
    expect(watched.story).toEqual(['ADDED c@102']);
  });

  it('show only metadata to those who ask for that', async () => {
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    const watched = await watch('resourceVersion=99', { accept });
    server.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } });
    await clock.settle();
    expect(watched.events[0]?.object).toEqual({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: expect.objectContaining({ name: 'a', resourceVersion: '100' }) as unknown,
    });
  });

  it('come compressed where the streaming list was asked for and gzip is accepted', async () => {
    const watched = await watch('allowWatchBookmarks=true', { 'accept-encoding': 'gzip' });
    write('a');
    await clock.settle();
    expect(watched.response.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(watched.bytes).toString().trim().split('\n')).toHaveLength(2);
  });

  it('are closed cleanly or by a reset, and none is left', async () => {
    const clean = await watch('resourceVersion=99');
    server.closeWatches();
    await clock.settle();
    const cut = await watch('resourceVersion=99');
    server.closeWatches({ reset: true });
    await clock.settle();
    expect([clean.end, cut.end]).toEqual(['clean', 'cut']);
    expect([server.watches, clock.pending]).toEqual([0, 0]);
  });

  it('leave nothing behind when the client goes', async () => {
    const watched = await watch('resourceVersion=99&allowWatchBookmarks=true');
    expect([server.watches, clock.pending]).toEqual([1, 2]);
    watched.response.destroy();
    await clock.settle();
    expect([server.watches, clock.pending]).toEqual([0, 0]);
  });
});

describe('a server without the streaming list', () => {
  it('refuses it, and marks no end of the first objects', async () => {
    const clock = createClock();
    const server = await createApiServer({ scheduler: clock, watchList: false });
    const client = new HttpClient(server.url);
    const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    expect(await client.get(`${path}?watch=1&${query}`)).toMatchObject({
      code: 422,
      details: { causes: [{ field: 'sendInitialEvents' }] },
    });
    server.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    const watched = await client.watch(`${path}?watch=1&allowWatchBookmarks=true`);
    await clock.settle();
    expect(watched.events.map(({ type }) => type)).toEqual(['ADDED']);
    client.close();
    await server.close();
    clock.dispose();
  });
});
