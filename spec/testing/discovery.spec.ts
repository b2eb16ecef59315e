import { discovery } from '../../src/testing/discovery.ts';
import { builtinKinds, type ServedKind } from '../../src/testing/kinds.ts';

const widget = (version: string): ServedKind => ({
  group: 'example.com',
  version,
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  namespaced: true,
  custom: true,
  status: true,
});
const kinds = [...builtinKinds, widget('v1beta1'), widget('v1')];

const ask = (path: string, accept = 'application/json', query = '') =>
  discovery(path, new URLSearchParams(query), accept, kinds);

const document = (path: string, accept?: string): unknown => JSON.parse(ask(path, accept)?.body ?? 'null');

describe('discovery', () => {
  it.each(['/healthz', '/readyz', '/livez', '/livez/ping'])('is well at %s', (path) => {
    expect(ask(path)).toEqual({ contentType: 'text/plain; charset=utf-8', body: 'ok' });
  });

  it('says more about its health where asked', () => {
    expect(ask('/readyz', '*/*', 'verbose')?.body).toBe('[+]ping ok\nreadyz check passed\n');
  });

  it('says its version', () => {
    expect(document('/version')).toMatchObject({
      major: '1',
      gitVersion: expect.stringMatching(/^v1\.\d+\.\d+/) as unknown,
    });
  });

  it('lists the versions of the core group', () => {
    expect(document('/api')).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
  });

  it('lists the other groups, each with its preferred version first', () => {
    const { groups } = document('/apis') as { groups: { name: string }[] };
    expect(groups.map(({ name }) => name)).not.toContain('');
    expect(groups.at(-1)).toEqual({
      name: 'example.com',
      versions: [
        { groupVersion: 'example.com/v1', version: 'v1' },
        { groupVersion: 'example.com/v1beta1', version: 'v1beta1' },
      ],
      preferredVersion: { groupVersion: 'example.com/v1', version: 'v1' },
    });
    expect(document('/apis/example.com')).toEqual({ kind: 'APIGroup', apiVersion: 'v1', ...groups.at(-1) });
  });

  it('lists the resources of a version, with their names, verbs and subresources', () => {
    expect(document('/apis/example.com/v1')).toMatchObject({
      kind: 'APIResourceList',
      groupVersion: 'example.com/v1',
      resources: [
        { name: 'widgets', singularName: 'widget', kind: 'Widget', namespaced: true },
        { name: 'widgets/status', verbs: ['get', 'patch', 'update'] },
      ],
    });
    const { resources } = document('/api/v1') as { resources: { name: string; verbs: string[] }[] };
    expect(resources.find(({ name }) => name === 'pods')).toMatchObject({
      shortNames: ['po'],
      categories: ['all'],
    });
    expect(resources.find(({ name }) => name === 'namespaces')?.verbs).not.toContain('deletecollection');
  });

  it.each(['/api', '/apis'])('tells everything at %s at once where asked', (path) => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
    expect(ask(path, accept)?.contentType).toBe(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    );
    expect(document(path, accept)).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
    });
  });

  it('tells of each resource there what kubectl needs', () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { items } = document('/apis', accept) as { items: unknown[] };
    expect(items.at(-1)).toMatchObject({
      metadata: { name: 'example.com' },
      versions: [
        {
          version: 'v1',
          resources: [
            {
              resource: 'widgets',
              responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' },
              scope: 'Namespaced',
              singularResource: 'widget',
              subresources: [{ subresource: 'status' }],
            },
          ],
        },
        { version: 'v1beta1' },
      ],
    });
  });

  it.each([
    '/',
    '/api/v2',
    '/api/v1/pods',
    '/apis/nope',
    '/apis/apps/v9',
    '/apis/apps/v1/deployments',
    '/openapi/v2',
    '/metrics',
  ])('has nothing to say at %s', (path) => {
    expect(ask(path)).toBeUndefined();
  });
});
