import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { coalesce } from '../../../operators/coalesce.ts';
import { createInformer } from '../../../src/informer/factory.ts';
import { clusterAt } from '../../transport/recorder.ts';

/** A program that stops its informer in this state, and has nothing else to do then. */
const when = process.argv[2];
const list = JSON.stringify({
  kind: 'PodList',
  metadata: { resourceVersion: '100' },
  items: [{ metadata: { name: 'a', uid: '1', resourceVersion: '90' } }],
});

const server = createServer((request, response) => {
  if (request.url?.includes('watch=true') === true) {
    if (when === 'waiting') response.writeHead(500).end();
    else response.flushHeaders();
  } else if (when !== 'listing') {
    response.end(list);
  }
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const informer = createInformer(clusterAt(`http://127.0.0.1:${port}`), 'v1', 'Pod', {
    streamingList: false,
  });
  // Only the informer keeps the process.
  server.unref();
  server.on('connection', (socket) => socket.unref());
  informer.notifications$
    .pipe(coalesce(() => (when === 'handling' ? new Promise(() => undefined) : undefined)))
    .subscribe();
  setTimeout(() => {
    console.log('alive after 300 ms');
    const stopped = performance.now();
    process.on('exit', () => console.log(`exit after ${Math.round(performance.now() - stopped)} ms`));
    informer.stop();
  }, 300).unref();
});
