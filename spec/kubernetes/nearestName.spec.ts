import fc from 'fast-check';
import { nearestName } from '../../src/kubernetes/nearestName.ts';

const KNOWN = ['Pod', 'PodTemplate', 'Deployment', 'Service', 'ServiceAccount', 'Node', 'Secret'];

describe('nearestName', () => {
  it.each([
    ['pod', 'Pod'],
    ['Pods', 'Pod'],
    ['Deplyoment', 'Deployment'],
    ['services', 'Service'],
    ['serviceacount', 'ServiceAccount'],
    ['Noed', undefined],
    ['Ingress', undefined],
    ['x', undefined],
    ['', undefined],
  ])('takes %j for %j', (name, expected) => {
    expect(nearestName(name, KNOWN)).toBe(expected);
  });

  it('finds a name again in which one letter is wrong, missing or too many', () => {
    const slip = fc.tuple(
      fc.constantFrom('Deployment', 'ServiceAccount', 'PodTemplate'),
      fc.nat(9),
      fc.constantFrom(0, 1),
      fc.constantFrom('', 'x'),
    );
    fc.assert(
      fc.property(slip, ([name, position, removed, inserted]) => {
        const written = name.slice(0, position) + inserted + name.slice(position + removed);
        expect(nearestName(written, KNOWN)).toBe(name);
      }),
    );
  });

  it('knows nothing without names', () => {
    expect(nearestName('Pod', [])).toBeUndefined();
  });
});
