// A server in a process of its own, so that its work does not count as that of an informer. It has 100,000 pods: the
// first list is cut short where it is to be a streaming one, so it comes in one piece; one from a version on is streamed.
// With each list every pod has a newer state. `/expire` ends the watches with 410.
import { createServer } from 'node:http';

const COUNT = 100_000;
const CHUNK = 1_000;
const watches = new Set();
let version = 1_000_000;

const pod = (index) => ({
  metadata: {
    name: `web-${index}`,
    namespace: `team-${index % 50}`,
    uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    resourceVersion: String(version),
    labels: { app: `app-${index % 200}`, tier: 'web' },
  },
  spec: {
    nodeName: `node-${index % 500}`,
    containers: [{ name: 'main', image: 'registry.example.com/web:1.2.3', ports: [{ containerPort: 80 }] }],
  },
  status: { phase: 'Running', podIP: '10.0.0.1', conditions: [{ type: 'Ready', status: 'True' }] },
});

const typed = (object) => ({ kind: 'Pod', apiVersion: 'v1', ...object });
const event = (type, object) => `${JSON.stringify({ type, object })}\n`;

/** As fast as the reader takes it. */
async function writePods(response, textOf) {
  version += 1;
  for (let begin = 0; begin < COUNT; begin += CHUNK) {
    const texts = Array.from({ length: CHUNK }, (_, offset) => textOf(pod(begin + offset), begin + offset));
    if (!response.write(texts.join(''))) await new Promise((resolve) => response.once('drain', resolve));
  }
}

async function writeList(response) {
  response.write('{"kind":"PodList","apiVersion":"v1","items":[');
  await writePods(response, (object, index) => `${index === 0 ? '' : ','}${JSON.stringify(object)}`);
  response.end(`],"metadata":{"resourceVersion":"${version}"}}`);
}

async function writeStreamingList(response) {
  await writePods(response, (object) => event('ADDED', typed(object)));
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  response.write(event('BOOKMARK', typed({ metadata: { resourceVersion: String(version), annotations } })));
}

function expire() {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 };
  for (const response of watches) response.end(event('ERROR', status));
  watches.clear();
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://server');
  if (pathname === '/expire') {
    expire();
    response.end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  if (!searchParams.has('watch')) {
    void writeList(response);
    return;
  }
  const isStreamingList = searchParams.has('sendInitialEvents');
  if (isStreamingList && !searchParams.has('resourceVersion')) {
    response.end();
    return;
  }
  watches.add(response);
  response.flushHeaders();
  if (isStreamingList) void writeStreamingList(response);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${server.address().port}\n`);
});
