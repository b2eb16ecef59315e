import fc from 'fast-check';
import { Load, type Step } from '../../../src/cli/demo/load.ts';

const TIME = '2026-01-01T00:00:00Z';
const keyOf = ({ metadata }: { metadata?: { namespace?: string; name?: string } }): string =>
  `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;

function lived(pods: number, seed: number, steps: number): { first: string[]; steps: Step[] } {
  const load = new Load({ pods, seed });
  const first = [...load.first(TIME)].map(keyOf);
  return { first, steps: Array.from({ length: steps }, () => load.next(TIME)) };
}

describe('Load', () => {
  it('creates only what is not there, and changes and deletes only what is', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(), fc.nat(300), (pods, seed, count) => {
        const { first, steps } = lived(pods, seed, count);
        const present = new Set(first);
        expect(present.size).toBe(pods);
        for (const step of steps) {
          const key = step.type === 'create' ? keyOf(step.pod) : step.key;
          expect(present.has(key)).toBe(step.type !== 'create');
          if (step.type === 'create') present.add(key);
          if (step.type === 'delete') present.delete(key);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('keeps about so many pods, and does each kind of thing', () => {
    const { steps } = lived(300, 1, 20_000);
    const counts = { create: 0, patch: 0, delete: 0 };
    for (const { type } of steps) counts[type] += 1;
    expect(Math.abs(counts.create - counts.delete)).toBeLessThan(60);
    expect(counts.delete).toBeGreaterThan(1000);
    expect(counts.patch).toBeGreaterThan(10_000);
  });

  it('lets each new pod be scheduled before it runs', () => {
    const { steps } = lived(5, 3, 400);
    const phases = new Map<string, string[]>();
    for (const step of steps) {
      if (step.type === 'create') phases.set(keyOf(step.pod), []);
      if (step.type === 'patch') phases.get(step.key)?.push(step.patch.status?.phase ?? '');
    }
    const grown = [...phases.values()].filter(({ length }) => length > 1);
    expect(grown.length).toBeGreaterThan(10);
    for (const [first, second] of grown) expect([first, second]).toEqual(['Pending', 'Running']);
  });

  it('lives the same life for the same seed, and another for another', () => {
    expect(lived(20, 7, 100)).toEqual(lived(20, 7, 100));
    expect(lived(20, 7, 100)).not.toEqual(lived(20, 8, 100));
  });

  it('makes pods of a realistic size', () => {
    for (const pod of new Load({ pods: 20, seed: 1 }).first(TIME)) {
      expect(JSON.stringify(pod).length).toBeGreaterThan(3500);
      expect(JSON.stringify(pod).length).toBeLessThan(5000);
    }
  });
});
