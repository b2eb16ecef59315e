import { CoreV1Api, KubeConfig, makeInformer as make, type V1Pod } from '@kubernetes/client-node';
import { Checksum } from '../checksum.ts';
import type { Job, Outcome } from '../job.ts';
import { held, heldSince, measuring } from '../measure.ts';
import { measureWatch } from '../watching.ts';

/** What users of client-node have today. */
export async function makeInformer(job: Job): Promise<Outcome> {
  const { server, objects, events } = job;
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

  const cost = measuring();
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
  const { watch } = await measureWatch(job, seen, () => reaching(events));
  await informer.stop();
  return { ...outcome, watch };
}
