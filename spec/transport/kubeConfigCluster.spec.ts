import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestOptions } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type Cluster as ClusterEntry, KubeConfig, type User } from '@kubernetes/client-node';
import { InvalidOptionError } from '../../src/errors.ts';
import { createTransport } from '../../src/transport/http.ts';
import { isKubeConfig, kubeConfigCluster } from '../../src/transport/kubeConfigCluster.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import { localhost, other } from './fixtures/certificates.ts';
import { createRecorder } from './recorder.ts';
import { serveHttps } from './server.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rx-informer-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const kubeConfigOf = (user: Partial<User> = {}, cluster: Partial<ClusterEntry> = {}) => {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser(
    { name: 'c', server: 'https://127.0.0.1:6443', skipTLSVerify: false, ...cluster },
    { name: 'u', ...user },
  );
  return kubeConfig;
};

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** An exec plugin whose tokens are T1, T2 and so on, each good for an hour. */
const execUser = (): Partial<User> => {
  const script = join(folder, 'plugin.js');
  const counter = join(folder, 'counter');
  writeFileSync(counter, '');
  writeFileSync(
    script,
    `const fs = require('fs');
    fs.appendFileSync(${JSON.stringify(counter)}, '.');
    const token = 'T' + fs.readFileSync(${JSON.stringify(counter)}, 'utf8').length;
    const expirationTimestamp = new Date(Date.now() + 3600_000).toISOString();
    console.log(JSON.stringify({ kind: 'ExecCredential', status: { token, expirationTimestamp } }));`,
  );
  return {
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: [script] },
  };
};

const tokenFileUser = (file: string): Partial<User> => ({
  authProvider: { name: 'tokenFile', config: { tokenFile: file } },
});

const authorization = async (cluster: ReturnType<typeof kubeConfigCluster>) =>
  (await cluster.credentials()).headers['Authorization'];

describe('renew', () => {
  it('drops the cached token of an exec plugin', async () => {
    const cluster = kubeConfigCluster(kubeConfigOf(execUser()));
    expect(await authorization(cluster)).toBe('Bearer T1');
    expect(await authorization(cluster)).toBe('Bearer T1');
    await cluster.renew();
    expect(await authorization(cluster)).toBe('Bearer T2');
    expect(await authorization(cluster)).toBe('Bearer T2');
  });

  it('drops the cached token of a file', async () => {
    const file = join(folder, 'token');
    writeFileSync(file, 'T1\n');
    const cluster = kubeConfigCluster(kubeConfigOf(tokenFileUser(file)));
    expect(await authorization(cluster)).toBe('Bearer T1');
    writeFileSync(file, 'T2\n');
    expect(await authorization(cluster)).toBe('Bearer T1');
    await cluster.renew();
    expect(await authorization(cluster)).toBe('Bearer T2');
  });

  it('keeps the rest: cluster, context, user and added authenticators', async () => {
    const kubeConfig = kubeConfigOf({ impersonateUser: 'jane' }, { caData: base64('ca') });
    kubeConfig.addAuthenticator({
      isAuthProvider: () => true,
      applyAuthentication(_: User, options: RequestOptions) {
        Object.assign(options.headers ?? {}, { Authorization: 'Custom' });
        return Promise.resolve();
      },
    });
    const cluster = kubeConfigCluster(kubeConfig);
    const before = await cluster.credentials();
    await cluster.renew();
    expect(await cluster.credentials()).toEqual(before);
    expect(before).toMatchObject({ headers: { Authorization: 'Custom', 'Impersonate-User': 'jane' } });
    expect(cluster.server).toBe('https://127.0.0.1:6443');
  });

  it('loads by the given function, with another address and user if the file says so', async () => {
    const reload = jest.fn(() => kubeConfigOf({ token: 'T2' }, { server: 'https://127.0.0.2:6443' }));
    const cluster = kubeConfigCluster(kubeConfigOf({ token: 'T1' }), { reload });
    expect(await authorization(cluster)).toBe('Bearer T1');
    expect(reload).not.toHaveBeenCalled();
    await cluster.renew();
    expect(await authorization(cluster)).toBe('Bearer T2');
    expect(await authorization(cluster)).toBe('Bearer T2');
    expect(reload).toHaveBeenCalledTimes(1);
    expect(cluster.server).toBe('https://127.0.0.2:6443');
  });

  it('that cannot load fails the next credentials, and is tried again by those after', async () => {
    const reload = jest
      .fn(() => kubeConfigOf({ token: 'T2' }))
      .mockImplementationOnce(() => {
        throw new Error('the file is being written');
      })
      .mockImplementationOnce(() => new KubeConfig());
    const cluster = kubeConfigCluster(kubeConfigOf({ token: 'T1' }), { reload });
    await cluster.renew();
    await expect(cluster.credentials()).rejects.toThrow('being written');
    await expect(cluster.credentials()).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    expect(await authorization(cluster)).toBe('Bearer T2');
  });
});

describe('credentials', () => {
  it('asked for by many at once run the exec plugin once', async () => {
    const cluster = kubeConfigCluster(kubeConfigOf(execUser()));
    const all = await Promise.all(Array.from({ length: 10 }, () => authorization(cluster)));
    expect(all).toEqual(Array(10).fill('Bearer T1'));
    expect(readFileSync(join(folder, 'counter'), 'utf8')).toBe('.');
  });

  it('follow the current context of the KubeConfig', async () => {
    const kubeConfig = kubeConfigOf({ token: 'T1' });
    kubeConfig.addUser({ name: 'v', token: 'T2' });
    kubeConfig.addContext({ name: 'second', cluster: 'c', user: 'v' });
    const cluster = kubeConfigCluster(kubeConfig);
    expect(await authorization(cluster)).toBe('Bearer T1');
    kubeConfig.setCurrentContext('second');
    expect(await authorization(cluster)).toBe('Bearer T2');
  });

  it('hold the TLS material, and leave the server verified unless the file says otherwise', async () => {
    const user = { certData: base64('cert'), keyData: base64('key') };
    const entry = { caData: base64('ca'), tlsServerName: 'api.example' };
    const { tls, agent } = await kubeConfigCluster(kubeConfigOf(user, entry)).credentials();
    expect(tls).toEqual({
      ca: Buffer.from('ca'),
      cert: Buffer.from('cert'),
      key: Buffer.from('key'),
      servername: 'api.example',
    });
    expect(agent).toBeUndefined();
    const unverified = await kubeConfigCluster(kubeConfigOf({}, { skipTLSVerify: true })).credentials();
    expect(unverified.tls).toEqual({ rejectUnauthorized: false });
  });

  it('read certificates anew each time', async () => {
    const certFile = join(folder, 'cert');
    const cluster = kubeConfigCluster(kubeConfigOf({ certFile }));
    for (const cert of ['one', 'two']) {
      writeFileSync(certFile, cert);
      expect((await cluster.credentials()).tls.cert?.toString()).toBe(cert);
    }
  });

  it('know basic authentication', async () => {
    const cluster = kubeConfigCluster(kubeConfigOf({ username: 'jane', password: 'p' }));
    expect(await authorization(cluster)).toBe(`Basic ${base64('jane:p')}`);
  });

  it('of a plain http cluster need no skipTLSVerify, and do not give it to the KubeConfig', async () => {
    const kubeConfig = kubeConfigOf({ token: 'T1' }, { server: 'http://127.0.0.1:8001' });
    const cluster = kubeConfigCluster(kubeConfig);
    expect(await authorization(cluster)).toBe('Bearer T1');
    await cluster.renew();
    expect(await authorization(cluster)).toBe('Bearer T1');
    expect(kubeConfig.getCurrentCluster()?.skipTLSVerify).toBe(false);
    await expect(kubeConfig.applyToHTTPSOptions({})).rejects.toThrow('skipTLSVerify');
  });

  it('that cannot be had are an error of the request, without the output of the plugin', async () => {
    const script = join(folder, 'broken.js');
    writeFileSync(script, 'console.log("s3cret")');
    const exec = (command: string) => ({ exec: { command, args: [script] } });
    for (const user of [exec(process.execPath), exec(join(folder, 'no-such-plugin'))]) {
      const transport = createTransport(kubeConfigCluster(kubeConfigOf(user)));
      const recorder = createRecorder();
      transport.open({ verb: 'list', path: '/api/v1/pods', accept: 'application/json' }, recorder);
      await recorder.over;
      expect(recorder.calls).toEqual(['CREDENTIALS']);
      expect(inspect(recorder.error.value, { depth: 10, showHidden: true })).not.toContain('s3cret');
    }
  });
});

describe('credentials on their way', () => {
  /** Each asked for is given when it is told so, in any order. */
  const slow = () => {
    const waiting: (() => void)[] = [];
    const kubeConfig = kubeConfigOf();
    kubeConfig.addAuthenticator({
      isAuthProvider: () => true,
      applyAuthentication: (_: User, options: RequestOptions) =>
        new Promise((resolve) => {
          const token = `T${String(waiting.length + 1)}`;
          waiting.push(() => {
            Object.assign(options.headers ?? {}, { Authorization: token });
            resolve();
          });
        }),
    });
    return { cluster: kubeConfigCluster(kubeConfig), waiting };
  };
  const turn = () => new Promise(setImmediate);

  it('of before a renewal are not taken for those after it', async () => {
    const { cluster, waiting } = slow();
    const before = authorization(cluster);
    await turn();
    await cluster.renew();
    const after = authorization(cluster);
    await turn();
    waiting[0]?.();
    expect(await before).toBe('T1');
    await turn();
    const shared = authorization(cluster);
    waiting[1]?.();
    expect(await Promise.all([after, shared])).toEqual(['T2', 'T2']);
    expect(waiting).toHaveLength(2);
  });

  it('that were given up are asked for anew', async () => {
    const { cluster, waiting } = slow();
    void cluster.credentials();
    await turn();
    cluster.abandoned?.();
    const next = authorization(cluster);
    await turn();
    expect(waiting).toHaveLength(2);
    waiting[1]?.();
    expect(await next).toBe('T2');
  });
});

describe('a KubeConfig of another make', () => {
  it('that cannot be copied is used again', async () => {
    const real = kubeConfigOf({ token: 'T1' });
    const made = {
      getCurrentCluster: () => real.getCurrentCluster(),
      applyToHTTPSOptions: (options: RequestOptions) => real.applyToHTTPSOptions(options),
    };
    const cluster = kubeConfigCluster(made as KubeConfig);
    await cluster.renew();
    expect(await authorization(cluster)).toBe('Bearer T1');
  });

  it('may leave headers and TLS material undefined', async () => {
    const kubeConfig = kubeConfigOf();
    kubeConfig.applyToHTTPSOptions = (options) => {
      Object.assign(options, { headers: { 'X-None': undefined, 'X-One': 1 }, ca: undefined, cert: 'c' });
      return Promise.resolve();
    };
    const { headers, tls } = await kubeConfigCluster(kubeConfig).credentials();
    expect(Object.entries(headers)).toEqual([['X-One', '1']]);
    expect(Object.entries(tls)).toEqual([['cert', 'c']]);
  });
});

describe('a proxy', () => {
  const KEPT = 'http://127.0.0.1:9';

  it('is given up together with the tunnel that it has not opened yet', async () => {
    const cluster = kubeConfigCluster(kubeConfigOf({}, { proxyUrl: KEPT }));
    const { agent } = await cluster.credentials();
    const { proxyRequestOptions } = agent as { proxyRequestOptions?: { signal?: AbortSignal } };
    expect(proxyRequestOptions?.signal?.aborted).toBe(false);
    agent?.destroy();
    expect(proxyRequestOptions?.signal?.aborted).toBe(true);
  });

  it('is that of one connection, and there is none where none is named', async () => {
    const cluster = kubeConfigCluster(kubeConfigOf({}, { proxyUrl: KEPT }));
    const [one, other] = [await cluster.credentials(), await cluster.credentials()];
    expect(one.agent).not.toBe(other.agent);
    expect((await kubeConfigCluster(kubeConfigOf()).credentials()).agent).toBeUndefined();
  });

  it('is gone through, and verified connections stay so, with the certificates of now', async () => {
    const tunnels: string[] = [];
    const proxy = createServer().on('connect', ({ url = '' }, socket) => {
      tunnels.push(url);
      const upstream = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      for (const end of [socket, upstream]) end.on('error', () => undefined);
    });
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    const server = await serveHttps(localhost, (_, response) => response.end('hello'));
    const caFile = join(folder, 'ca');
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const transport = createTransport(
      kubeConfigCluster(kubeConfigOf({}, { server: server.url, caFile, proxyUrl })),
    );
    const results: string[] = [];
    for (const { cert } of [localhost, other, localhost]) {
      writeFileSync(caFile, cert);
      const recorder = createRecorder();
      transport.open({ verb: 'list', path: '/', accept: '*/*' }, recorder);
      await recorder.over;
      results.push(recorder.error.value?.code ?? recorder.body.toString());
    }
    expect(results).toEqual(['hello', 'CONNECTION', 'hello']);
    expect(tunnels).toEqual(Array(3).fill(`127.0.0.1:${server.port}`));
    server.close();
    proxy.close();
    proxy.closeAllConnections();
  });
});

describe('what cannot be used', () => {
  const expectInvalid = (kubeConfig: KubeConfig, option: string) => {
    expect(() => kubeConfigCluster(kubeConfig)).toThrow(InvalidOptionError);
    expect(() => kubeConfigCluster(kubeConfig)).toThrow(option);
  };

  it('is a KubeConfig without a current context, or whose context names no cluster', () => {
    expectInvalid(new KubeConfig(), 'kubeConfig.currentContext');
    expectInvalid(new KubeConfig(), 'setCurrentContext');
    const kubeConfig = kubeConfigOf({ token: 's3cret' });
    kubeConfig.setCurrentContext('nowhere');
    expectInvalid(kubeConfig, '"nowhere"');
    kubeConfig.addContext({ name: 'dangling', cluster: 'gone', user: 'u' });
    kubeConfig.setCurrentContext('dangling');
    expectInvalid(kubeConfig, '"dangling"');
  });

  it.each([undefined, null, {}, 'Bearer s3cret'])('is %p, of which only the type is told', (value) => {
    const refused = { code: 'INVALID_OPTION', option: 'kubeConfig', value: typeof value };
    const invalid = thrownBy(() => kubeConfigCluster(value as never));
    expect(invalid).toMatchObject(refused);
    expect(inspect(invalid)).toContain('give a KubeConfig of @kubernetes/client-node');
    expect(inspect(invalid)).not.toContain('s3cret');
  });

  it.each(['', '127.0.0.1:6443', 'ftp://x', 'https://', 'xhttps://x'])('is the address %p', (server) => {
    expectInvalid(kubeConfigOf({}, { server }), 'cluster.server');
    expectInvalid(kubeConfigOf({}, { server }), 'it must be an http: or https: URL');
  });
});

describe('isKubeConfig', () => {
  it('goes by the shape', () => {
    expect(isKubeConfig(new KubeConfig())).toBe(true);
    expect(isKubeConfig({ getCurrentCluster: () => null, applyToHTTPSOptions: () => undefined })).toBe(true);
    for (const value of [
      undefined,
      null,
      {},
      'x',
      1,
      { getCurrentCluster: true },
      { getCurrentCluster: () => null },
      () => undefined,
    ]) {
      expect(isKubeConfig(value)).toBe(false);
    }
  });
});
