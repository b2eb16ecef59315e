import { servedKindsOf } from '../../src/testing/customKinds.ts';

describe('servedKindsOf', () => {
  const crd = {
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', shortNames: ['w'], categories: ['all'] },
      versions: [
        { name: 'v2', served: true, storage: true, subresources: { status: {} } },
        { name: 'v1', served: true, storage: false },
        { name: 'v1beta1', served: false, storage: false },
      ],
    },
  };

  it('gives one kind a served version', () => {
    const kind = {
      group: 'example.com',
      kind: 'Widget',
      plural: 'widgets',
      singular: 'widget',
      namespaced: true,
      shortNames: ['w'],
      categories: ['all'],
      custom: true,
      generation: true,
    };
    expect(servedKindsOf(crd)).toEqual([
      { ...kind, version: 'v2', status: true },
      { ...kind, version: 'v1', status: false },
    ]);
  });

  it('knows a kind of cluster scope, and its own singular', () => {
    const names = { ...crd.spec.names, singular: 'gadget' };
    const [kind] = servedKindsOf({ spec: { ...crd.spec, scope: 'Cluster', names } });
    expect(kind).toMatchObject({ namespaced: false, singular: 'gadget' });
  });
});
