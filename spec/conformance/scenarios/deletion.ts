import { answered, jsonPatch, mergePatch, uidOf, versionOf } from '../session.ts';
import { configMaps, gadgets, widgets } from '../subjects.ts';
import { type Scenario, scenariosOn } from './scenario.ts';

const anotherUid = '00000000-0000-0000-0000-000000000000';

export const deletion: Scenario[] = [
  ...scenariosOn([configMaps, widgets], {
    'is deleted once': async (on) => {
      await on.create(on.object('a'));
      await on.remove('a');
      await on.remove('a');
    },
    'is deleted on conditions': async (on) => {
      const created = await on.create(on.object('a'));
      await on.remove('a', { preconditions: { uid: anotherUid } });
      await on.remove('a', { preconditions: { resourceVersion: '1' } });
      await on.remove('a', { preconditions: { uid: uidOf(created), resourceVersion: versionOf(created) } });
    },
    'comes back with another uid': async (on) => {
      await on.create(on.object('a'));
      await on.remove('a');
      await on.create(on.object('a'));
    },
    'waits for its finalizers': async (on) => {
      await on.create(on.object('a', { finalizers: ['example.com/a', 'example.com/b'] }));
      await on.remove('a');
      await on.remove('a');
      await on.create(on.object('a'));
      await on.patch('a', jsonPatch, [{ op: 'remove', path: '/metadata/finalizers/0' }]);
      await on.patch('a', mergePatch, { metadata: { finalizers: null } });
      await on.get('a');
    },
    'gets no finalizer while it is being deleted': async (on) => {
      await on.create(on.object('a', { finalizers: ['example.com/a'] }));
      await on.remove('a');
      await on.patch('a', mergePatch, { metadata: { finalizers: ['example.com/a', 'example.com/b'] } });
      const got = await on.patch('a', mergePatch, { metadata: { labels: { x: '1' } } });
      await on.update(answered(got, { finalizers: [] }));
      await on.get('a');
    },
    'keeps the time of its deletion': async (on) => {
      await on.create(on.object('a', { finalizers: ['example.com/a'] }));
      const deleted = await on.remove('a');
      await on.update(answered(deleted, { deletionTimestamp: null, deletionGracePeriodSeconds: null }));
    },
    'is deleted before or after what it owns': async (on) => {
      await on.create(on.object('a'));
      await on.remove('a', { propagationPolicy: 'Foreground' });
      await on.create(on.object('b'));
      await on.remove('b', { propagationPolicy: 'Orphan' });
      await on.create(on.object('c'));
      await on.remove('c', { propagationPolicy: 'Background' });
      await on.create(on.object('d'));
      await on.remove('d', undefined, { propagationPolicy: 'Foreground' });
      await on.create(on.object('e'));
      await on.remove('e', { propagationPolicy: 'Sideways' });
    },
    'is deleted with grace': async (on) => {
      await on.create(on.object('a', { finalizers: ['example.com/a'] }));
      await on.remove('a', { gracePeriodSeconds: 30 });
    },
    'needs a good finalizer': async (on) => {
      await on.create(on.object('a', { finalizers: ['bad finalizer!'] }));
    },
    'is deleted with others of a label': async (on) => {
      await on.fill('a', 'b', 'c');
      await on.create(on.object('d', { labels: { name: 'b' }, finalizers: ['example.com/a'] }));
      await on.send('DELETE', `${on.collection}?labelSelector=name%3Db`);
      await on.list();
      await on.send('DELETE', on.collection);
      await on.list();
    },
    'is deleted with options that can be read': async (on) => {
      await on.create(on.object('a'));
      await on.send('DELETE', on.item('a'), '{');
      await on.remove('a', { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' });
    },
  }),
  ...scenariosOn([gadgets], {
    'is let go by its status': async (on) => {
      const created = await on.create(on.object('a', { finalizers: ['example.com/a'] }));
      await on.remove('a');
      await on.send(
        'PUT',
        `${on.item('a')}/status`,
        answered(created, { resourceVersion: '', finalizers: [] }),
      );
      await on.get('a');
    },
  }),
];
