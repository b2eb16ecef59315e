import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pods } from './pods.ts';
import { changes, expired, initialEvents, list } from './wire.ts';

/**
 * A process of its own that serves `/<objects>/api/v1/pods` as an API server does, as fast as it is read, and:
 *
 * - `/<objects>/events?from=…&to=…&rate=…` sends changes to the open watches, at full speed or so many a second, and
 *   answers with the monotonic time (ns) at which the first one is due;
 * - `/<objects>/expire` tells the open watches that their version is too old.
 *
 * Its first line of output is its address; it ends with its standard input.
 */
async function main(): Promise<void> {
  const pods = Pods.captured();
  const watches = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    answer(pods, watches, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  process.stdin.on('end', () => process.exit()).resume();
}

async function answer(
  pods: Pods,
  watches: Set<ServerResponse>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '', 'http://bench');
  const [, part, ...rest] = url.pathname.split('/');
  const objects = Number(part);
  const path = rest.join('/');
  if (path === 'events') {
    const [from = 0, to = 0, rate = 0] = ['from', 'to', 'rate'].map((name) =>
      Number(url.searchParams.get(name)),
    );
    response.end(JSON.stringify({ due: String(process.hrtime.bigint()) }));
    await Promise.all([...watches].map((watch) => send(watch, { pods, objects, from, to, rate })));
  } else if (path === 'expire') {
    for (const watch of watches) watch.end(expired());
    response.end('{}');
  } else if (path !== 'api/v1/pods') {
    response.writeHead(404).end('{"kind":"Status","code":404}');
  } else if (!['1', 'true'].includes(url.searchParams.get('watch') ?? '')) {
    await pour(response, list(pods, objects));
    response.end();
  } else {
    response.flushHeaders();
    if (url.searchParams.get('sendInitialEvents') === 'true') {
      await pour(response, initialEvents(pods, objects));
    }
    watches.add(response);
    response.on('close', () => watches.delete(response));
  }
}

/** No faster than it is read. */
async function pour(response: ServerResponse, pieces: Iterable<Buffer>): Promise<void> {
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
  }
}

/** Or closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

interface Changes {
  readonly pods: Pods;
  readonly objects: number;
  readonly from: number;
  readonly to: number;
  /** So many a second; 0: as fast as they are read. */
  readonly rate: number;
}

async function send(watch: ServerResponse, { pods, objects, from, to, rate }: Changes): Promise<void> {
  if (rate === 0) {
    await pour(watch, changes(pods, objects, from, to));
    return;
  }
  const start = performance.now();
  let sent = from;
  const timer = setInterval(() => {
    const due = Math.min(to, from + Math.floor(((performance.now() - start) / 1000) * rate));
    for (const piece of changes(pods, objects, sent, due)) watch.write(piece);
    sent = due;
    if (sent === to) clearInterval(timer);
  }, 1);
  watch.on('close', () => {
    clearInterval(timer);
  });
}

void main();
