import { answered, versionOf } from '../session.ts';
import { configMaps, gadgets, widgets } from '../subjects.ts';
import { type Scenario, scenariosOn } from './scenario.ts';

/** One object: made, read, changed. */
export const objects: Scenario[] = [
  ...scenariosOn([configMaps, widgets], {
    'is created, read and deleted': async (on) => {
      await on.create(on.object('a', { labels: { app: 'x' }, annotations: { note: 'y' } }));
      await on.get('a');
      await on.remove('a');
      await on.get('a');
    },
    'is created once only': async (on) => {
      await on.create(on.object('a'));
      await on.create(on.object('a'));
    },
    'gets a name made up by the server': async (on) => {
      await on.create({ ...on.object(''), metadata: { generateName: 'made-up-' } });
      await on.create({ ...on.object(''), metadata: { generateName: 'ignored-', name: 'given' } });
    },
    'needs a name': async (on) => {
      await on.create({ ...on.object(''), metadata: {} });
      await on.create({ ...on.object(''), metadata: { name: '' } });
    },
    'needs a good name': async (on) => {
      await on.create(on.object('Bad_Name'));
      await on.create(on.object('a', { labels: { 'bad key!': 'x' } }));
      await on.create(on.object('a', { labels: { key: 'bad value!' } }));
    },
    'gets its uid and times from the server, whatever the client says': async (on) => {
      await on.create(
        on.object('a', {
          uid: '00000000-0000-0000-0000-000000000000',
          creationTimestamp: '2000-01-01T00:00:00Z',
          deletionTimestamp: '2000-01-01T00:00:00Z',
          generation: 7,
          selfLink: '/x',
        }),
      );
    },
    'is created without a version': async (on) => {
      await on.create(on.object('a', { resourceVersion: '1' }));
    },
    'belongs to the namespace of the path': async (on) => {
      await on.create(on.object('a', { namespace: 'another' }));
      await on.create(on.object('a'));
      await on.update(on.object('a', { namespace: 'another' }));
    },
    'is created in a namespace that exists': async (on) => {
      await on.send('POST', on.nowhere, on.object('a'));
    },
    'is updated from the version that was read': async (on) => {
      const created = await on.create(on.object('a'));
      await on.update(answered(created, {}, on.subject.content('Mg==')));
      await on.update(answered(created, {}, on.subject.content('Mw==')));
      await on.get('a');
    },
    'is updated without a version': async (on) => {
      await on.create(on.object('a'));
      await on.update(on.object('a', {}, 'Mg=='));
    },
    'is not created by an update': async (on) => {
      await on.update(on.object('a'));
    },
    'is not updated under another name': async (on) => {
      await on.create(on.object('a'));
      await on.send('PUT', on.item('a'), on.object('b'));
    },
    'is not updated with another uid': async (on) => {
      const created = await on.create(on.object('a'));
      await on.update(answered(created, { uid: '00000000-0000-0000-0000-000000000000' }));
    },
    'keeps its version when an update changes nothing': async (on) => {
      const created = await on.create(on.object('a'));
      await on.update(answered(created));
      await on.update(answered(created, { annotations: {} }));
    },
    'keeps what the server owns': async (on) => {
      const created = await on.create(on.object('a'));
      await on.update(
        answered(created, {
          creationTimestamp: '2000-01-01T00:00:00Z',
          deletionTimestamp: '2000-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 5,
          generation: 9,
        }),
      );
    },
    'needs owners that are named in full': async (on) => {
      await on.create(on.object('a', { ownerReferences: [{ name: 'x' }] as never }));
    },
    'is tried out, and stays as it was': async (on) => {
      await on.create(on.object('a'), { dryRun: 'All' });
      await on.get('a');
      const created = await on.create(on.object('a'));
      await on.update(answered(created, { labels: { tried: 'yes' } }), { dryRun: 'All' });
      await on.remove('a', undefined, { dryRun: 'All' });
      await on.get('a');
      await on.create(on.object('b'), { dryRun: 'Some' });
    },
    'is read at a version': async (on) => {
      const created = await on.create(on.object('a'));
      await on.get('a', { resourceVersion: versionOf(created) });
      await on.get('a', { resourceVersion: 0 });
      await on.get('a', { resourceVersion: 'x' });
    },
  }),
  ...scenariosOn([gadgets], {
    'has a status that its creator cannot set': async (on) => {
      await on.create({ ...on.object('a'), status: { phase: 'Made' } });
    },
  }),
];
