import { pluralOf } from '../../src/kubernetes/pluralOf.ts';

describe('pluralOf', () => {
  it.each([
    ['Pod', 'pods'],
    ['Ingress', 'ingresses'],
    ['NetworkPolicy', 'networkpolicies'],
    ['PriorityClass', 'priorityclasses'],
    ['ComponentStatus', 'componentstatuses'],
    ['ServiceCIDR', 'servicecidrs'],
    ['Endpoints', 'endpoints'],
  ])('%s: %s', (kind, plural) => {
    expect(pluralOf(kind)).toBe(plural);
  });
});
