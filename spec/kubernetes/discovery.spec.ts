import fc from 'fast-check';
import { findResource, nearestKind } from '../../src/kubernetes/discovery.ts';

const list = {
  kind: 'APIResourceList',
  groupVersion: 'example.com/v1',
  resources: [
    { name: 'shops/scale', kind: 'Scale', namespaced: true, verbs: ['get'] },
    { name: 'shops', singularName: 'shop', kind: 'Shop', namespaced: true, verbs: ['list', 'watch'] },
    { name: 'shops/status', kind: 'Shop', namespaced: true, verbs: ['get'] },
    { name: 'people', singularName: 'person', kind: 'Person', namespaced: false, verbs: ['list', 'watch'] },
  ],
};

describe('findResource', () => {
  it('reads plural and scope', () => {
    const common = { group: 'example.com', version: 'v1' };
    expect(findResource(list, 'example.com/v1', 'Shop')).toEqual({
      ...common,
      kind: 'Shop',
      plural: 'shops',
      namespaced: true,
    });
    expect(findResource(list, 'example.com/v1', 'Person')).toEqual({
      ...common,
      kind: 'Person',
      plural: 'people',
      namespaced: false,
    });
  });

  it('finds no subresources and no other kinds', () => {
    expect(findResource(list, 'example.com/v1', 'Scale')).toBeUndefined();
    expect(findResource(list, 'example.com/v1', 'shop')).toBeUndefined();
  });

  it('finds nothing in what is no such list', () => {
    const resource = fc.record({
      name: fc.jsonValue(),
      kind: fc.constant('Shop'),
      namespaced: fc.jsonValue(),
    });
    const answers = fc.oneof(
      fc.jsonValue(),
      fc.record({ resources: fc.jsonValue() }),
      fc.record({
        resources: fc.array(resource.filter(({ namespaced }) => typeof namespaced !== 'boolean')),
      }),
    );
    fc.assert(
      fc.property(answers, (answer) => {
        expect(findResource(answer, 'example.com/v1', 'Shop')).toBeUndefined();
      }),
    );
  });
});

describe('nearestKind', () => {
  it.each([
    ['shop', 'example.com/v1 Shop'],
    ['shops', 'example.com/v1 Shop'],
    ['Persn', 'example.com/v1 Person'],
    ['people', 'example.com/v1 Person'],
    ['Deployment', 'apps/v1 Deployment'],
    ['Warehouse', undefined],
  ])('takes %s for %s', (kind, nearest) => {
    expect(nearestKind(list, 'example.com/v1', kind)).toBe(nearest);
  });
});
