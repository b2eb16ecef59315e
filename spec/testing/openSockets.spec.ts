import { once } from 'node:events';
import { createServer, get } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { PassThrough } from 'node:stream';
import { type OpenSockets, openSockets } from '../../src/testing/openSockets.ts';
import { localhost } from '../transport/fixtures/certificates.ts';

let sockets: OpenSockets;
const toClose: (() => void)[] = [];

beforeEach(() => {
  sockets = openSockets();
});

afterEach(() => {
  sockets.close();
  for (const close of toClose.splice(0)) close();
  jest.restoreAllMocks();
});

const listen = async (server: Server) => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  toClose.push(() => server.close());
  return (server.address() as AddressInfo).port;
};

const closeLater = (socket: Socket) => {
  socket.on('error', () => undefined);
  toClose.push(() => socket.destroy());
};

const socketPair = async (options = {}): Promise<[Socket, Socket]> => {
  const server = createTcpServer(options);
  const client = connect(await listen(server), '127.0.0.1');
  closeLater(client);
  const connected = once(client, 'connect');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  closeLater(accepted);
  await connected;
  return [client, accepted];
};

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** From now on, what waits for its other end has waited long enough. */
const letGracePass = () => {
  const later = performance.now() + 60_000;
  jest.spyOn(performance, 'now').mockReturnValue(later);
};

it('says when nothing is on its way', async () => {
  expect(sockets.busy()).toBeUndefined();
  await socketPair();
  expect(sockets.busy()).toBeUndefined();
});

it('sees a connection that is being made, and then waits for both of its ends', async () => {
  const port = await listen(createTcpServer(closeLater));
  const client = connect(port, '127.0.0.1');
  closeLater(client);
  expect(sockets.busy()).toContain('connecting');
  await once(client, 'connect');
  while (sockets.busy()?.includes('other end')) await turn();
  expect(sockets.busy()).toBeUndefined();
});

it('sees bytes until they are read, and leaves them aside when the reader is paused', async () => {
  const [client, accepted] = await socketPair();
  accepted.resume();
  client.write('hello');
  expect(sockets.busy()).toMatch(/5 bytes to read/);
  expect(sockets.busy()).toContain(String(client.localPort));
  accepted.pause();
  expect(sockets.busy()).toBeUndefined();
  accepted.resume();
  await once(accepted, 'data');
  expect(sockets.busy()).toBeUndefined();
});

it('sees a close until the other end has seen it', async () => {
  const [client, accepted] = await socketPair();
  accepted.resume();
  client.destroy();
  expect(sockets.busy()).toContain('closing');
  const seen = new Promise<string | undefined>((resolve) => {
    client.once('close', () => {
      resolve(sockets.busy());
    });
  });
  expect(await seen).toContain('its other end closed');
  await once(accepted, 'close');
  await turn();
  expect(sockets.busy()).toBeUndefined();
});

it('is done with an end that stays open after its other end closed', async () => {
  const [client, accepted] = await socketPair({ allowHalfOpen: true });
  accepted.resume();
  client.end();
  await once(accepted, 'end');
  expect(accepted.writable).toBe(true);
  expect(sockets.busy()).toBeUndefined();
});

it('counts the bytes of TLS on the wire, on both sides', async () => {
  let write: (text: string) => void = () => undefined;
  const server = createServer(localhost, (_, response) => {
    write = (text) => response.write(text);
    response.flushHeaders();
  });
  const request = get({ port: await listen(server), host: '127.0.0.1', ca: localhost.cert, agent: false });
  const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
  toClose.push(() => request.destroy());
  while (sockets.busy() !== undefined) await turn();
  letGracePass();
  response.resume();
  write('hello');
  await new Promise<void>((resolve) => {
    process.nextTick(resolve);
  });
  expect(sockets.busy()).toMatch(/bytes to read/);
  await once(response, 'data');
  expect(sockets.busy()).toBeUndefined();
});

it('leaves an end aside whose other end does not show up', async () => {
  const server = createTcpServer(closeLater);
  const port = await listen(server);
  sockets.close();
  const unseen = connect(port, '127.0.0.1');
  closeLater(unseen);
  sockets = openSockets();
  await once(server, 'connection');
  expect(sockets.busy()).toContain('other end');
  letGracePass();
  expect(sockets.busy()).toBeUndefined();
});

it('watches a transform until it has nothing to do', async () => {
  const transform = new PassThrough({ transform: (chunk, _, done) => setImmediate(done, null, chunk) });
  sockets.watch(transform);
  expect(sockets.busy()).toBeUndefined();
  transform.resume();
  transform.end('hello');
  expect(sockets.busy()).toContain('PassThrough');
  await once(transform, 'close');
  expect(sockets.busy()).toBeUndefined();
});

it('puts no more listeners on a socket for many than for one, and sees for those that are left', async () => {
  const others = Array.from({ length: 20 }, openSockets);
  const [client, accepted] = await socketPair();
  expect(client.listenerCount('close')).toBeLessThan(5);
  client.write('hello');
  for (const each of [sockets, ...others]) expect(each.busy()).toMatch(/bytes/);
  sockets.close();
  sockets.close();
  expect(sockets.busy()).toBeUndefined();
  for (const each of others) {
    expect(each.busy()).toMatch(/bytes/);
    each.close();
  }
  sockets = openSockets();
  expect(sockets.busy()).toBeUndefined();
  accepted.destroy();
});

it('sees nothing any more once closed', async () => {
  const [client] = await socketPair();
  sockets.close();
  client.write('hello');
  await socketPair();
  expect(sockets.busy()).toBeUndefined();
});
