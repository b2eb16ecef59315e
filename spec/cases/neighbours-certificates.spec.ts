import { KubeConfig } from '@kubernetes/client-node';
import { createInformer } from '../../src/informer/factory.ts';
import { createClock } from '../../src/testing/clock.ts';
import { kubeConfigCluster } from '../../src/transport/kubeConfigCluster.ts';
import { atTheEnd, until, watching } from '../testkit/play.ts';
import { localhost, other } from '../transport/fixtures/certificates.ts';
import { serveHttps } from '../transport/server.ts';

/** With the certificate in it, so that nothing is read again unless it is. */
function trusting(server: string, { cert }: { readonly cert: string }): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromOptions({
    clusters: [{ name: 'c', server, caData: Buffer.from(cert).toString('base64'), skipTLSVerify: false }],
    users: [{ name: 'u', token: 'T' }],
    contexts: [{ name: 'x', cluster: 'c', user: 'u' }],
    currentContext: 'x',
  });
  return kubeConfig;
}

it('a server with a new certificate is trusted as soon as the KubeConfig says so, which is loaded again', async () => {
  const clock = createClock();
  const server = await serveHttps(localhost, (request, response) => {
    if (request.url?.includes('watch=true') === true) response.flushHeaders();
    else response.end(JSON.stringify({ kind: 'PodList', metadata: { resourceVersion: '1' }, items: [] }));
  });
  const loads: number[] = [];
  const reload = (): KubeConfig => {
    loads.push(clock.now());
    return trusting(server.url, loads.length > 1 ? localhost : other);
  };
  const cluster = kubeConfigCluster(trusting(server.url, other), { reload });
  const informer = createInformer(cluster, 'v1', 'Pod', {
    scheduler: clock,
    random: () => 0,
    streamingList: false,
  });
  const { told, errors } = watching(informer);
  atTheEnd(() => {
    informer.stop();
    server.close();
    clock.dispose();
  });

  await until(clock, () => errors.length === 1);
  expect(errors[0]).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY/);
  // Each attempt waits: it is not known whether a new certificate is there yet.
  await clock.advance(800);
  await until(clock, () => errors.length === 2);
  await clock.advance(1_600);
  await until(clock, () => informer.live);
  expect(loads).toEqual([800, 2_400]);
  expect([told, errors.length]).toEqual([['synced'], 2]);
});
