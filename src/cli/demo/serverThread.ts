// The thread of the demo: an API server and the life of its pods.
import { parentPort, workerData } from 'node:worker_threads';
import { interval } from 'rxjs';
import { type ApiServer, createApiServer } from '../../testing/apiServer.ts';
import type { DemoTarget } from '../options.ts';
import { Load, type Step } from './load.ts';

/** What the thread says, once. */
export interface Listening {
  readonly url: string;
}

/** Changes are made in bunches. Unit: milliseconds. */
const PERIOD = 40;

const { pods, rate } = workerData as DemoTarget;
const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

async function serve(): Promise<void> {
  const server = await createApiServer();
  const load = new Load({ pods, seed: Date.now() });
  for (const pod of load.first(now())) server.create(pod);
  parentPort?.postMessage({ url: server.url } satisfies Listening);

  const dueAt = (tick: number): number => Math.floor((tick * rate * PERIOD) / 1000);
  interval(PERIOD).subscribe((tick) => {
    for (let due = dueAt(tick); due < dueAt(tick + 1); due += 1) take(server, load.next(now()));
  });
}

function take(server: ApiServer, step: Step): void {
  switch (step.type) {
    case 'create':
      server.create(step.pod);
      break;
    case 'patch':
      server.patch('v1', 'Pod', step.key, step.patch);
      break;
    case 'delete':
      server.delete('v1', 'Pod', step.key);
  }
}

void serve();
