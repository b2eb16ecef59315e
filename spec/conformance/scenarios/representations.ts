import { mergePatch } from '../session.ts';
import { configMaps, widgets } from '../subjects.ts';
import { type Scenario, scenariosOn } from './scenario.ts';

const partial = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
const partialList = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

/** The same objects in other shapes. */
export const representations: Scenario[] = [
  ...scenariosOn([configMaps, widgets], {
    'is read as metadata': async (on) => {
      await on.fill('a');
      await on.get('a', {}, partial);
      await on.list({}, partialList);
      await on.list({ limit: 1 }, partialList);
      await on.get('b', {}, partial);
    },
    'is watched as metadata': async (on) => {
      const watch = await on.watch({ resourceVersion: await on.now() }, partial);
      await on.fill('a');
      await on.patch('a', mergePatch, on.subject.content('Mg=='));
      await on.remove('a');
      await watch.next(3);
      watch.close();
    },
    'is watched and listed as metadata': async (on) => {
      await on.fill('a');
      const streaming = {
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: true,
      };
      const watch = await on.watch(streaming, partial);
      await watch.until('BOOKMARK');
      watch.close();
    },
    'is not read in the wrong shape': async (on) => {
      await on.fill('a');
      await on.get('a', {}, partialList);
      await on.list({}, partial);
      await on.list({}, { accept: 'application/json;as=Nonsense;v=v1;g=meta.k8s.io' });
    },
    'is read in what the client accepts': async (on) => {
      await on.fill('a');
      await on.get('a', {}, { accept: '*/*' });
      await on.get('a', {}, { accept: 'application/*' });
      await on.get('a', {}, { accept: 'text/html, application/json;q=0.9' });
      await on.get('a', {}, { accept: 'text/html' });
      await on.list({}, { accept: 'text/html' });
      await on.create(on.object('b'));
    },
  }),
  ...scenariosOn([widgets], {
    'is read as a table': async (on) => {
      await on.fill('a');
      await on.get('a', {}, table);
      await on.list({}, table);
      await on.list({ includeObject: 'None' }, table);
    },
  }),
];
