// The process of the informers: it does what the one of the server asks for, and measures itself.
import { Socket } from 'node:net';
import { Informed } from './informed.ts';
import type { Answers, Request } from './messages.ts';
import type { Figures } from './samples.ts';

let informed: Informed | undefined;

async function answer(request: Request): Promise<Answers[Request['type']]> {
  switch (request.type) {
    case 'start':
      informed = new Informed(request.server, request.seed);
      await informed.synced();
      return null;
    case 'join':
      informed?.join();
      return null;
    case 'sample':
      return figures();
    case 'compare':
      if (informed === undefined) throw new Error('nothing was started');
      return informed.compare(request.truth);
    case 'stop':
      informed?.stop();
      return figures();
  }
}

/** After what is still to end has ended, and twice: what the first collection frees may hold something else. */
async function figures(): Promise<Figures> {
  for (let left = 2; left > 0; left -= 1) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const countOf = (kind: string): number => resources.filter((resource) => resource === kind).length;
  const sockets = openSockets();
  return {
    heap: heapUsed,
    external,
    rss,
    sockets: countOf('TCPSocketWrap'),
    timers: countOf('Timeout') + countOf('Interval'),
    listeners: sockets.reduce((sum, socket) => sum + listenersOn(socket), 0),
  };
}

/** Node has no public way to them. */
function openSockets(): Socket[] {
  const node = process as unknown as { _getActiveHandles(): unknown[] };
  return node
    ._getActiveHandles()
    .filter((handle): handle is Socket => handle instanceof Socket && handle.remotePort !== undefined);
}

const listenersOn = (socket: Socket): number =>
  socket.eventNames().reduce((sum, event) => sum + socket.listenerCount(event), 0);

process.on('message', (request: Request) => {
  answer(request).then(
    (result) => process.send?.({ answer: result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
