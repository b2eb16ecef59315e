import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { createClock, type SteppedClock } from '../../src/testing/clock.ts';
import type { Cluster } from '../../src/transport/cluster.ts';
import { createTransport, type HttpRequest, type Transport } from '../../src/transport/http.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { serveBytes, serveHttp, type TestServer } from './server.ts';

export const pods: HttpRequest = { verb: 'list', path: '/api/v1/pods', accept: 'application/json' };

/** Of the test that runs; what is opened in it is closed after it. */
export let clock: SteppedClock;
const toClose: { close(): void }[] = [];

beforeEach(() => {
  clock = createClock();
});

afterEach(() => {
  for (const each of toClose.splice(0)) each.close();
  clock.dispose();
});

export function opened<T extends { close(): void }>(thing: T): T {
  toClose.push(thing);
  return thing;
}

export const serve = async (handle: RequestListener): Promise<TestServer> => opened(await serveHttp(handle));

export const serveRaw = async (bytes: string | Buffer, then: (socket: Socket) => void): Promise<TestServer> =>
  opened(await serveBytes(bytes, then));

export const transportTo = (cluster: Cluster): Transport => opened(createTransport(cluster));

export async function fetch(transport: Transport, request = pods): Promise<Recorder> {
  const recorder = createRecorder();
  transport.open(request, recorder);
  await recorder.over;
  return recorder;
}
