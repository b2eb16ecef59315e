import { asMetadata, asMetadataList, asNonsense, asTable } from '../accept.ts';
import { mergePatch } from '../session.ts';
import { configMaps, widgets } from '../subjects.ts';
import { type Scenario, scenariosOn } from './scenario.ts';

/** The same objects in other shapes. */
export const representations: Scenario[] = [
  ...scenariosOn([configMaps, widgets], {
    'is read as metadata': async (on) => {
      await on.fill('a');
      await on.get('a', {}, asMetadata);
      await on.list({}, asMetadataList);
      await on.list({ limit: 1 }, asMetadataList);
      await on.get('b', {}, asMetadata);
    },
    'is watched as metadata': async (on) => {
      const watch = await on.watch({ resourceVersion: await on.now() }, asMetadata);
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
      const watch = await on.watch(streaming, asMetadata);
      await watch.until('BOOKMARK');
      watch.close();
    },
    'is not read in the wrong shape': async (on) => {
      await on.fill('a');
      await on.get('a', {}, asMetadataList);
      await on.list({}, asMetadata);
      await on.list({}, asNonsense);
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
      await on.get('a', {}, asTable);
      await on.list({}, asTable);
      await on.list({ includeObject: 'None' }, asTable);
    },
  }),
];
