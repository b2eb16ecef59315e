import { asMetadataList } from '../accept.ts';
import { continueOf } from '../session.ts';
import { configMaps, widgets } from '../subjects.ts';
import { type Scenario, scenariosOn } from './scenario.ts';

export const lists: Scenario[] = scenariosOn([configMaps, widgets], {
  'is listed where there is none': async (on) => {
    await on.list();
  },
  'is listed in the order of names': async (on) => {
    await on.fill('c', 'a', 'b', 'a-b', 'a.b');
    await on.list();
  },
  'is listed in pages': async (on) => {
    await on.fill('a', 'b', 'c', 'd', 'e');
    const first = await on.list({ limit: 2 });
    await on.create(on.object('f'));
    await on.remove('c');
    const second = await on.list({ limit: 2, continue: continueOf(first) });
    await on.list({ limit: 2, continue: continueOf(second) });
    await on.list({ limit: 0 });
    await on.list({ limit: 5 });
  },
  'is listed in pages of which the last is full': async (on) => {
    await on.fill('a', 'b');
    const first = await on.list({ limit: 1 });
    await on.list({ limit: 1, continue: continueOf(first) });
    await on.list({ limit: 2 });
    await on.list({ continue: continueOf(first) });
  },
  'is listed in pages by label': async (on) => {
    await on.fill('a', 'b', 'c');
    const first = await on.list({ limit: 1, labelSelector: 'name!=b' });
    await on.list({ limit: 1, labelSelector: 'name!=b', continue: continueOf(first) });
  },
  'is not listed from a bad page': async (on) => {
    await on.fill('a', 'b');
    const first = await on.list({ limit: 1 });
    await on.list({ limit: 1, continue: 'nonsense' });
    await on.list({ limit: 1, continue: continueOf(first), resourceVersion: 1 });
    await on.list({ limit: 'many' });
    await on.list({ limit: -1 });
  },
  'is listed by label': async (on) => {
    await on.create(on.object('a', { labels: { app: 'web', tier: 'front' } }));
    await on.create(on.object('b', { labels: { app: 'db' } }));
    await on.create(on.object('c'));
    const selectors = [
      'app=web',
      'app==web',
      'app!=web',
      'app in (web, db)',
      'app notin (web)',
      'app',
      '!app',
      'app,tier=front',
      'app=',
      '',
    ];
    for (const labelSelector of selectors) await on.list({ labelSelector }, asMetadataList);
  },
  'is listed by numbers in a label': async (on) => {
    await on.create(on.object('a', { labels: { size: '5' } }));
    await on.create(on.object('b', { labels: { size: 'big' } }));
    await on.list({ labelSelector: 'size>4' }, asMetadataList);
    await on.list({ labelSelector: 'size<5' }, asMetadataList);
  },
  'is not listed by a bad label selector': async (on) => {
    for (const labelSelector of ['app=a=b', 'app in', 'bad key!', 'app=bad value', '=x', 'app>x', ',']) {
      await on.list({ labelSelector });
    }
  },
  'is listed by field': async (on) => {
    await on.fill('a', 'b');
    for (const fieldSelector of [
      'metadata.name=a',
      'metadata.name!=a',
      'metadata.name=a,metadata.name=b',
      '',
    ]) {
      await on.list({ fieldSelector }, asMetadataList);
    }
    await on.list({ fieldSelector: 'metadata.namespace=elsewhere' }, asMetadataList);
  },
  'is not listed by a field that is not supported': async (on) => {
    await on.list({ fieldSelector: 'spec.value=x' });
    await on.list({ fieldSelector: 'metadata.labels.x=y' });
    await on.list({ fieldSelector: 'metadata.name' });
    await on.list({ fieldSelector: 'metadata.name in (a)' });
  },
  'is listed from all namespaces': async (on) => {
    await on.create(on.object('a', { labels: { here: on.namespace } }));
    await on.create(on.object('b', { labels: { here: on.namespace } }));
    await on.send('GET', `${on.everywhere}?labelSelector=here%3D${on.namespace}`);
    await on.send(
      'GET',
      `${on.everywhere}?fieldSelector=metadata.namespace%3D${on.namespace},metadata.name%3Da`,
    );
  },
  'is listed in a namespace that does not exist': async (on) => {
    await on.send('GET', on.nowhere);
  },
});
