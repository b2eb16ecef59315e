import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { inspect } from 'node:util';
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Cluster } from '../../src/transport/cluster.ts';
import { localhost, other } from './fixtures/certificates.ts';
import { clusterAt, createRecorder } from './recorder.ts';
import { serveHttp, serveHttps, type TestServer } from './server.ts';
import { clock, fetch, opened, pods, serve, serveRaw, transportTo } from './stage.ts';

// A bound for busy machines; all of it takes a few seconds.
jest.setTimeout(60_000);

describe('a request', () => {
  const echo: RequestListener = ({ method, url, headers }, response) => {
    response.end(JSON.stringify({ method, url, headers }));
  };
  const sent = async (cluster: Cluster, request = pods) =>
    JSON.parse((await fetch(transportTo(cluster), request)).body.toString()) as IncomingMessage;

  it('asks for the path below the address of the cluster, with its query', async () => {
    const { url } = await serve(echo);
    const query = { labelSelector: 'app in (a,b),c=d&e', limit: '500' };
    const plain = await sent(clusterAt(url));
    expect(plain).toMatchObject({ method: 'GET', url: '/api/v1/pods' });
    const prefixed = await sent(clusterAt(`${url}/k8s/clusters/c-1/`), { ...pods, query });
    const asked = new URL(prefixed.url ?? '', url);
    expect(asked.pathname).toBe('/k8s/clusters/c-1/api/v1/pods');
    expect(Object.fromEntries(asked.searchParams)).toEqual(query);
  });

  it('carries the headers of the credentials, says who it is, and does not ask for gzip unless told', async () => {
    const { url } = await serve(echo);
    const cluster = clusterAt(url, { headers: { Authorization: 'Bearer t', 'Impersonate-User': 'jane' } });
    const { headers } = await sent(cluster);
    expect(headers).toMatchObject({
      accept: 'application/json',
      authorization: 'Bearer t',
      'impersonate-user': 'jane',
      'user-agent': expect.stringMatching(/^rx-informer\//) as string,
    });
    expect(headers).not.toHaveProperty('accept-encoding');
    const compressed = await sent(cluster, { ...pods, gzip: true });
    expect(compressed.headers['accept-encoding']).toBe('gzip');
  });

  it('takes fresh credentials for each connection, and passes renewals on', async () => {
    const { url } = await serve(echo);
    let loads = 0;
    const cluster = clusterAt(url);
    cluster.credentials = () =>
      Promise.resolve({ headers: { 'X-Load': String(++loads) }, tls: {}, agent: undefined });
    const transport = transportTo(cluster);
    for (const load of ['1', '2']) {
      const { headers } = JSON.parse((await fetch(transport)).body.toString()) as IncomingMessage;
      expect(headers['x-load']).toBe(load);
    }
    await transport.renew();
    expect(cluster.renewed).toBe(1);
  });

  it('has keep-alive probes of 30 s on its socket', async () => {
    const setKeepAlive = jest.spyOn(Socket.prototype, 'setKeepAlive');
    const { url } = await serve(echo);
    await fetch(transportTo(clusterAt(url)));
    expect(setKeepAlive).toHaveBeenCalledWith(true, 30_000);
    setKeepAlive.mockRestore();
  });
});

describe('an answer', () => {
  it('comes as status and headers, then data, then the end, and nothing before open has returned', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(429, { 'Retry-After': '3' }).end('slow down');
    });
    const recorder = createRecorder();
    transportTo(clusterAt(url)).open(pods, recorder);
    expect(recorder.calls).toEqual([]);
    await recorder.over;
    expect(recorder.calls).toEqual(['429', 'data', 'end']);
    expect(recorder.headers).toMatchObject({ 'retry-after': '3' });
    expect(recorder.body.toString()).toBe('slow down');
  });

  it('comes piece by piece as it is written', async () => {
    const { url } = await serve((_, response) => {
      response.flushHeaders();
      let n = 0;
      clock.schedule(function () {
        response.write(`${++n};`);
        if (n < 5) this.schedule(undefined, 10);
      }, 10);
    });
    const seen: string[] = [];
    const recorder = createRecorder((call) => seen.push(`${call} ${clock.now()}`));
    transportTo(clusterAt(url)).open(pods, recorder);
    await clock.advance(50);
    expect(seen).toEqual(['200 0', 'data 10', 'data 20', 'data 30', 'data 40', 'data 50']);
  });

  it('is whole whatever its size, pieces, compression and pauses (property)', async () => {
    let answer: (response: ServerResponse) => void = () => undefined;
    const { url } = await serve((_, response) => {
      answer(response);
    });
    const transport = transportTo(clusterAt(url));
    const text = fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.boolean(), { maxLength: 10 }),
        async (members, isGzip, cuts, pauses) => {
          const body = Buffer.concat(members.map((size, index) => Buffer.alloc(size, `member ${index} `)));
          // One gzip member each, as some servers send one per event.
          const wire = isGzip
            ? Buffer.concat(members.map((size, index) => gzipSync(Buffer.alloc(size, `member ${index} `))))
            : body;
          answer = (response) => {
            if (isGzip && wire.length > 0) response.setHeader('Content-Encoding', 'gzip');
            for (let at = 0, n = 0; at < wire.length; n++) {
              const size = cuts[n % cuts.length] ?? 1;
              response.write(wire.subarray(at, at + size));
              at += size;
            }
            response.end();
          };
          let isPaused = false;
          let calls = 0;
          const recorder = createRecorder((call) => {
            if (isPaused && call === 'data') throw new Error('data while paused');
            if (call === 'end' || pauses[calls++] !== true) return;
            isPaused = true;
            connection.pause();
            setImmediate(() => {
              isPaused = false;
              connection.resume();
            });
          });
          const connection = transport.open(pods, recorder);
          await recorder.over;
          await clock.settle();
          expect(recorder.calls.filter((call) => call !== 'data')).toEqual(['200', 'end']);
          expect(recorder.body.equals(body)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('in gzip is delivered as soon as it is flushed, event by event', async () => {
    const event = Buffer.alloc(4_000_000, 'event');
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' });
      clock.schedule(function () {
        response.write(gzipSync(event));
        this.schedule(undefined, 10);
      }, 10);
    });
    const recorder = createRecorder();
    const connection = transportTo(clusterAt(url)).open(pods, recorder);
    for (const events of [1, 2, 3]) {
      await clock.advance(10);
      expect(recorder.body).toHaveLength(events * event.length);
    }
    connection.cancel();
  });

  it('that is a redirect is not followed; of its address only the host is told', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(302, { Location: 'https://login.example.com/path?code=s3cret' }).end();
    });
    const { calls, error } = await fetch(transportTo(clusterAt(url)));
    expect(calls).toEqual(['UNEXPECTED_ANSWER']);
    expect(error.value?.message).toContain('login.example.com');
    expect(inspect(error.value)).not.toContain('s3cret');
  });

  it.each([
    ['an encoding that nobody asked for', { 'Content-Encoding': 'br' }, 'x', 'encoded as br'],
    ['gzip that is none', { 'Content-Encoding': 'gzip' }, 'plain text', 'says it is gzip and is not'],
    ['deflate', { 'Content-Encoding': 'deflate' }, deflateSync('x'), 'encoded as deflate'],
  ])('of %s is an error', async (_, headers, body, text) => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, headers).end(body);
    });
    const { calls, error } = await fetch(transportTo(clusterAt(url)));
    expect(calls).toEqual(['200', 'UNEXPECTED_ANSWER']);
    expect(error.value?.message).toContain(text);
  });

  it('in gzip by its old name is read', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'x-gzip' }).end(gzipSync('hello'));
    });
    expect((await fetch(transportTo(clusterAt(url)))).body.toString()).toBe('hello');
  });
});

describe('a connection that fails', () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n';
  const sized = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello';
  const zipped = Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n'),
    gzipSync('hello'),
  ]);
  const shortZip = Buffer.concat([
    Buffer.from('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 15\r\n\r\n'),
    gzipSync('hello').subarray(0, 15),
  ]);

  it.each([
    ['a chunked body', chunked],
    ['a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\nhello'],
    ['a body of known size', sized],
    ['a compressed body', zipped],
    ['compressed data', shortZip],
  ])('in the middle of %s is cut, not ended', async (_, bytes) => {
    const { url } = await serveRaw(bytes, (socket) => socket.end());
    const { calls, error } = await fetch(transportTo(clusterAt(url)));
    expect(calls.filter((call) => call !== 'data')).toEqual(['200', 'CONNECTION']);
    expect(error.value).toMatchObject({ verb: 'list', path: '/api/v1/pods', reason: 'CUT' });
  });

  it('while paused tells of it exactly once, when it is read', async () => {
    const { url } = await serveRaw(chunked, (socket) => socket.end());
    const recorder = createRecorder();
    const connection = transportTo(clusterAt(url)).open(pods, recorder);
    connection.pause();
    await clock.settle();
    connection.resume();
    await recorder.over;
    await clock.settle();
    expect(recorder.calls.filter((call) => call !== 'data')).toEqual(['200', 'CONNECTION']);
  });

  it.each([
    ['before any byte', '', 'ECONNRESET'],
    ['in the headers', 'HTTP/1.1 200 OK\r\nContent-', 'ECONNRESET'],
    ['in the body', chunked, 'CUT'],
  ])('by a reset %s', async (_, bytes, reason) => {
    const { url } = await serveRaw(bytes, (socket) => socket.resetAndDestroy());
    const { error } = await fetch(transportTo(clusterAt(url)));
    expect(error.value).toMatchObject({ code: 'CONNECTION', reason });
  });

  it('because nobody listens says so', async () => {
    const server = await serve(() => undefined);
    server.close();
    const { calls, error } = await fetch(transportTo(clusterAt(server.url)));
    expect(calls).toEqual(['CONNECTION']);
    expect(error.value).toMatchObject({ reason: 'ECONNREFUSED' });
  });

  it('because the answer is not HTTP does not show what came', async () => {
    const { url } = await serveRaw('SSH-2.0-s3cret\r\n', () => undefined);
    const { calls, error } = await fetch(transportTo(clusterAt(url)));
    expect(calls).toEqual(['UNEXPECTED_ANSWER']);
    expect(inspect(error.value)).not.toContain('s3cret');
  });

  it('never shows tokens, headers or the query', async () => {
    const { url } = await serveRaw(sized, (socket) => socket.resetAndDestroy());
    const cluster = clusterAt(url, { headers: { Authorization: 'Bearer s3cret' } });
    const { error } = await fetch(transportTo(cluster), { ...pods, query: { continue: 's3cret' } });
    expect(inspect(error.value, { depth: 10, showHidden: true })).not.toContain('s3cret');
  });
});

describe('credentials', () => {
  const failing = (error: unknown): Cluster => ({
    ...clusterAt('http://127.0.0.1:9'),
    credentials: () =>
      Promise.resolve().then(() => {
        throw error;
      }),
  });

  it.each([
    [
      'a plugin that is not there',
      Object.assign(new Error('spawn my-plugin ENOENT'), { code: 'ENOENT' }),
      'my-plugin',
    ],
    ['a plugin that fails', new Error('run `login` first\nstack of the plugin'), 'run `login` first)'],
    ['something that is no error', undefined, 'unknown'],
  ])('of %s are an error of the request', async (_, cause, text) => {
    const { calls, error } = await fetch(transportTo(failing(cause)));
    expect(calls).toEqual(['CREDENTIALS']);
    expect(error.value?.message).toContain(text);
    expect(error.value).toMatchObject({ verb: 'list', path: '/api/v1/pods', terminal: false });
  });

  const notJson = (text: string) => {
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      return error;
    }
  };

  it.each([
    ['with a name', new Error('bad output: token=s3cret')],
    ['of a header', new Error('Bearer s3cret was refused')],
    ['as long as a token', new Error('refused eyJhbGciOiJSUzI1NiIsImtpZCI6Ins3cretQ9.c3MzY3JldA')],
    ['that is not JSON', notJson('s3cret')],
  ])('never show a secret %s', async (_, cause) => {
    const { error } = await fetch(transportTo(failing(cause)));
    expect(inspect(error.value, { depth: 10, showHidden: true })).not.toContain('s3cret');
  });

  it.each([
    [
      'throw at once',
      {
        credentials: () => {
          throw new Error('at once');
        },
      },
    ],
    [
      'hold a header that cannot be sent',
      { credentials: () => Promise.resolve({ headers: { A: 'a\nb' }, tls: {}, agent: undefined }) },
    ],
    [
      'hold a damaged certificate',
      {
        server: 'https://127.0.0.1:9',
        credentials: () =>
          Promise.resolve({
            headers: {},
            tls: { ca: localhost.cert, cert: 'x', key: 'y' },
            agent: undefined,
          }),
      },
    ],
  ])('that %s are an error too', async (_, cluster) => {
    const { calls } = await fetch(transportTo({ ...clusterAt('http://127.0.0.1:9'), ...cluster }));
    expect(calls).toEqual(['CREDENTIALS']);
  });

  it.each([
    undefined,
    '',
    'localhost:8001',
    '127.0.0.1:8001',
    'http://',
    'ftp://a',
    'http://127.0.0.1:99999',
  ])('are not what is blamed for the address %j', async (server) => {
    const { calls, error } = await fetch(transportTo({ ...clusterAt('http://a'), server: server as never }));
    expect(calls).toEqual(['CONNECTION']);
    expect(error.value?.message).toContain('the server of the cluster is no http: or https: URL');
  });
});

describe('TLS', () => {
  const hello: RequestListener = (_, response) => response.end('hello');
  const serveTls = async (options = {}) => opened(await serveHttps({ ...localhost, ...options }, hello));

  it('verifies the server', async () => {
    const { url } = await serveTls();
    const unknown = await fetch(transportTo(clusterAt(url)));
    expect(unknown.error.value).toMatchObject({ code: 'CONNECTION', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    const wrong = await fetch(transportTo(clusterAt(url, { tls: { ca: other.cert } })));
    expect(wrong.calls).toEqual(['CONNECTION']);
    const known = await fetch(transportTo(clusterAt(url, { tls: { ca: localhost.cert } })));
    expect(known.calls).toEqual(['200', 'data', 'end']);
  });

  it('can be told not to', async () => {
    const { url } = await serveTls();
    const { calls } = await fetch(transportTo(clusterAt(url, { tls: { rejectUnauthorized: false } })));
    expect(calls).toEqual(['200', 'data', 'end']);
  });

  it('shows the certificate of the client, and the new one after it changed, on a new connection', async () => {
    const seen: string[] = [];
    const server = opened(
      await serveHttps(
        { ...localhost, requestCert: true, ca: [localhost.cert, other.cert] },
        (request, response) => {
          seen.push(
            (
              request.socket as unknown as { getPeerCertificate(): { fingerprint256: string } }
            ).getPeerCertificate().fingerprint256,
          );
          response.end();
        },
      ),
    );
    let own = localhost;
    const transport = transportTo({
      ...clusterAt(server.url),
      credentials: () =>
        Promise.resolve({ headers: {}, tls: { ca: localhost.cert, ...own }, agent: undefined }),
    });
    for (const pair of [localhost, localhost, other, other]) {
      own = pair;
      await fetch(transport);
    }
    await clock.settle();
    expect(seen[0]).toBe(seen[1]);
    expect(seen[2]).toBe(seen[3]);
    expect(seen[0]).not.toBe(seen[2]);
    expect(server.connections).toBe(2);
    expect(server.sockets.size).toBe(1);
  });
});

describe('connections', () => {
  it('are kept alive and used again', async () => {
    const server = await serve((_, response) => response.end('x'));
    const transport = transportTo(clusterAt(server.url));
    for (let n = 0; n < 20; n++) await fetch(transport);
    expect(server.connections).toBe(1);
    transport.close();
    await clock.settle();
    expect(server.sockets.size).toBe(0);
  });

  it('do not wait for one another', async () => {
    let answers = 0;
    const server = await serve((_, response) => {
      answers++;
      response.flushHeaders();
    });
    const transport = transportTo(clusterAt(server.url));
    const connections = Array.from({ length: 60 }, () => transport.open(pods, createRecorder()));
    await clock.settle();
    expect(answers).toBe(60);
    for (const connection of connections) connection.cancel();
  });

  it('closed by the server when idle are replaced without an error', async () => {
    // Closes each connection at its second request, as if that had crossed the closing on its way.
    const requests = new WeakMap<Socket, number>();
    const server = await serve(({ socket }, response) => {
      const count = (requests.get(socket) ?? 0) + 1;
      requests.set(socket, count);
      if (count === 2) socket.resetAndDestroy();
      else response.end('x');
    });
    const transport = transportTo(clusterAt(server.url));
    for (let n = 0; n < 4; n++) expect((await fetch(transport)).calls).toEqual(['200', 'data', 'end']);
    expect(server.connections).toBe(4);
  });

  it('are not taken from the pool after one of them failed', async () => {
    const server = await serve(({ url }, response) => {
      if (url === '/fail') response.destroy();
      else response.end('x');
    });
    const transport = transportTo(clusterAt(server.url));
    // Two idle ones, then one that fails on one of them, is sent again on a new one and fails there too.
    await Promise.all([fetch(transport), fetch(transport)]);
    expect((await fetch(transport, { ...pods, path: '/fail' })).calls).toEqual(['CONNECTION']);
    await clock.settle();
    expect(server.sockets.size).toBe(0);
    expect((await fetch(transport)).calls).toEqual(['200', 'data', 'end']);
  });

  it('are not taken from the pool after one of them was given up', async () => {
    const server = await serve(({ url }, response) => {
      if (url !== '/silent') response.end('x');
    });
    const transport = transportTo(clusterAt(server.url));
    await Promise.all([fetch(transport), fetch(transport)]);
    const silent = transport.open({ ...pods, path: '/silent' }, createRecorder());
    await clock.settle();
    expect(server.sockets.size).toBe(2);
    silent.cancel();
    await clock.settle();
    expect(server.sockets.size).toBe(0);
  });

  it('in use go on when the transport is closed, and are closed after', async () => {
    let response: ServerResponse | undefined;
    const server = await serve((_, answer) => {
      response = answer;
      answer.write('first ');
    });
    const transport = transportTo(clusterAt(server.url));
    const recorder = createRecorder();
    transport.open(pods, recorder);
    await clock.settle();
    transport.close();
    response?.end('last');
    await recorder.over;
    await clock.settle();
    expect(recorder.body.toString()).toBe('first last');
    expect(server.sockets.size).toBe(0);
  });

  it('neither listen twice nor pile up: hundreds of watches use one socket', async () => {
    const warned = jest.fn();
    process.on('warning', warned);
    const server = await serve((_, response) => response.end('{}\n'));
    const transport = transportTo(clusterAt(server.url));
    for (let n = 0; n < 300; n++) await fetch(transport);
    process.off('warning', warned);
    expect(server.connections).toBe(1);
    expect(warned).not.toHaveBeenCalled();
  });
});

describe('pause', () => {
  it('stops the reading from the socket, and resume goes on', async () => {
    const size = 30_000_000;
    const server = await serve((_, response) => response.end(Buffer.alloc(size)));
    const recorder = createRecorder((call) => {
      if (call === '200') connection.pause();
    });
    const connection = transportTo(clusterAt(server.url)).open(pods, recorder);
    await clock.settle();
    const [socket] = server.sockets;
    expect(recorder.calls).toEqual(['200']);
    expect(socket?.writableLength).toBeGreaterThan(size / 2);
    connection.resume();
    await recorder.over;
    expect(recorder.body).toHaveLength(size);
  });

  it('before anything came holds it back', async () => {
    const { url } = await serve((_, response) => response.end('x'));
    const recorder = createRecorder();
    const connection = transportTo(clusterAt(url)).open(pods, recorder);
    connection.pause();
    await clock.settle();
    expect(recorder.calls).toEqual(['200']);
    connection.resume();
    await recorder.over;
    expect(recorder.calls).toEqual(['200', 'data', 'end']);
  });
});

describe('cancel', () => {
  const slow: RequestListener = (request, response) => {
    if (request.url === '/silent') return;
    response.writeHead(200, request.url === '/gzip' ? { 'Content-Encoding': 'gzip' } : {});
    const piece = request.url === '/gzip' ? gzipSync('x'.repeat(1000)) : 'x'.repeat(1000);
    for (let n = 0; n < 20; n++) response.write(piece);
    if (request.url === '/whole') response.end();
  };

  it.each(['http', 'https'] as const)(
    'in any state: no callback after, no socket left (%s)',
    async (scheme) => {
      const server: TestServer = opened(
        scheme === 'http' ? await serveHttp(slow) : await serveHttps(localhost, slow),
      );
      const transport = transportTo(clusterAt(server.url, { tls: { ca: localhost.cert } }));
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('/silent', '/open', '/gzip', '/whole'),
          fc.oneof(
            fc.record({ turns: fc.nat({ max: 12 }) }),
            fc.record({ microtasks: fc.nat({ max: 12 }) }),
            fc.record({ calls: fc.integer({ min: 1, max: 8 }) }),
          ),
          fc.boolean(),
          async (path, when, isPaused) => {
            let calls = 0;
            const recorder = createRecorder(() => {
              if ('calls' in when && ++calls === when.calls) connection.cancel();
            });
            const connection = transport.open({ ...pods, path }, recorder);
            if (isPaused) connection.pause();
            if ('turns' in when)
              for (let n = 0; n < when.turns; n++) await new Promise((next) => setImmediate(next));
            if ('microtasks' in when) for (let n = 0; n < when.microtasks; n++) await Promise.resolve();
            if ('calls' in when) await clock.settle();
            const before = [...recorder.calls];
            connection.cancel();
            connection.resume();
            connection.pause();
            connection.cancel();
            await clock.settle();
            expect(recorder.calls).toEqual(before);
            if ('calls' in when && calls >= when.calls) expect(before).toHaveLength(when.calls);
            if (!before.includes('end')) expect(server.sockets.size).toBe(0);
            transport.close();
            await clock.settle();
            expect(server.sockets.size).toBe(0);
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  it('while credentials are pending sends nothing when they come', async () => {
    const server = await serve(slow);
    let resolve: (credentials: Awaited<ReturnType<Cluster['credentials']>>) => void = () => undefined;
    const cluster: Cluster = {
      ...clusterAt(server.url),
      credentials: () =>
        new Promise((resolved) => {
          resolve = resolved;
        }),
    };
    const recorder = createRecorder();
    const connection = transportTo(cluster).open(pods, recorder);
    await clock.settle();
    connection.cancel();
    resolve({ headers: {}, tls: {}, agent: undefined });
    await clock.settle();
    expect(recorder.calls).toEqual([]);
    expect(server.connections).toBe(0);
  });

  it('after the end leaves the kept-alive socket alone', async () => {
    const server = await serve((_, response) => response.end('x'));
    const transport = transportTo(clusterAt(server.url));
    const recorder = createRecorder();
    const connection = transport.open(pods, recorder);
    await recorder.over;
    connection.cancel();
    await fetch(transport);
    expect(server.connections).toBe(1);
    expect(recorder.calls).toEqual(['200', 'data', 'end']);
  });

  it('in error does not end the process by an event that nobody hears', async () => {
    const server = await serve(slow);
    const recorder = createRecorder();
    const connection = transportTo(clusterAt(server.url)).open(pods, recorder);
    await clock.settle();
    const [socket] = server.sockets;
    const closed = socket && once(socket, 'close');
    socket?.resetAndDestroy();
    connection.cancel();
    await closed;
    await clock.settle();
    expect(recorder.calls).not.toContain('CONNECTION');
  });
});
