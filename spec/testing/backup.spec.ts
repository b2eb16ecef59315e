import { type ApiServer, createApiServer } from '../../src/testing/apiServer.ts';
import { createClock, type SteppedClock } from '../../src/testing/clock.ts';
import { HttpClient } from './httpClient.ts';

const path = '/api/v1/namespaces/default/configmaps';

describe('a server that is set back', () => {
  let clock: SteppedClock;
  let server: ApiServer;
  let client: HttpClient;
  let before: unknown;
  let restore: () => void;

  beforeEach(async () => {
    clock = createClock({ now: Date.UTC(2026, 0, 1) });
    server = await createApiServer({ scheduler: clock, resourceVersion: '95' });
    client = new HttpClient(server.url);
    write('changed', '1');
    write('deleted', '1');
    before = await client.get(path);
    restore = server.backup();
    write('changed', '2');
    server.delete('v1', 'ConfigMap', 'default/deleted');
    write('new', '1');
  });

  afterEach(async () => {
    client.close();
    await server.close();
    clock.dispose();
  });

  const write = (name: string, k: string): void => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { k } };
    if (server.get('v1', 'ConfigMap', `default/${name}`) === undefined) server.create(object);
    else server.update(object);
  };

  it('has the objects and the version of then, as often as it is', async () => {
    restore();
    expect(await client.get(path)).toEqual(before);
    write('new', '1');
    restore();
    expect(await client.get(path)).toEqual(before);
    expect(server.resourceVersion).toBe('101');
  });

  it('counts its versions from then, and tells what changes', async () => {
    restore();
    const watched = await client.watch(`${path}?watch=1&resourceVersion=101`);
    write('new', '1');
    await clock.settle();
    expect(watched.story).toEqual(['ADDED new@102']);
  });

  it('knows neither what was before nor what was after', async () => {
    restore();
    const watched = await client.watch(`${path}?watch=1&resourceVersion=100`);
    await clock.settle();
    expect(watched.story).toEqual(['ERROR 410']);
    const later = await client.send('GET', `${path}?resourceVersion=104&resourceVersionMatch=NotOlderThan`);
    expect(later.status).toBe(504);
  });

  it('resets all watches', async () => {
    const watched = await client.watch(`${path}?watch=1&resourceVersion=104`);
    restore();
    await clock.settle();
    expect(server.watches).toBe(0);
    expect(watched.end).toBe('cut');
  });
});
