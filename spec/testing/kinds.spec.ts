import { builtinKinds } from '../../src/testing/kinds.ts';

const pluralOf = (kind: string) => builtinKinds.find((served) => served.kind === kind)?.plural;

describe('builtinKinds', () => {
  it.each([
    ['Pod', 'pods'],
    ['Endpoints', 'endpoints'],
    ['Ingress', 'ingresses'],
    ['IngressClass', 'ingressclasses'],
    ['NetworkPolicy', 'networkpolicies'],
    ['CSIStorageCapacity', 'csistoragecapacities'],
    ['IPAddress', 'ipaddresses'],
  ])('calls many %s %s', (kind, plural) => {
    expect(pluralOf(kind)).toBe(plural);
  });

  it('names no resource of a group twice', () => {
    const paths = builtinKinds.map(({ group, version, plural }) => `${group}/${version}/${plural}`);
    expect(new Set(paths).size).toBe(paths.length);
  });
});
