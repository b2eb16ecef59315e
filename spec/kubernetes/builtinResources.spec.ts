import { builtinApiVersion, builtinResource } from '../../src/kubernetes/builtinResources.ts';

describe('builtinResource', () => {
  it.each([
    ['v1', 'Pod', '', 'v1', 'pods', true],
    ['v1', 'Node', '', 'v1', 'nodes', false],
    ['apps/v1', 'Deployment', 'apps', 'v1', 'deployments', true],
    ['networking.k8s.io/v1', 'IngressClass', 'networking.k8s.io', 'v1', 'ingressclasses', false],
    ['storage.k8s.io/v1', 'CSIStorageCapacity', 'storage.k8s.io', 'v1', 'csistoragecapacities', true],
    ['autoscaling/v2', 'HorizontalPodAutoscaler', 'autoscaling', 'v2', 'horizontalpodautoscalers', true],
  ])('%s %s', (apiVersion, kind, group, version, plural, namespaced) => {
    expect(builtinResource(apiVersion, kind)).toEqual({ group, version, kind, plural, namespaced });
  });

  it.each([
    ['v1', 'Deployment'],
    ['apps/v1', 'deployment'],
    ['example.com/v1', 'Shop'],
    ['v1', 'constructor'],
    ['constructor', 'name'],
  ])('does not know %s %s', (apiVersion, kind) => {
    expect(builtinResource(apiVersion, kind)).toBeUndefined();
  });

  it('hands out what nobody can change', () => {
    expect(Object.isFrozen(builtinResource('v1', 'Pod'))).toBe(true);
  });
});

describe('builtinApiVersion', () => {
  it.each([
    ['Pod', 'v1'],
    ['Deployment', 'apps/v1'],
    ['Event', 'v1'],
    ['ResourceClaim', 'resource.k8s.io/v1'],
    ['LeaseCandidate', 'coordination.k8s.io/v1beta1'],
    ['Shop', undefined],
  ])('%s: %s', (kind, apiVersion) => {
    expect(builtinApiVersion(kind)).toBe(apiVersion);
  });
});
