import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Connections that were ever made. */
  readonly connections: number;
  /** Those that are open now. */
  readonly sockets: ReadonlySet<Socket>;
  close(): void;
}

export const serveHttp = (handle: RequestListener): Promise<TestServer> =>
  listen(createServer(handle), 'http');

export const serveHttps = (options: ServerOptions, handle: RequestListener): Promise<TestServer> =>
  listen(createTlsServer(options, handle), 'https');

/** Answers the first request of each connection with exactly these bytes, then does what `then` says. */
export function serveBytes(bytes: string | Buffer, then: (socket: Socket) => void): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(bytes, () => {
        then(socket);
      });
    });
  });
  return listen(server, 'http');
}

/** Calls `answer` with the socket for each request on it. */
export function serveRequests(answer: (socket: Socket) => void): Promise<TestServer> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => answer(socket));
  });
  return listen(server, 'http');
}

async function listen(server: Server, scheme: string): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    sockets,
    get connections() {
      return connections;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
