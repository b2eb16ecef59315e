import { asMetadataList } from '../accept.ts';
import { continueOf, versionOf } from '../session.ts';
import { configMaps, secrets, widgets } from '../subjects.ts';
import { type Scenario, scenariosOn, tooLarge } from './scenario.ts';

/** Lists at a version. */
export const versions: Scenario[] = [
  ...scenariosOn([configMaps, widgets], {
    'is listed at any version': async (on) => {
      await on.fill('a');
      await on.list({ resourceVersion: await on.now(), resourceVersionMatch: 'NotOlderThan' });
      await on.list({ resourceVersion: 0 });
      await on.list({ resourceVersion: 0, resourceVersionMatch: 'NotOlderThan' });
      await on.list({ resourceVersion: '' });
    },
    'is listed not older than a version': async (on) => {
      const [a] = await on.fill('a');
      const [b] = await on.fill('b');
      if (!a || !b) return;
      await on.list({ resourceVersion: versionOf(b) });
      await on.list({ resourceVersion: versionOf(a), resourceVersionMatch: 'NotOlderThan' });
    },
    'is listed at an exact version': async (on) => {
      const [a] = await on.fill('a');
      await on.fill('b');
      await on.remove('a');
      if (!a) return;
      await on.list({ resourceVersion: versionOf(a), resourceVersionMatch: 'Exact' });
      await on.list({ resourceVersion: versionOf(a), resourceVersionMatch: 'Exact', limit: 1 });
      await on.list({ resourceVersion: versionOf(a), limit: 1 });
    },
    'is listed at an exact version in pages': async (on) => {
      await on.fill('a');
      const [b] = await on.fill('b');
      await on.remove('a');
      if (!b) return;
      const first = await on.list({ resourceVersion: versionOf(b), resourceVersionMatch: 'Exact', limit: 1 });
      await on.list({ continue: continueOf(first), limit: 1 });
    },
    'is not listed at a version that cannot be': async (on) => {
      await on.list({ resourceVersion: 'x' });
      await on.list({ resourceVersion: -1 });
      await on.list({ resourceVersionMatch: 'Exact' });
      await on.list({ resourceVersionMatch: 'NotOlderThan' });
      await on.list({ resourceVersion: 0, resourceVersionMatch: 'Exact' });
      await on.list({ resourceVersion: 1, resourceVersionMatch: 'Nearly' });
      await on.list({ sendInitialEvents: true });
    },
    'is not listed from a page at a version': async (on) => {
      await on.fill('a', 'b');
      const first = await on.list({ limit: 1 });
      const page = { limit: 1, continue: continueOf(first) };
      await on.list({ ...page, resourceVersion: 0 });
      await on.list({ ...page, resourceVersionMatch: 'NotOlderThan' });
      await on.list({ ...page, resourceVersion: 1, resourceVersionMatch: 'Exact' });
    },
    'is not listed at a version that is too large': async (on) => {
      await on.list({ resourceVersion: tooLarge });
      await on.list({ resourceVersion: tooLarge, resourceVersionMatch: 'NotOlderThan' });
    },
    'is not read at a version that is too large': async (on) => {
      await on.fill('a');
      await on.get('a', { resourceVersion: tooLarge });
    },
    'is not listed at a version that is forgotten': async (on) => {
      await on.fill('a');
      await on.compact();
      await on.list({ resourceVersion: 1, resourceVersionMatch: 'Exact' });
      await on.list({ resourceVersion: 1, resourceVersionMatch: 'NotOlderThan' }, asMetadataList);
    },
  }),
  ...scenariosOn([secrets], {
    'is not listed from a page of a version that is forgotten': async (on) => {
      await on.fill('a', 'b', 'c');
      const first = await on.list({ limit: 1 });
      await on.fill('d');
      await on.compact();
      await on.list({ limit: 1, continue: continueOf(first) });
    },
    'is listed further from a forgotten page, as it is now': async (on) => {
      await on.fill('a', 'c');
      const first = await on.list({ limit: 1 });
      await on.fill('b');
      await on.compact();
      const refused = await on.list({ continue: continueOf(first) });
      await on.list({ continue: continueOf(refused) });
    },
  }),
];
