import { namedKind } from '../../src/cli/namedKind.ts';
import { thrownBy } from '../kubernetes/thrown.ts';

const shown = (name: string): string => {
  const { apiVersion, kind } = namedKind(name);
  return `${apiVersion} ${kind}`;
};

describe('namedKind', () => {
  it.each([
    ['Pod', 'v1 Pod'],
    ['pods', 'v1 Pod'],
    ['PO', 'v1 Pod'],
    ['deploy', 'apps/v1 Deployment'],
    ['Deployments', 'apps/v1 Deployment'],
    ['deployments.apps', 'apps/v1 Deployment'],
    ['networkpolicies', 'networking.k8s.io/v1 NetworkPolicy'],
    ['crds', 'apiextensions.k8s.io/v1 CustomResourceDefinition'],
    ['v1/pod', 'v1 Pod'],
    ['apps/v1/deployments', 'apps/v1 Deployment'],
    ['events.k8s.io/v1/Event', 'events.k8s.io/v1 Event'],
  ])('understands %s', (name, expected) => {
    expect(shown(name)).toBe(expected);
  });

  it('leaves a kind that it does not know to the server, as it is', () => {
    expect(shown('example.com/v1/Thing')).toBe('example.com/v1 Thing');
    expect(shown('apps/v1/Thing')).toBe('apps/v1 Thing');
  });

  it('names the nearest one for a slip', () => {
    expect(String(thrownBy(() => namedKind('depoyment')))).toContain('is Deployment meant?');
  });

  it.each(['', 'example.com/v1/', 'Example/v1/Thing', 'a/b/c/Thing', '/Thing', 'somethingelse'])(
    'refuses %j with the way out',
    (name) => {
      expect(String(thrownBy(() => namedKind(name)))).toContain('or group/version/Kind of any other');
    },
  );
});
