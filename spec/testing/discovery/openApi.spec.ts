import { openApi } from '../../../src/testing/discovery/openApi.ts';
import { builtinKinds } from '../../../src/testing/kinds.ts';

describe('openApi', () => {
  it('has a document for every version of every group', () => {
    const { paths } = openApi(['v3'], builtinKinds) as {
      paths: Record<string, { serverRelativeURL: string }>;
    };
    expect(paths).toMatchObject({
      'api/v1': { serverRelativeURL: '/openapi/v3/api/v1' },
      'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1' },
    });
    for (const root of Object.keys(paths)) {
      expect(openApi(['v3', ...root.split('/')], builtinKinds)).toMatchObject({ openapi: '3.0.0' });
    }
  });

  it('says that patches of a kind are checked by the server', () => {
    expect(openApi(['v3', 'apis', 'apps', 'v1'], builtinKinds)).toMatchObject({
      paths: {
        '/apis/apps/v1/namespaces/{namespace}/deployments/{name}': {
          patch: {
            parameters: expect.arrayContaining([
              { name: 'fieldValidation', in: 'query', schema: { type: 'string' } },
            ]) as unknown,
            'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
          },
        },
      },
    });
  });

  it.each([[['v2']], [[]], [['v3', 'apis', 'example.com', 'v1']]])('knows no %j', (path) => {
    expect(openApi(path, builtinKinds)).toBeUndefined();
  });
});
