import { versionOf } from '../session.ts';
import { configMaps, widgets } from '../subjects.ts';
import { type Scenario, scenariosOn, tooLarge } from './scenario.ts';

const quiet = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
const streaming = { ...quiet, allowWatchBookmarks: true };

/** Lists that come as a watch. */
export const watchLists: Scenario[] = scenariosOn([configMaps, widgets], {
  'is listed by a watch': async (on) => {
    await on.fill('b', 'a', 'c');
    await on.remove('c');
    const watch = await on.watch(streaming);
    await watch.until('BOOKMARK');
    await on.fill('d');
    await watch.next(1);
    watch.close();
  },
  'is listed by a watch where there is none': async (on) => {
    const watch = await on.watch(streaming);
    await watch.until('BOOKMARK');
    watch.close();
  },
  'is listed by a watch at any version': async (on) => {
    await on.fill('a');
    await on.list();
    const watch = await on.watch({ ...streaming, resourceVersion: 0 });
    await watch.until('BOOKMARK');
    watch.close();
  },
  'is listed by a watch at a version or later': async (on) => {
    const [a] = await on.fill('a');
    const [b] = await on.fill('b');
    if (!a || !b) return;
    const watch = await on.watch({ ...streaming, resourceVersion: versionOf(a) });
    await watch.until('BOOKMARK');
    watch.close();
    const later = await on.watch({ ...streaming, resourceVersion: versionOf(b) });
    await later.until('BOOKMARK');
    later.close();
  },
  'is listed by a watch with a selector': async (on) => {
    await on.fill('a', 'b');
    const watch = await on.watch({ ...streaming, labelSelector: 'name=b' });
    await watch.until('BOOKMARK');
    watch.close();
  },
  'is listed by a watch without bookmarks': async (on) => {
    await on.fill('a');
    const watch = await on.watch({ ...quiet, timeoutSeconds: 1 });
    await watch.end();
  },
  'is watched without what is there': async (on) => {
    await on.fill('a');
    const watch = await on.watch({ ...streaming, sendInitialEvents: false, timeoutSeconds: 1 });
    await on.fill('b');
    await watch.end();
  },
  'is not listed by a watch that makes no sense': async (on) => {
    const queries = [
      { sendInitialEvents: true },
      { sendInitialEvents: true, resourceVersionMatch: 'Exact', resourceVersion: 1 },
      { sendInitialEvents: false },
      { resourceVersionMatch: 'NotOlderThan' },
      { resourceVersionMatch: 'NotOlderThan', resourceVersion: 1 },
      { sendInitialEvents: 'perhaps' },
      { ...streaming, resourceVersion: 'x' },
    ];
    for (const query of queries) await (await on.watch({ ...query, timeoutSeconds: 1 })).end();
  },
  'is not listed by a watch at a version that is too large': async (on) => {
    await (await on.watch({ ...streaming, resourceVersion: tooLarge, timeoutSeconds: 1 })).end();
  },
});
