import type { JsonObject } from '../../../src/testing/json.ts';
import { answered, jsonPatch, mergePatch, strategicMergePatch, uidOf, versionOf } from '../session.ts';
import { configMaps, widgets } from '../subjects.ts';
import { type Scenario, scenariosOn } from './scenario.ts';

export const patches: Scenario[] = [
  ...scenariosOn([configMaps, widgets], {
    'takes a merge patch': async (on) => {
      await on.create(on.object('a', { labels: { x: '1', y: '1' } }));
      await on.patch('a', mergePatch, {
        metadata: { labels: { x: null, z: '2' } },
        ...on.subject.content('Mg=='),
      });
      await on.patch('a', `${mergePatch}; charset=utf-8`, { metadata: { annotations: { n: '3' } } });
    },
    'takes a JSON patch': async (on) => {
      await on.create(on.object('a', { labels: { x: '1' } }));
      await on.patch('a', jsonPatch, [
        { op: 'test', path: '/metadata/labels/x', value: '1' },
        { op: 'replace', path: '/metadata/labels/x', value: '2' },
        { op: 'add', path: '/metadata/labels/y', value: '3' },
        { op: 'copy', from: '/metadata/labels/y', path: '/metadata/labels/z' },
        { op: 'move', from: '/metadata/labels/z', path: '/metadata/labels/w' },
        { op: 'remove', path: '/metadata/labels/y' },
      ]);
    },
    'refuses a JSON patch of which one operation fails': async (on) => {
      await on.create(on.object('a', { labels: { x: '1' } }));
      await on.patch('a', jsonPatch, [
        { op: 'add', path: '/metadata/labels/y', value: '1' },
        { op: 'test', path: '/metadata/labels/x', value: '2' },
      ]);
      await on.patch('a', jsonPatch, [{ op: 'remove', path: '/metadata/labels/y' }]);
      await on.patch('a', jsonPatch, [{ op: 'add', path: '/missing/y', value: 1 }]);
      await on.get('a');
    },
    'gets a field from a JSON patch that replaces it': async (on) => {
      await on.create(on.object('a', { labels: { x: '1' } }));
      await on.patch('a', jsonPatch, [{ op: 'replace', path: '/metadata/labels/y', value: '2' }]);
    },
    'refuses what is no patch of its type': async (on) => {
      await on.create(on.object('a'));
      await on.patch('a', mergePatch, '{');
      await on.patch('a', mergePatch, '"text"');
      await on.patch('a', mergePatch, 'null');
      await on.patch('a', mergePatch, '[]');
      await on.patch('a', jsonPatch, 'nonsense');
      await on.patch('a', jsonPatch, '{}');
      await on.patch('a', jsonPatch, 'null');
      await on.patch('a', jsonPatch, '[{"op":"replace","path":"","value":[]}]');
      await on.patch('a', strategicMergePatch, '[]');
      await on.patch('a', strategicMergePatch, 'null');
    },
    'refuses a patch of an unknown type': async (on) => {
      await on.create(on.object('a'));
      await on.patch('a', 'application/json', {});
      await on.patch('a', 'text/plain', {});
    },
    'keeps its version when a patch changes nothing': async (on) => {
      await on.create(on.object('a', { labels: { x: '1' } }));
      await on.patch('a', mergePatch, { metadata: { labels: { x: '1', y: null } } });
    },
    'is not created by a patch': async (on) => {
      await on.patch('a', mergePatch, {});
    },
    'is patched at a version': async (on) => {
      const created = await on.create(on.object('a'));
      const resourceVersion = versionOf(created);
      await on.patch('a', mergePatch, { metadata: { resourceVersion, labels: { x: '1' } } });
      await on.patch('a', mergePatch, { metadata: { resourceVersion, labels: { x: '2' } } });
      await on.patch('a', jsonPatch, [
        { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
        { op: 'add', path: '/metadata/labels/x', value: '3' },
      ]);
    },
    'is patched with its uid': async (on) => {
      const created = await on.create(on.object('a'));
      await on.patch('a', mergePatch, { metadata: { uid: uidOf(created), labels: { x: '1' } } });
      const uid = '00000000-0000-0000-0000-000000000000';
      await on.patch('a', mergePatch, { metadata: { uid, labels: { x: '2' } } });
    },
    'cannot be patched into another name or namespace': async (on) => {
      await on.create(on.object('a'));
      await on.patch('a', mergePatch, { metadata: { name: 'b' } });
      await on.patch('a', mergePatch, { metadata: { namespace: 'another' } });
    },
    'is patched to try it out': async (on) => {
      await on.create(on.object('a'));
      await on.patch('a', mergePatch, { metadata: { labels: { x: '1' } } }, { dryRun: 'All' });
      await on.get('a');
    },
    'takes a strategic merge patch, if built in': async (on) => {
      const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '11111111-1111-1111-1111-111111111111' };
      await on.create(
        on.object('a', {
          labels: { x: '1', y: '1' },
          finalizers: ['example.com/a'],
          ownerReferences: [owner],
        }),
      );
      await on.patch('a', strategicMergePatch, {
        metadata: {
          labels: { x: null, z: '2' },
          finalizers: ['example.com/b'],
          ownerReferences: [{ uid: owner.uid, controller: true }],
        },
        ...on.subject.content('Mg=='),
      });
      await on.patch('a', strategicMergePatch, {
        metadata: {
          '$deleteFromPrimitiveList/finalizers': ['example.com/a'],
          ownerReferences: [{ uid: owner.uid, $patch: 'delete' }],
        },
      });
      await on.patch('a', strategicMergePatch, {
        metadata: {
          '$setElementOrder/finalizers': ['example.com/c', 'example.com/b'],
          finalizers: ['example.com/c'],
          labels: { $patch: 'replace', only: 'this' },
        },
      });
    },
  }),
  ...scenariosOn([configMaps], {
    'takes no strategic merge patch that makes no sense': async (on) => {
      await on.create(on.object('a', { labels: { x: '1' }, finalizers: ['example.com/a'] }));
      const metadata = (patch: JsonObject) => on.patch('a', strategicMergePatch, { metadata: patch });
      await metadata({ ownerReferences: [{ name: 'no-uid' }] });
      await metadata({ $retainKeys: ['name'], labels: { x: '2' } });
      await metadata({ '$setElementOrder/finalizers': 'x' });
      await metadata({ labels: { $patch: 'sideways' } });
      await metadata({ labels: { $patch: 'delete' } });
    },
    'takes what kubectl apply sends': async (on) => {
      const created = await on.create(on.object('a', { annotations: { keep: 'me' } }));
      await on.patch('a', strategicMergePatch, {
        metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}\n' } },
        data: { value: null, other: '2' },
      });
      await on.update(answered(created, { resourceVersion: '' }));
    },
  }),
];
