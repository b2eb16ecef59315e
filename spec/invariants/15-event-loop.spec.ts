import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { count, filter, firstValueFrom, take } from 'rxjs';
import { createInformer } from '../../src/informer/factory.ts';
import { clusterAt } from '../transport/recorder.ts';

const COUNT = 100_000;
/** Unit: milliseconds. */
const LIMIT = 50;

/** Processor time of this thread where the system tells it, else of this process. Unit: milliseconds. */
function processorTime(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  }
}

/**
 * How long each turn of the event loop takes: the time that goes by, or the processor time where that is
 * less, since others may use the processor too.
 */
class Turns {
  #longest = 0;
  #running = true;

  constructor() {
    const measure = (): void => {
      const passed = performance.now();
      const worked = processorTime();
      setImmediate(() => {
        this.#longest = Math.max(
          this.#longest,
          Math.min(performance.now() - passed, processorTime() - worked),
        );
        if (this.#running) measure();
      });
    };
    measure();
  }

  /** Since the last call. Unit: milliseconds. */
  takeLongest(): number {
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  stop(): void {
    this.#running = false;
  }
}

// A pause of the garbage collector, or a machine that stutters, does not come three times.
jest.retryTimes(2);

let child: ChildProcess;
let server: string;

beforeAll(async () => {
  const serving = spawn(process.execPath, [join(__dirname, 'listServer.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = serving;
  const [port] = (await once(serving.stdout, 'data')) as [Buffer];
  server = `http://127.0.0.1:${String(port).trim()}`;
});

afterAll(async () => {
  child.kill();
  await once(child, 'exit');
});

it('100,000 objects never block the event loop for 50 ms: listed, streamed, stored, told, replayed', async () => {
  const { notifications$, synced$, status$, ...informer } = createInformer(clusterAt(server), 'v1', 'Pod', {
    indexers: { node: (pod) => [pod.spec?.nodeName ?? ''] },
  });
  const told = (type: string): Promise<number> =>
    firstValueFrom(
      notifications$.pipe(
        filter((notification) => notification.type === type),
        take(COUNT),
        count(),
      ),
    );
  const lists: string[] = [];
  status$.subscribe((status) => {
    if (status.type === 'list') lists.push(`${status.reason} ${status.mode}`);
  });
  const turns = new Turns();
  const longest: Record<string, number> = {};
  try {
    notifications$.subscribe();
    await firstValueFrom(synced$);
    longest['the first list'] = turns.takeLongest();

    await told('add');
    longest['a late subscriber'] = turns.takeLongest();

    const updated = told('update');
    await fetch(`${server}/expire`);
    await updated;
    longest['a relist'] = turns.takeLongest();
  } finally {
    turns.stop();
    informer.stop();
  }
  expect(lists).toEqual(['first streaming', 'first paged', 'expired streaming']);
  expect(Object.entries(longest).filter(([, time]) => time >= LIMIT)).toEqual([]);
}, 120_000);
