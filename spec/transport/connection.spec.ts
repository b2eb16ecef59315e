import type { Cluster } from '../../src/transport/cluster.ts';
import { createTransport } from '../../src/transport/http.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import { localhost } from './fixtures/certificates.ts';
import { clusterAt, createRecorder } from './recorder.ts';
import { serveHttps, serveRequests, type TestServer } from './server.ts';
import { clock, fetch, opened, pods, serve, serveRaw, transportTo } from './stage.ts';

describe('a connection on its way', () => {
  /** Takes connections, and says nothing. */
  const silent = (): Promise<TestServer> => serveRaw('', () => undefined);

  it('is connecting from when it has credentials until it is there', async () => {
    const { url } = await silent();
    let give: () => void = () => undefined;
    const cluster: Cluster = {
      ...clusterAt(url),
      credentials: () =>
        new Promise((resolve) => {
          give = () => resolve({ headers: {}, tls: {}, agent: undefined });
        }),
    };
    const connection = transportTo(cluster).open(pods, createRecorder());
    await clock.settle();
    expect(connection.connecting).toBe(false);
    give();
    // A turn of the promise that was waited for: the socket is made, and no more.
    await Promise.resolve();
    await Promise.resolve();
    expect(connection.connecting).toBe(true);
    await clock.settle();
    expect(connection.connecting).toBe(false);
    connection.cancel();
  });

  it('is connecting as long as TLS is not agreed on', async () => {
    const { port } = await silent();
    const connection = transportTo(clusterAt(`https://127.0.0.1:${port}`)).open(pods, createRecorder());
    await clock.settle();
    expect(connection.connecting).toBe(true);
    connection.cancel();

    const server = opened(await serveHttps(localhost, (_, response) => response.flushHeaders()));
    const trusting = clusterAt(server.url, { tls: { ca: localhost.cert } });
    const recorder = createRecorder();
    const agreed = transportTo(trusting).open(pods, recorder);
    await clock.settle();
    expect([agreed.connecting, recorder.calls]).toEqual([false, ['200']]);
    agreed.cancel();
  });

  it('is not connecting where a kept-alive socket is used again', async () => {
    let answers = 0;
    const server = await serve((_, response) => {
      answers += 1;
      if (answers === 1) response.end('x');
    });
    const transport = transportTo(clusterAt(server.url));
    await fetch(transport);
    await clock.settle();
    const connection = transport.open(pods, createRecorder());
    await clock.settle();
    expect([answers, server.connections, connection.connecting]).toEqual([2, 1, false]);
    connection.cancel();
  });

  it('that is given up before it has credentials tells the cluster so; later, it does not', async () => {
    const { url } = await silent();
    const abandoned = jest.fn();
    const transport = transportTo({ ...clusterAt(url), abandoned });
    const first = transport.open(pods, createRecorder());
    first.cancel();
    first.cancel();
    expect(abandoned).toHaveBeenCalledTimes(1);
    const second = transport.open(pods, createRecorder());
    await clock.settle();
    second.cancel();
    await clock.settle();
    expect(abandoned).toHaveBeenCalledTimes(1);
  });
});

describe('an answer', () => {
  it.each([
    [300, 'UNEXPECTED_ANSWER'],
    [399, 'UNEXPECTED_ANSWER'],
    [299, '299'],
    [400, '400'],
  ])('of status %d is %s', async (status, call) => {
    const { url } = await serve((_, response) => response.writeHead(status).end());
    expect((await fetch(transportTo(clusterAt(url)))).calls[0]).toBe(call);
  });

  it('that is a redirect to nowhere says what to do', async () => {
    const { url } = await serve((_, response) => response.writeHead(307).end());
    const { error } = await fetch(transportTo(clusterAt(url)));
    expect(error.value?.message).toBe(
      'list /api/v1/pods: a redirect (307); redirects are not followed, so let the server of the cluster be the final address',
    );
  });

  it('in another protocol is none, and its socket is closed', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    const server = await serveRaw(upgrade, () => undefined);
    const { error, calls } = await fetch(transportTo(clusterAt(server.url)));
    expect(calls).toEqual(['UNEXPECTED_ANSWER']);
    expect(error.value?.message).toContain('another protocol (101)');
    await clock.settle();
    expect(server.sockets.size).toBe(0);
  });

  it('that is not HTTP is named by its code, on a kept-alive socket, too, where nothing is sent again', async () => {
    let requests = 0;
    const server = opened(
      await serveRequests((socket) => {
        requests += 1;
        socket.write(requests === 1 ? 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx' : 'rubbish\r\n\r\n');
      }),
    );
    const transport = transportTo(clusterAt(server.url));
    expect((await fetch(transport)).calls).toEqual(['200', 'data', 'end']);
    await clock.settle();
    const { error, calls } = await fetch(transport);
    expect(calls).toEqual(['UNEXPECTED_ANSWER']);
    expect(error.value?.message).toMatch(/not HTTP \(HPE_\w+\)/);
    expect(requests).toBe(2);
  });

  it('that is cut on a kept-alive socket once it began is not asked for again', async () => {
    let requests = 0;
    const server = opened(
      await serveRequests((socket) => {
        requests += 1;
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n');
        if (requests === 1) socket.write('x');
        else setImmediate(() => socket.resetAndDestroy());
      }),
    );
    const transport = transportTo(clusterAt(server.url));
    await fetch(transport);
    await clock.settle();
    expect((await fetch(transport)).error.value).toMatchObject({ code: 'CONNECTION', reason: 'CUT' });
    expect(requests).toBe(2);
  });

  it('for which the pause was over before it came is read', async () => {
    const { url } = await serve((_, response) => response.end('x'));
    const recorder = createRecorder();
    const connection = transportTo(clusterAt(url)).open(pods, recorder);
    connection.pause();
    connection.resume();
    await recorder.over;
    expect(recorder.calls).toEqual(['200', 'data', 'end']);
  });
});

describe('the address', () => {
  it('may end with slashes', async () => {
    const paths: (string | undefined)[] = [];
    const { url } = await serve((request, response) => {
      paths.push(request.url);
      response.end();
    });
    for (const end of ['', '/', '//']) await fetch(transportTo(clusterAt(url + end)));
    expect(paths).toEqual(Array(3).fill('/api/v1/pods'));
  });

  it.each(['xhttp://127.0.0.1', 'ftp://127.0.0.1', 'http://', ''])('%p is none', async (server) => {
    const { error } = await fetch(transportTo(clusterAt(server)));
    expect(error.value).toMatchObject({
      code: 'CONNECTION',
      reason: expect.stringContaining('no http:') as string,
    });
  });
});

describe('createTransport', () => {
  const credentials = () => Promise.resolve({ headers: {}, tls: {}, agent: undefined });
  const renew = () => Promise.resolve();

  it.each([undefined, null, 'Bearer s3cret', {}, { credentials }, { renew }, { credentials: 1, renew }])(
    'refuses %p',
    (cluster) => {
      const refused = { code: 'INVALID_OPTION', option: 'cluster', value: typeof cluster };
      const message = expect.stringMatching(/give a KubeConfig, or an object with server/) as string;
      expect(thrownBy(() => createTransport(cluster as never))).toMatchObject({ ...refused, message });
    },
  );
});
