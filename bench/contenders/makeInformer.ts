import { CoreV1Api, KubeConfig, makeInformer as make, type V1Pod } from '@kubernetes/client-node';
import { Checksum } from '../checksum.ts';
import { Control } from '../control.ts';
import type { Job, Outcome } from '../job.ts';
import { held, heldSince, measuring } from '../measure.ts';

/** What users of client-node have today. */
export async function makeInformer({ server, objects, events }: Job): Promise<Outcome> {
  const seen = new Checksum();
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser({ name: 'bench', server, skipTLSVerify: true }, { name: 'bench' });
  const api = kubeConfig.makeApiClient(CoreV1Api);
  const before = await held();

  const reaching = (count: number): Promise<void> =>
    new Promise((resolve) => {
      reached = () => {
        if (seen.count === count) resolve();
      };
    });
  let reached: (() => void) | undefined;
  const take = ({ metadata }: V1Pod): void => {
    seen.add(metadata?.uid, metadata?.resourceVersion);
    reached?.();
  };

  let cost = measuring();
  const informer = make(kubeConfig, '/api/v1/pods', () => api.listPodForAllNamespaces());
  informer.on('add', take);
  informer.on('update', take);
  informer.on('delete', take);
  const all = reaching(objects);
  await informer.start();
  await all;
  const list = { ...cost(), seen: seen.take() };
  const outcome = { list, held: heldSince(before, await held(), objects) };
  if (events === 0) {
    await informer.stop();
    return outcome;
  }
  const watching = async (from: number): Promise<void> => {
    const told = reaching(events);
    await new Control(server).events(from, from + events);
    await told;
  };
  await watching(0);
  seen.take();
  cost = measuring();
  await watching(events);
  const watch = { ...cost(), seen: seen.take() };
  await informer.stop();
  return { ...outcome, watch };
}
