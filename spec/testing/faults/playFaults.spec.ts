import { coalesce } from '../../../operators/coalesce.ts';
import { InvalidOptionError } from '../../../src/errors.ts';
import { createInformer } from '../../../src/informer/factory.ts';
import type { Informer } from '../../../src/informer/informer.ts';
import type { InformerOptions } from '../../../src/informer/options.ts';
import type { ConfigMap } from '../../../src/kubernetes/kinds.ts';
import { type ApiServer, createApiServer } from '../../../src/testing/apiServer.ts';
import { createClock, type SteppedClock } from '../../../src/testing/clock.ts';
import { FAULT_KINDS, type Fault } from '../../../src/testing/faults/fault.ts';
import type { FaultScript, FaultStep } from '../../../src/testing/faults/script.ts';
import { HttpClient } from '../httpClient.ts';

const collection = '/api/v1/namespaces/default/configmaps';

let clock: SteppedClock;
let server: ApiServer;
let client: HttpClient;

beforeEach(async () => {
  clock = createClock({ now: Date.UTC(2026, 0, 1) });
  server = await createApiServer({ scheduler: clock, random: () => 0.5 });
  client = new HttpClient(server.url);
});

afterEach(async () => {
  client.close();
  await server.close();
  expect(clock.pending).toBe(0);
  clock.dispose();
});

const write = (name: string, value: string): void => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
  if (server.get('v1', 'ConfigMap', `default/${name}`) === undefined) server.create(object);
  else server.update(object);
};

/** An informer, and what its store and its subscriber have, by name. */
function follow(options: InformerOptions<ConfigMap> = {}) {
  const informer: Informer<ConfigMap> = createInformer<ConfigMap>(server.cluster(), 'v1', 'ConfigMap', {
    scheduler: clock,
    random: () => 0.5,
    ...options,
  });
  const told = new Map<string, string | undefined>();
  const errors: string[] = [];
  informer.status$.subscribe((status) => {
    if (status.type === 'error') errors.push(status.error.message);
  });
  informer.notifications$
    .pipe(
      coalesce(({ type, key, object }) => {
        if (type === 'delete') told.delete(key);
        else told.set(key, object.data?.['value']);
      }),
    )
    .subscribe();
  const held = () => new Map(informer.store.list().map(({ key, object }) => [key, object.data?.['value']]));
  return { informer, told, held, errors };
}

const served = () =>
  new Map(
    server
      .list('v1', 'ConfigMap', { namespace: 'default' })
      .map((object) => [`default/${object.metadata?.name ?? ''}`, (object as ConfigMap).data?.['value']]),
  );

const faults: readonly (readonly [string, Fault])[] = [
  ['a delay', { kind: 'delay', by: 7_000 }],
  ['pieces', { kind: 'pieces', size: 3 }],
  ['compressed pieces', { kind: 'gzip', size: 11 }],
  ['a connection that is closed at once', { kind: 'cut' }],
  ['a connection that is closed in the body', { kind: 'cut', afterBytes: 150 }],
  ['a connection that is closed in a character', { kind: 'cutCharacter' }],
  ['no body', { kind: 'truncate' }],
  ['a body that ends too soon', { kind: 'truncate', afterBytes: 150 }],
  ['a reset', { kind: 'reset' }],
  ['a reset in the body', { kind: 'reset', afterBytes: 150 }],
  ['silence', { kind: 'silence' }],
  ['silence in the body', { kind: 'silence', afterBytes: 150 }],
  ['429 with Retry-After', { kind: 'status', code: 429, reason: 'TooManyRequests', retryAfter: 40 }],
  ['500', { kind: 'status', code: 500, reason: 'InternalError' }],
  ['401', { kind: 'status', code: 401, reason: 'Unauthorized' }],
  ['403', { kind: 'status', code: 403, reason: 'Forbidden' }],
  ['404', { kind: 'status', code: 404, reason: 'NotFound' }],
  ['a page of a proxy', { kind: 'html' }],
  ['a page of a proxy as a success', { kind: 'html', code: 200 }],
  ['a wrong content type', { kind: 'contentType' }],
  ['410', { kind: 'expired' }],
  ['an ERROR event of 410', { kind: 'expired', as: 'event' }],
  ['a bare Status of 410', { kind: 'expired', as: 'line' }],
  ['duplicates', { kind: 'duplicate' }],
  ['events in another order', { kind: 'reorder' }],
  ['repeated bookmarks', { kind: 'bookmarks' }],
  ['stale lists', { kind: 'stale', by: 5 }],
  ['a machine that sleeps', { kind: 'clockJump', by: 3_600_000 }],
  ['a wall clock that is set back', { kind: 'clockJump', by: -3_600_000 }],
];

describe('an informer gets through', () => {
  it.each(faults)('%s', async (_, fault) => {
    for (const name of ['a', 'b', 'c', 'd']) write(name, '→');
    const run = server.playFaults(everyOther(fault));
    const { informer, told, held } = follow({ streamingList: false, watchTimeout: 60, pageSize: 2 });
    for (let round = 0; round < 12; round += 1) {
      await clock.advance(15_000);
      for (const name of ['a', 'b', 'c']) write(name, `→${String(round)}`);
      if (round % 3 === 0) server.delete('v1', 'ConfigMap', 'default/b');
    }
    run.stop();
    await clock.advance(300_000);
    expect(run.counts[fault.kind]).toBeGreaterThan(0);
    expect(informer.live).toBe(true);
    expect(held()).toEqual(served());
    expect(told).toEqual(served());
    informer.stop();
    await clock.settle();
    expect([server.connections, server.watches, clock.pending]).toEqual([0, 0, 0]);
  });

  it('is said of each kind there is', () => {
    expect(new Set(faults.map(([, { kind }]) => kind))).toEqual(new Set(FAULT_KINDS));
  });
});

/** The first list and every other request after it. */
function everyOther(fault: Fault): FaultScript {
  let asked = 0;
  return ({ verb }) => {
    if (verb !== 'list' && verb !== 'watch') return undefined;
    asked += 1;
    return asked % 2 === 1 ? fault : undefined;
  };
}

describe('a fault', () => {
  /** What comes of a list. */
  const list = async (query = '') => {
    const answer = client.send('GET', `${collection}${query}`).catch((error: unknown) => ({
      status: 0,
      headers: { 'content-type': undefined },
      text: (error as NodeJS.ErrnoException).code ?? '',
    }));
    await clock.advance(60_000);
    return answer;
  };

  it.each<[Fault, string]>([
    [{ kind: 'delay', by: 1_000 }, '200 application/json'],
    [{ kind: 'pieces' }, '200 application/json'],
    [{ kind: 'cut' }, '0 ECONNRESET'],
    [{ kind: 'cut', afterBytes: 20 }, '0 ECONNRESET'],
    [{ kind: 'cutCharacter' }, '0 ECONNRESET'],
    [{ kind: 'truncate' }, '200 '],
    [{ kind: 'truncate', afterBytes: 20 }, '200 application/json'],
    [{ kind: 'reset' }, '0 ECONNRESET'],
    [{ kind: 'reset', afterBytes: 20 }, '0 ECONNRESET'],
    [{ kind: 'status', code: 503 }, '503 application/json'],
    [{ kind: 'html' }, '502 text/html'],
    [{ kind: 'html', code: 200 }, '200 text/html'],
    [{ kind: 'contentType' }, '200 text/plain'],
    [{ kind: 'contentType', type: 'text/csv' }, '200 text/csv'],
    [{ kind: 'expired', as: 'event' }, '410 application/json'],
  ])('%j ends in %s', async (fault, expected) => {
    write('a', '→');
    const run = server.playFaults([fault]);
    const { status, headers, text } = await list();
    expect(`${String(status)} ${headers['content-type'] ?? text}`).toBe(expected);
    expect(run.counts[fault.kind]).toBe(1);
  });

  it('gives a watch everything twice, in another order, or its bookmarks again', async () => {
    const story = async (fault: Fault): Promise<string[]> => {
      const run = server.playFaults([fault]);
      const version = server.resourceVersion;
      const query = `watch=1&allowWatchBookmarks=1&resourceVersion=${version}&timeoutSeconds=100`;
      const watched = await client.watch(`${collection}?${query}`);
      const value = version;
      write('a', value);
      write('b', value);
      write('a', `${value} again`);
      await clock.advance(99_000);
      run.stop();
      await clock.advance(1_000);
      return watched.events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim());
    };
    const order = await story({ kind: 'reorder' });
    expect(order).toEqual(['ADDED b', 'ADDED a', 'MODIFIED a', 'BOOKMARK', 'BOOKMARK']);
    const twice = await story({ kind: 'duplicate' });
    expect(twice.slice(0, 4)).toEqual(['MODIFIED a', 'MODIFIED a', 'MODIFIED b', 'MODIFIED b']);
    const bookmarks = await story({ kind: 'bookmarks', times: 2 });
    expect(bookmarks.filter((event) => event === 'BOOKMARK')).toHaveLength(4);
  });

  it('of events leaves alone what is none', async () => {
    server.playFaults([{ kind: 'duplicate' }]);
    const answer = await client.send('GET', `${collection}?watch=1&resourceVersion=x`);
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.text)).toMatchObject({ kind: 'Status' });
  });

  it('answers a list from an older version only where that was asked for', async () => {
    for (const value of ['1', '2', '3', '4', '5']) write('a', value);
    const newest = Number(server.resourceVersion);
    const run = server.playFaults([{ kind: 'stale', by: 3 }]);
    const versionOf = async (query: string): Promise<number> => {
      const { text } = await list(query);
      return (
        newest -
        Number((JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata.resourceVersion)
      );
    };
    expect(await versionOf('?resourceVersion=0')).toBe(3);
    expect(await versionOf(`?resourceVersion=${String(newest - 2)}&resourceVersionMatch=NotOlderThan`)).toBe(
      2,
    );
    expect(run.counts.stale).toBe(2);
    expect(await versionOf('')).toBe(0);
    expect(await versionOf(`?resourceVersion=${String(newest)}&resourceVersionMatch=NotOlderThan`)).toBe(0);
    server.compact();
    expect(await versionOf('?resourceVersion=0')).toBe(0);
    expect(run.counts.stale).toBe(2);
  });

  it('that is still to happen does not, once the run is stopped', async () => {
    write('a', '1');
    const run = server.playFaults([{ kind: 'cut', afterBytes: 500 }]);
    const { informer, told, errors } = follow();
    await clock.advance(1_000);
    run.stop();
    for (const value of ['2', '3', '4', '5']) write('a', value);
    await clock.advance(1_000);
    expect(told.get('default/a')).toBe('5');
    expect([errors, run.counts.cut]).toEqual([[], 0]);
    informer.stop();
    await clock.settle();
  });
});

describe('a script', () => {
  const codes = async (script: FaultScript, paths: readonly string[]): Promise<number[]> => {
    server.playFaults(script);
    const answered: number[] = [];
    for (const path of paths) answered.push((await client.send('GET', path)).status);
    return answered;
  };
  const refuse = (code: number, on?: FaultStep['on']): FaultStep => ({
    kind: 'status',
    code,
    ...(on && { on }),
  });

  it('chooses by verb, path and number', async () => {
    const script = [
      refuse(503, { verb: ['get', 'watch'], path: 'configmaps' }),
      refuse(500, { verb: 'list', nth: 2 }),
      refuse(429, { path: '/secrets' }),
    ];
    const secrets = '/api/v1/namespaces/default/secrets';
    expect(await codes(script, [collection, collection, collection, `${collection}/a`, secrets])).toEqual([
      200, 500, 200, 503, 429,
    ]);
  });

  it('plays the first step that matches, and all of them count', async () => {
    const script = [refuse(503, { nth: 1 }), refuse(500, { nth: 2 }), refuse(429)];
    expect(await codes(script, [collection, collection, collection])).toEqual([503, 500, 429]);
  });

  it('leaves it to chance how often', async () => {
    const script = [refuse(503, { probability: 0.4 }), refuse(500, { probability: 0.6 })];
    expect(await codes(script, [collection])).toEqual([500]);
  });

  it.each<[object, string]>([
    [{ kind: 'earthquake' }, 'kind'],
    [{ kind: 'cut', on: { nth: 0 } }, 'nth'],
    [{ kind: 'cut', on: { probability: 2 } }, 'probability'],
  ])('is refused as %j', (step, option) => {
    expect(() => server.playFaults([step as FaultStep])).toThrow(InvalidOptionError);
    expect(() => server.playFaults([step as FaultStep])).toThrow(option);
  });
});
