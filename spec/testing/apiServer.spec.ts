import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { type ApiServer, type ApiServerOptions, createApiServer } from '../../src/testing/apiServer.ts';
import { createClock, type SteppedClock } from '../../src/testing/clock.ts';
import type { Interceptor } from '../../src/testing/interceptors.ts';
import { HttpClient } from './httpClient.ts';
import { refusal } from './refusal.ts';

const path = '/api/v1/namespaces/default/configmaps';

const configMap = (name: string, more: object = {}): KubernetesObject & { data: Record<string, string> } => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data: { k: 'v' },
});

const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget' },
    versions: [
      { name: 'v1', served: true, storage: true },
      { name: 'v2', served: true, storage: false },
    ],
  },
};

describe('the API server', () => {
  let clock: SteppedClock;
  let server: ApiServer;
  let client: HttpClient;

  const start = async (options: ApiServerOptions = {}): Promise<void> => {
    clock = createClock({ now: Date.UTC(2026, 0, 1) });
    server = await createApiServer({ scheduler: clock, ...options });
    client = new HttpClient(server.url);
  };

  afterEach(async () => {
    client.close();
    await server.close();
    clock.dispose();
  });

  describe('from within', () => {
    it('creates with the identity of the cluster, in a namespace that comes by itself', async () => {
      await start();
      const created = server.create(configMap('a', { namespace: 'new' }));
      expect(created).toEqual({
        ...configMap('a'),
        metadata: {
          name: 'a',
          namespace: 'new',
          uid: expect.stringMatching(
            /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
          ) as string,
          resourceVersion: server.resourceVersion,
          creationTimestamp: '2026-01-01T00:00:00Z',
        },
      });
      expect(await client.get('/api/v1/namespaces/new/configmaps/a')).toEqual(created);
      expect(server.list('v1', 'Namespace').map(({ metadata }) => metadata?.name)).toContain('new');
    });

    it('takes and gives copies', async () => {
      await start();
      const given = configMap('a');
      const created = server.create(given);
      given.data.k = 'mine';
      created.data.k = 'yours';
      expect(server.get('v1', 'ConfigMap', 'default/a')?.data).toEqual({ k: 'v' });
    });

    it('writes status and spec at once, and counts only what is asked for', async () => {
      await start();
      const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, status: { phase: 'Running' } };
      expect(server.create(pod).status).toMatchObject({ phase: 'Running' });
      const generation = () => server.get('v1', 'Pod', 'default/p')?.metadata?.generation;
      server.patch('v1', 'Pod', 'default/p', {
        status: { phase: 'Failed' },
        metadata: { labels: { a: 'b' } },
      });
      expect(generation()).toBe(1);
      server.patch('v1', 'Pod', 'default/p', { spec: { nodeName: 'n' } });
      expect(generation()).toBe(2);
    });

    it('keeps the version where an update changes nothing, and refuses one of an old version', async () => {
      await start();
      const first = server.create(configMap('a'));
      expect(server.update(configMap('a'))).toEqual(first);
      server.update({ ...configMap('a'), data: { k: 'w' } });
      expect(refusal(() => server.update(first))).toMatchObject({ code: 409, reason: 'Conflict' });
    });

    it('holds what has a finalizer until that is gone', async () => {
      await start();
      server.create(configMap('a', { finalizers: ['x.io/y'] }));
      server.delete('v1', 'ConfigMap', 'default/a');
      expect(server.get('v1', 'ConfigMap', 'default/a')?.metadata).toMatchObject({
        deletionTimestamp: '2026-01-01T00:00:00Z',
        finalizers: ['x.io/y'],
      });
      server.patch('v1', 'ConfigMap', 'default/a', { metadata: { finalizers: null } });
      expect(server.get('v1', 'ConfigMap', 'default/a')).toBeUndefined();
    });

    it('deletes a namespace with all that is in it', async () => {
      await start();
      server.create(configMap('a', { namespace: 'gone' }));
      server.create(configMap('a', { namespace: 'stays' }));
      server.delete('v1', 'Namespace', 'gone');
      expect(server.list('v1', 'ConfigMap').map(({ metadata }) => metadata?.namespace)).toEqual(['stays']);
      expect(server.get('v1', 'Namespace', 'gone')).toBeUndefined();
    });

    it('lists by selectors and namespace, and names a kind that is not served', async () => {
      await start();
      server.create(configMap('a', { labels: { x: '1' } }));
      server.create(configMap('b', { namespace: 'other', labels: { x: '1' } }));
      server.create(configMap('c'));
      const names = (options: object) =>
        server.list('v1', 'ConfigMap', options).map(({ metadata }) => metadata?.name);
      expect(names({ labelSelector: 'x=1' })).toEqual(['a', 'b']);
      expect(names({ namespace: 'default' })).toEqual(['a', 'c']);
      expect(names({ fieldSelector: 'metadata.name!=a' })).toEqual(['c', 'b']);
      expect(() => server.list('v1', 'Foo')).toThrow('pass one that is served');
    });

    it('repeats itself with the same chance', async () => {
      const dice = () => {
        let state = 1;
        return () => (state = (state * 16807) % 2147483647) / 2147483647;
      };
      await start({ random: dice() });
      const first = server.create(configMap('a'));
      await server.close();
      server = await createApiServer({ scheduler: clock, random: dice() });
      expect(server.create(configMap('a'))).toEqual(first);
    });
  });

  it('counts beyond what a number can hold', async () => {
    await start({ resourceVersion: '9007199254740993' });
    const before = BigInt(server.resourceVersion);
    server.create(configMap('a'));
    expect(server.resourceVersion).toBe(String(before + 1n));
    expect(await client.get(`${path}?limit=1&resourceVersion=${String(before)}`)).toMatchObject({
      metadata: { resourceVersion: String(before) },
      items: [],
    });
  });

  it('serves custom kinds as long as their definition is there, in all their versions', async () => {
    await start();
    expect((await client.send('GET', '/apis/example.com/v1/widgets')).status).toBe(404);
    server.create(widgets);
    server.create({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      spec: { b: 1, a: 2 },
    });
    const asked = await client.send('GET', '/apis/example.com/v2/namespaces/default/widgets/w');
    expect(asked.text).toMatch(
      /^\{"apiVersion":"example.com\/v2","kind":"Widget","metadata":.*"spec":\{"a":2,"b":1\}\}\n$/,
    );
    const watched = await client.watch('/apis/example.com/v1/widgets?watch=1');
    server.delete('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.com');
    await clock.settle();
    expect(watched.events.map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
    expect(watched.end).toBe('clean');
    expect((await client.send('GET', '/apis/example.com/v1/widgets')).text).toBe('404 page not found\n');
  });

  it('serves kinds that are registered, until they are taken back', async () => {
    await start();
    const gizmo = {
      group: 'example.com',
      version: 'v1',
      kind: 'Gizmo',
      plural: 'gizmos',
      singular: 'gizmo',
      namespaced: false,
      custom: true,
    };
    server.register({ ...gizmo, kind: 'Gadget', plural: 'gadgets', singular: 'gadget' });
    server.register(gizmo);
    server.create({ apiVersion: 'example.com/v1', kind: 'Gizmo', metadata: { name: 'g' } });
    expect(await client.get('/apis/example.com/v1/gizmos')).toMatchObject({ kind: 'GizmoList', items: [{}] });
    expect(await client.get('/apis/example.com/v1/gadgets')).toMatchObject({ kind: 'GadgetList', items: [] });
    server.unregister(gizmo);
    expect((await client.send('GET', '/apis/example.com/v1/gizmos')).status).toBe(404);
  });

  it('logs what comes in, and how it was answered', async () => {
    await start();
    const told: string[] = [];
    const leave = server.onRequest(({ verb, status }) => told.push(`${verb} ${String(status)}`));
    await client.send('GET', `${path}?limit=1`);
    await clock.advance(1000);
    await client.send('POST', path, { body: configMap('a') });
    leave();
    await client.send('DELETE', `${path}/b`);
    await client.send('GET', '/version');
    expect(told).toEqual(['list undefined', 'create undefined']);
    expect(server.requests).toMatchObject([
      { verb: 'list', method: 'GET', path, query: { limit: '1' }, status: 200, time: Date.UTC(2026, 0, 1) },
      { verb: 'create', status: 201, time: Date.UTC(2026, 0, 1) + 1000 },
      { verb: 'delete', status: 404 },
      { verb: 'get', path: '/version', status: 200 },
    ]);
  });

  it.each([
    [
      'an interceptor throws',
      () =>
        server.intercept(() => {
          throw new Error('a slip');
        }),
    ],
    [
      'an interceptor rejects',
      () => {
        const rejects: unknown = () => Promise.reject(new Error('a slip'));
        server.intercept(rejects as Interceptor);
      },
    ],
    [
      'an interceptor throws behind another',
      () => {
        server.intercept(() => {
          throw new Error('a slip');
        });
        server.intercept((_request, _response, next) => next());
      },
    ],
    [
      'who is told of requests throws',
      () =>
        server.onRequest(() => {
          throw new Error('a slip');
        }),
    ],
  ])('answers 500 where %s, and says what it was', async (_, slip) => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    await start();
    slip();
    const response = await client.send('GET', path);
    expect(response.status).toBe(500);
    expect(JSON.parse(response.text)).toMatchObject({ kind: 'Status', code: 500, reason: 'InternalError' });
    expect(warned.mock.calls).toEqual([['a slip', expect.objectContaining({ type: 'Error' })]]);
    warned.mockRestore();
  });

  it('leaves an answer alone that is complete, whatever its interceptor throws then', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    await start();
    server.intercept((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"kind":"Mine"}');
      throw new Error('a slip');
    });
    expect(await client.send('GET', path)).toMatchObject({ status: 200, text: `{"kind":"Mine"}` });
    expect(warned).toHaveBeenCalledTimes(1);
    warned.mockRestore();
  });

  it('lets interceptors answer, the newest first, or pass on', async () => {
    await start();
    const order: string[] = [];
    server.intercept((_request, response, next, { verb }) => {
      order.push('old');
      if (verb === 'list') response.writeHead(503).end('busy');
      else next();
    });
    const remove = server.intercept((_request, _response, next) => {
      order.push('new');
      clock.schedule(next, 500);
    });
    const answers = [client.send('GET', path), client.send('GET', `${path}/a`)];
    await clock.advance(500);
    const [list, get] = await Promise.all(answers);
    expect([list?.status, list?.text, get?.status]).toEqual([503, 'busy', 404]);
    expect(order).toEqual(['new', 'new', 'old', 'old']);
    remove();
    order.length = 0;
    await client.send('GET', path);
    expect(order).toEqual(['old']);
  });

  it('lets nobody in without the token of the moment', async () => {
    await start({ token: 'first' });
    const status = async (headers: Record<string, string>) =>
      (await client.send('GET', path, { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ authorization: 'Bearer first' })).toBe(200);
    server.token = 'second';
    expect(await status({ authorization: 'Bearer first' })).toBe(401);
    const { headers } = await server.cluster().credentials();
    expect(await status({ ...headers })).toBe(200);
    expect(server.kubeconfig()).toContain('"token": "second"');
  });

  it('compresses large answers for those who take that', async () => {
    await start();
    for (let i = 0; i < 30; i += 1) server.create({ ...configMap(`c${i}`), data: { k: 'x'.repeat(10_000) } });
    const large = await client.send('GET', path, { headers: { 'accept-encoding': 'gzip' } });
    const small = await client.send('GET', `${path}/c1`, { headers: { 'accept-encoding': 'gzip' } });
    expect([large.headers['content-encoding'], small.headers['content-encoding']]).toEqual([
      'gzip',
      undefined,
    ]);
  });

  it('refuses bodies that are too large, and answers about the next request on the same connection', async () => {
    await start();
    const { status } = await client.send('POST', path, { body: configMap('x'.repeat(3 * 1024 * 1024)) });
    expect([status, (await client.send('GET', path)).status]).toEqual([413, 200]);
  });

  it.each(['//', '/..', '/api/v1/%zz', '/?a?b=%'])('answers %s', async (odd) => {
    await start();
    expect(await client.send('GET', odd)).toMatchObject({ status: 404, text: '404 page not found\n' });
  });

  it('refuses options that cannot be', async () => {
    await start();
    await expect(createApiServer({ resourceVersion: '01' })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
  });

  it('leaves no socket when it is closed', async () => {
    await start();
    const watched = await client.watch(`${path}?watch=1`);
    expect(server.connections).toBe(1);
    await server.close();
    expect([server.connections, clock.pending]).toEqual([0, 0]);
    await clock.settle();
    expect(watched.end).toBeDefined();
    await expect(client.send('GET', path)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await start();
  });
});
