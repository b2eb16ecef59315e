import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { KubeConfig } from '@kubernetes/client-node';
import { createInformer } from '../../src/informer/factory.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { Cluster } from '../../src/transport/cluster.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, onStage, type Seen, type Stage, until, watching } from '../testkit/play.ts';
import { added, after, end, list, watch } from '../testkit/steps.ts';
import { localhost } from '../transport/fixtures/certificates.ts';
import { clusterAt } from '../transport/recorder.ts';

const A = list(100, pod('a', 90));

function informed(
  { clock }: Stage,
  cluster: KubeConfig | Cluster,
): Seen<unknown> & { informer: Informer<unknown> } {
  const informer = createInformer(cluster, 'v1', 'Pod', {
    scheduler: clock,
    random: () => 0,
    streamingList: false,
  }) as Informer<unknown>;
  atTheEnd(() => informer.stop());
  return Object.assign(watching(informer), { informer });
}

function configOf(server: string, cluster: object = {}): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions({
    clusters: [{ name: 'c', server, skipTLSVerify: false, ...cluster }],
    users: [{ name: 'u' }],
    contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
    currentContext: 'x',
  });
  return kubeConfig;
}

async function listening(
  server: Server,
  host = '127.0.0.1',
): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  // These would be timers in real time.
  Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 });
  await new Promise<void>((done) => server.listen(0, host, done));
  atTheEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** Notices that the other end closes, and no more. */
const silent = (socket: Socket): unknown => socket.resume().on('end', () => socket.destroy());

const emptyList: RequestListener = ({ url = '' }, response) => {
  if (url.includes('watch=true')) response.flushHeaders();
  else response.end(JSON.stringify({ kind: 'PodList', metadata: { resourceVersion: '100' }, items: [] }));
};

describe('a proxy', () => {
  const proxied = async (stage: Stage, onConnect: (socket: Socket, port: number) => void) => {
    const server = createServer().on('connect', ({ url = '' }, socket: Socket) => {
      onConnect(socket, Number(url.split(':')[1]));
    });
    const { port, sockets } = await listening(server);
    const cluster = { proxyUrl: `http://127.0.0.1:${port}` };
    return { sockets, kubeConfig: configOf(stage.server.cluster.server, cluster) };
  };

  it('is gone through by one watch after the other, and no connection is left', async () => {
    const rounds = 5;
    const stage = await onStage([
      A,
      ...Array.from({ length: rounds }, () => watch(after(2_000), end())),
      watch(),
    ]);
    const { sockets, kubeConfig } = await proxied(stage, (socket, port) => {
      const upstream = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on('error', () => socket.destroy());
    });
    const seen = informed(stage, kubeConfig);
    for (let round = 0; round <= rounds; round += 1) {
      await until(stage.clock, () => stage.server.asked.length === round + 2);
      expect(sockets.size).toBe(1);
      if (round < rounds) await stage.clock.advance(2_000);
    }
    seen.informer.stop();
    await until(stage.clock, () => sockets.size === 0);
    expect(seen.errors).toEqual([]);
  });

  it('that does not answer is given up soon, and a stop leaves no connection to it', async () => {
    const stage = await onStage([]);
    const { sockets, kubeConfig } = await proxied(stage, silent);
    const { informer, errors } = informed(stage, kubeConfig);
    await until(stage.clock, () => sockets.size === 1);
    await stage.clock.advance(30_000);
    expect(errors).toEqual(['STALLED']);
    await stage.clock.advance(800);
    await until(stage.clock, () => sockets.size === 1);
    informer.stop();
    await until(stage.clock, () => sockets.size === 0);
  });

  it.each([407, 502])('that refuses with %d is an error that can pass', async (code) => {
    const stage = await onStage([]);
    const { kubeConfig } = await proxied(stage, (socket) => socket.end(`HTTP/1.1 ${code} No\r\n\r\n`));
    const { informer, errors } = informed(stage, kubeConfig);
    await until(stage.clock, () => errors.length > 0);
    expect([errors, informer.phase.type]).toEqual([[`Bad response: ${code}`], 'wait']);
  });
});

describe('an address', () => {
  it.each([
    ['/k8s/clusters/c-x', '/k8s/clusters/c-x'],
    ['/k8s/clusters/c-x/', '/k8s/clusters/c-x'],
    ['/a%20b', '/a%20b'],
    ['/?x=1', ''],
  ])('with the path %s', async (path, prefix) => {
    const stage = await onStage([A, watch(added(pod('b', 101)))]);
    const { told } = informed(stage, configOf(stage.server.cluster.server + path));
    await until(stage.clock, () => told.length === 3);
    expect(stage.server.requests.map((request) => request.path)).toEqual(
      Array(2).fill(`${prefix}/api/v1/pods`),
    );
  });

  it('of IPv6', async () => {
    const stage = await onStage([]);
    const { port } = await listening(createServer(emptyList), '::1');
    const { told } = informed(stage, configOf(`http://[::1]:${port}`));
    await until(stage.clock, () => told.length > 0);
    expect(told).toEqual(['synced']);
  });

  it('with two addresses, both refused, says so', async () => {
    const stage = await onStage([]);
    const { errors } = informed(stage, clusterAt('http://localhost:1'));
    await until(stage.clock, () => errors.length > 0);
    expect(errors).toEqual(['ECONNREFUSED']);
  });
});

describe('TLS', () => {
  const caData = Buffer.from(localhost.cert).toString('base64');
  it.each([
    [{ skipTLSVerify: true }, false, 'synced'],
    [{ skipTLSVerify: true, tlsServerName: 'kubernetes.default' }, 'kubernetes.default', 'synced'],
    [{ caData, tlsServerName: 'localhost' }, 'localhost', 'synced'],
    [{ caData, tlsServerName: 'elsewhere' }, undefined, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('of a cluster entry, case %#', async (cluster, name, outcome) => {
    const stage = await onStage([]);
    const names: unknown[] = [];
    const server = createTlsServer(localhost, (request, response) => {
      names.push((request.socket as unknown as { servername: unknown }).servername);
      emptyList(request, response);
    });
    const { port } = await listening(server);
    const { told, errors } = informed(stage, configOf(`https://127.0.0.1:${port}`, cluster));
    await until(stage.clock, () => told.length + errors.length > 0);
    expect([names[0], ...told, ...errors]).toEqual([name, outcome]);
  });

  it('whose handshake never ends, of a watch, is given up as soon as that of a list', async () => {
    const stage = await onStage([]);
    let connections = 0;
    const inner = createTlsServer(localhost, (request, response) => {
      response.setHeader('connection', 'close');
      emptyList(request, response);
    });
    const outer = createTcpServer((socket) => {
      if ((connections += 1) === 2) silent(socket);
      else inner.emit('connection', socket);
    });
    const { port } = await listening(outer);
    const seen = informed(stage, configOf(`https://127.0.0.1:${port}`, { skipTLSVerify: true }));
    await until(stage.clock, () => connections === 2);
    await stage.clock.advance(31_000);
    await until(stage.clock, () => seen.informer.live);
    expect(seen.errors).toEqual(['STALLED']);
  });
});
