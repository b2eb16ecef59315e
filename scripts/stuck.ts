// npx ts-node scripts/stuck.ts: how much memory is kept for a handler that never ends, with each way to fall behind.
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { NEVER, type OperatorFunction, Subject } from 'rxjs';
import {
  block,
  coalesce,
  createContext,
  dropNewest,
  dropOldest,
  entryOf,
  type KubernetesObject,
  type Notification,
  throwIfFull,
} from '../src/index.ts';
import { updateOf } from '../src/store/notification.ts';

const COUNT = 1_000_000;
const KEYS = 1000;
const FILLING = 'x'.repeat(100);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

void printAll();

async function printAll(): Promise<void> {
  const context = createContext();
  context.status.status$.subscribe();
  const options = { context };
  const stuck = () => NEVER;
  const policies: Record<string, OperatorFunction<Notification<KubernetesObject>, never>> = {
    coalesce: coalesce(stuck, options),
    dropOldest: dropOldest(stuck, options),
    dropNewest: dropNewest(stuck, options),
    throwIfFull: throwIfFull(stuck, options),
    block: block(stuck, options),
  };
  for (const [name, policy] of Object.entries(policies)) {
    const before = await heap();
    const source$ = new Subject<Notification<KubernetesObject>>();
    const subscription = source$.pipe(policy).subscribe({ error: () => undefined });
    const began = process.cpuUsage().user;
    tell(source$);
    const seconds = (process.cpuUsage().user - began) / 1e6;
    const kept = ((await heap()) - before) / 1e6;
    console.log(`${name.padEnd(12)} ${kept.toFixed(1).padStart(6)} MB kept, ${seconds.toFixed(1)} s of CPU`);
    subscription.unsubscribe();
  }
}

/** Key after key, each from the state told before. */
function tell(source$: Subject<Notification<KubernetesObject>>): void {
  const last = Array.from({ length: KEYS }, (_, key) => stateOf(key, 0));
  for (let index = 1; index <= COUNT; index += 1) {
    const key = index % KEYS;
    const next = stateOf(key, index);
    source$.next(updateOf(next, index, last[key] ?? next));
    last[key] = next;
  }
}

const stateOf = (key: number, version: number) =>
  entryOf<KubernetesObject>({
    metadata: {
      name: `w${key}`,
      uid: `uid ${key}`,
      resourceVersion: String(version),
      annotations: { filling: FILLING + String(version) },
    },
  });

/** Unit: bytes. */
async function heap(): Promise<number> {
  await setImmediate();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
