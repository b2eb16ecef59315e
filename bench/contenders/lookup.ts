import type { Pod } from '../../src/kubernetes/kinds.ts';
import { built } from '../dist.ts';
import type { Job, Outcome } from '../job.ts';
import { measuring } from '../measure.ts';

/** As many pods run on one node. */
const A_NODE = 10;
const LOOKUPS = 200_000;

/** Look-ups in an index of a store of so many objects. */
export function lookup({ objects }: Job): Promise<Outcome> {
  const { createStore, entryOf } = built();
  const store = createStore<Pod>({ indexers: { node: (pod) => [pod.spec?.nodeName ?? ''] } });
  const nodes = objects / A_NODE;
  const filling = measuring();
  for (let index = 0; index < objects; index += 1) {
    const metadata = { name: `pod-${String(index)}`, namespace: 'default', resourceVersion: '1' };
    const entry = entryOf<Pod>({
      metadata,
      spec: { nodeName: `node-${String(index % nodes)}`, containers: [] },
    });
    store.apply({ type: 'Added', key: entry.key, entry });
  }
  const list = { ...filling(), seen: { count: store.size, sum: 0 } };

  let found = 0;
  const looking = measuring();
  for (let turn = 0; turn < LOOKUPS; turn += 1) {
    found += store.byIndex('node', `node-${String((turn * 7919) % nodes)}`).length;
  }
  const { cpu } = looking();
  if (found !== LOOKUPS * A_NODE) throw new Error(`the index found ${String(found)}`);
  return Promise.resolve({ list, lookup: (cpu * 1000) / LOOKUPS });
}
