import { parseApiVersion, type Resource, resourcePath } from '../../src/kubernetes/resource.ts';
import { thrownBy } from './thrown.ts';

const pods: Resource = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const deployments: Resource = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
const nodes: Resource = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };

describe('parseApiVersion', () => {
  it.each([
    ['v1', '', 'v1'],
    ['v2beta1', '', 'v2beta1'],
    ['apps/v1', 'apps', 'v1'],
    ['metrics.k8s.io/v1beta1', 'metrics.k8s.io', 'v1beta1'],
    ['example.com/2020-01', 'example.com', '2020-01'],
  ])('reads %s', (apiVersion, group, version) => {
    expect(parseApiVersion(apiVersion)).toEqual({ group, version });
  });

  it.each([
    '',
    'apps',
    'V1',
    '/v1',
    'apps/',
    'apps/v1/deployments',
    'a b/v1',
    '../v1',
    'apps/..',
    'apps/v1?x',
    'Apps/v1',
    null as never,
    1 as never,
  ])('refuses %j', (apiVersion) => {
    expect(thrownBy(() => parseApiVersion(apiVersion))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'apiVersion',
      value: apiVersion,
    });
  });
});

describe('resourcePath', () => {
  it('is the collection of all namespaces, or of one', () => {
    expect(resourcePath(pods)).toBe('/api/v1/pods');
    expect(resourcePath(pods, '')).toBe('/api/v1/pods');
    expect(resourcePath(pods, 'shop')).toBe('/api/v1/namespaces/shop/pods');
    expect(resourcePath(deployments)).toBe('/apis/apps/v1/deployments');
    expect(resourcePath(deployments, 'shop')).toBe('/apis/apps/v1/namespaces/shop/deployments');
    expect(resourcePath(nodes)).toBe('/api/v1/nodes');
  });

  it('encodes its parts', () => {
    expect(resourcePath({ ...deployments, plural: 'a/b?c' })).toBe('/apis/apps/v1/a%2Fb%3Fc');
  });

  it('refuses a namespace with a cluster-scoped kind', () => {
    expect(thrownBy(() => resourcePath(nodes, 'shop'))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'namespace',
      value: 'shop',
    });
  });

  it.each([
    '..',
    'a/b',
    'Shop',
    'a b',
    '-a',
    'a.b',
    'a'.repeat(64),
    null as never,
    true as never,
    0 as never,
  ])('refuses the namespace %j', (namespace) => {
    expect(thrownBy(() => resourcePath(pods, namespace))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'namespace',
      value: namespace,
    });
  });
});
