import type { JsonObject } from '../../../src/testing/json.ts';
import { fieldRulesOf } from '../../../src/testing/patch/mergeKeys.ts';
import { strategicMergePatch } from '../../../src/testing/patch/strategicMergePatch.ts';
import { StatusError } from '../../../src/testing/status.ts';

const pod = fieldRulesOf({ group: '', kind: 'Pod' });
const deployment = fieldRulesOf({ group: 'apps', kind: 'Deployment' });

const patchPod = (current: JsonObject, patch: JsonObject) =>
  strategicMergePatch({ spec: current }, { spec: patch }, pod).spec;

describe('strategicMergePatch', () => {
  it('merges objects and lets null delete', () => {
    const current = { metadata: { labels: { a: '1', b: '2' } } };
    const patch = { metadata: { labels: { a: null, c: '3' } } };
    expect(strategicMergePatch(current, patch, pod)).toEqual({ metadata: { labels: { b: '2', c: '3' } } });
  });

  it('merges a list by its merge key, at any depth', () => {
    const current = {
      containers: [
        { name: 'a', image: 'a:1', ports: [{ containerPort: 80 }], env: [{ name: 'X', value: '1' }] },
        { name: 'b', image: 'b:1' },
      ],
    };
    const patch = {
      containers: [{ name: 'a', image: 'a:2', env: [{ name: 'Y', value: '2' }] }, { name: 'c' }],
    };
    expect(patchPod(current, patch)).toEqual({
      containers: [
        {
          name: 'a',
          image: 'a:2',
          ports: [{ containerPort: 80 }],
          env: [
            { name: 'Y', value: '2' },
            { name: 'X', value: '1' },
          ],
        },
        { name: 'c' },
        { name: 'b', image: 'b:1' },
      ],
    });
  });

  it('replaces a list that has no merge key', () => {
    const current = { tolerations: [{ key: 'a' }, { key: 'b' }] };
    expect(patchPod(current, { tolerations: [{ key: 'c' }] })).toEqual({ tolerations: [{ key: 'c' }] });
  });

  it('merges ports of a Service by port, those of containers by containerPort', () => {
    const service = fieldRulesOf({ group: '', kind: 'Service' });
    const current = { spec: { ports: [{ port: 80, name: 'web' }] } };
    expect(strategicMergePatch(current, { spec: { ports: [{ port: 80, nodePort: 1 }] } }, service)).toEqual({
      spec: { ports: [{ port: 80, name: 'web', nodePort: 1 }] },
    });
    const ports = (port: JsonObject) => ({ containers: [{ name: 'a', ports: [port] }] });
    expect(
      patchPod(ports({ containerPort: 80, name: 'web' }), ports({ containerPort: 80, hostPort: 1 })),
    ).toEqual(ports({ containerPort: 80, name: 'web', hostPort: 1 }));
  });

  it('adds to finalizers as to a set, and deletes from it', () => {
    const current = { metadata: { finalizers: ['a', 'b'] } };
    const add = { metadata: { finalizers: ['b', 'c'] } };
    expect(strategicMergePatch(current, add, pod)).toEqual({ metadata: { finalizers: ['a', 'b', 'c'] } });
    const remove = { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } };
    expect(strategicMergePatch(current, remove, pod)).toEqual({ metadata: { finalizers: ['b'] } });
  });

  it('orders a list as $setElementOrder says', () => {
    const current = { volumes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] };
    const order = (...names: string[]) => names.map((name) => ({ name }));
    expect(patchPod(current, { '$setElementOrder/volumes': order('c', 'b', 'a') })).toEqual({
      volumes: order('c', 'b', 'a'),
    });
    const patch = { '$setElementOrder/volumes': order('x', 'a'), volumes: [{ name: 'x' }] };
    expect(patchPod(current, patch)).toEqual({ volumes: order('x', 'a', 'b', 'c') });
  });

  it('drops the fields that $retainKeys does not name', () => {
    const current = { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } };
    const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } };
    expect(strategicMergePatch(current, patch, deployment)).toEqual({
      spec: { strategy: { type: 'Recreate' } },
    });
  });

  it('deletes and replaces where $patch says so', () => {
    const current = { containers: [{ name: 'a' }, { name: 'b', image: 'b' }], nodeSelector: { x: '1' } };
    expect(patchPod(current, { containers: [{ name: 'a', $patch: 'delete' }] })).toMatchObject({
      containers: [{ name: 'b', image: 'b' }],
    });
    expect(patchPod(current, { containers: [{ name: 'c' }, { $patch: 'replace' }] })).toMatchObject({
      containers: [{ name: 'c' }],
    });
    expect(patchPod(current, { nodeSelector: { $patch: 'replace', y: '2' } })).toMatchObject({
      nodeSelector: { y: '2' },
    });
    expect(patchPod(current, { nodeSelector: { $patch: 'delete' } })).toMatchObject({ nodeSelector: {} });
  });

  it('leaves no directive and no null in what is new', () => {
    const patch = {
      affinity: { nodeAffinity: null, $retainKeys: ['nodeAffinity'] },
      containers: [{ name: 'a', $patch: 'delete' }],
      '$setElementOrder/containers': [],
    };
    expect(patchPod({}, patch)).toEqual({ affinity: {}, containers: [] });
  });

  it('merges the lists of any built-in object that all have', () => {
    const rules = fieldRulesOf({ group: '', kind: 'ConfigMap' });
    const owners = (...ownerReferences: JsonObject[]) => ({ metadata: { ownerReferences } });
    expect(
      strategicMergePatch(owners({ uid: '1', name: 'a' }), owners({ uid: '1', kind: 'A' }), rules),
    ).toEqual(owners({ uid: '1', name: 'a', kind: 'A' }));
  });

  it.each<[string, JsonObject]>([
    ['an element without its merge key', { containers: [{ image: 'x' }] }],
    ['an unknown $patch', { containers: [{ name: 'a', $patch: 'merge' }] }],
    ['a field that $retainKeys does not name', { securityContext: { $retainKeys: ['a'], b: 1 } }],
    ['an order that is no list', { '$setElementOrder/containers': 1 }],
  ])('refuses %s', (_, patch) => {
    expect(() => patchPod({ containers: [{ name: 'a' }], securityContext: {} }, patch)).toThrow(StatusError);
  });

  it('leaves what it patches as it was', () => {
    const current = { containers: [{ name: 'a', env: [{ name: 'X' }] }] };
    const before = structuredClone(current);
    patchPod(current, { containers: [{ name: 'a', env: [{ name: 'X', value: '1' }] }] });
    expect(current).toEqual(before);
  });
});
