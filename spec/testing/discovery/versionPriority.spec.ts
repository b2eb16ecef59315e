import fc from 'fast-check';
import { byPriority } from '../../../src/testing/discovery/versionPriority.ts';

describe('byPriority', () => {
  it('sorts versions as Kubernetes prefers them, from any order', () => {
    const sorted = [
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v10beta3',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'foo1',
      'foo10',
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(sorted, { minLength: sorted.length }), (versions) => {
        expect(versions.sort(byPriority)).toEqual(sorted);
      }),
    );
  });
});
