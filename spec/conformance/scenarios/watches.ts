import { mergePatch, versionOf } from '../session.ts';
import { configMaps, widgets } from '../subjects.ts';
import { type Scenario, scenariosOn, tooLarge } from './scenario.ts';

export const watches: Scenario[] = [
  ...scenariosOn([configMaps, widgets], {
    'is watched from a version': async (on) => {
      const resourceVersion = await on.now();
      const watch = await on.watch({ resourceVersion });
      await on.fill('a');
      await on.patch('a', mergePatch, on.subject.content('Mg=='));
      await on.remove('a');
      await watch.next(3);
      watch.close();
    },
    'is watched from a version of the past': async (on) => {
      const resourceVersion = await on.now();
      const [a] = await on.fill('a');
      await on.remove('a');
      const all = await on.watch({ resourceVersion });
      await all.next(2);
      all.close();
      if (!a) return;
      const rest = await on.watch({ resourceVersion: versionOf(a) });
      await rest.next(1);
      rest.close();
    },
    'is watched from no version': async (on) => {
      await on.fill('b', 'a');
      const watch = await on.watch();
      await watch.next(2);
      await on.fill('c');
      await watch.next(1);
      watch.close();
    },
    'is watched from any version': async (on) => {
      await on.fill('a');
      await on.list();
      const watch = await on.watch({ resourceVersion: 0 });
      await watch.next(1);
      await on.fill('b');
      await watch.next(1);
      watch.close();
    },
    'is not told of when nothing changed': async (on) => {
      await on.fill('a');
      const watch = await on.watch({ resourceVersion: await on.now() });
      await on.patch('a', mergePatch, { metadata: { labels: { name: 'a' } } });
      await on.patch('a', mergePatch, { metadata: { labels: { name: 'b' } } });
      await watch.next(1);
      watch.close();
    },
    'is watched through its finalizers': async (on) => {
      const watch = await on.watch({ resourceVersion: await on.now() });
      await on.create(on.object('a', { finalizers: ['example.com/a'] }));
      await on.remove('a');
      await on.patch('a', mergePatch, { metadata: { finalizers: null } });
      await watch.next(3);
      watch.close();
    },
    'is watched by label, as it comes and goes': async (on) => {
      const watch = await on.watch({ resourceVersion: await on.now(), labelSelector: 'app=web' });
      const label = (app: string) => on.patch('a', mergePatch, { metadata: { labels: { app } } });
      await on.create(on.object('a', { labels: { app: 'db' } }));
      await label('web');
      await on.patch('a', mergePatch, on.subject.content('Mg=='));
      await label('db');
      await label('cache');
      await label('web');
      await on.remove('a');
      await watch.next(5);
      watch.close();
    },
    'is watched by name': async (on) => {
      const resourceVersion = await on.now();
      const watch = await on.watch({ resourceVersion, fieldSelector: 'metadata.name=b' });
      await on.fill('a', 'b');
      await on.remove('a');
      await on.remove('b');
      await watch.next(2);
      watch.close();
    },
    'is watched alone': async (on) => {
      await on.fill('a', 'b');
      const watch = await on.watch({}, {}, on.item('b'));
      await on.remove('a');
      await on.remove('b');
      await watch.next(2);
      watch.close();
    },
    'is not watched by a bad selector': async (on) => {
      for (const selector of [
        { labelSelector: 'a=b=c' },
        { fieldSelector: 'spec.value=x' },
        { resourceVersion: 'x' },
      ]) {
        await (await on.watch(selector)).end();
      }
    },
    'is watched for a time': async (on) => {
      await on.fill('a');
      const watch = await on.watch({ timeoutSeconds: 1 });
      await watch.end();
    },
    'is watched with bookmarks': async (on) => {
      const [a] = await on.fill('a');
      if (!a) return;
      const watch = await on.watch({
        resourceVersion: versionOf(a),
        timeoutSeconds: 3,
        allowWatchBookmarks: true,
      });
      await on.fill('b');
      await watch.until('BOOKMARK');
      watch.close();
    },
    'is watched with bookmarks that go on where nothing of it changes': async (on) => {
      const [a] = await on.fill('a');
      if (!a) return;
      const query = { labelSelector: 'name=a', timeoutSeconds: 3, allowWatchBookmarks: true };
      const watch = await on.watch({ resourceVersion: versionOf(a), ...query });
      await on.fill('b');
      await watch.until('BOOKMARK');
      watch.close();
    },
    'is watched from a version to come': async (on) => {
      await (await on.watch({ resourceVersion: tooLarge, timeoutSeconds: 1 })).end();
    },
    'is watched in a namespace that does not exist': async (on) => {
      await (await on.watch({ resourceVersion: await on.now(), timeoutSeconds: 1 }, {}, on.nowhere)).end();
    },
  }),
  ...scenariosOn([widgets], {
    'is not watched from a version that is forgotten': async (on) => {
      await on.compact();
      await (await on.watch({ resourceVersion: 1, timeoutSeconds: 1 })).end();
    },
  }),
];
