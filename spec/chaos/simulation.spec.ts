import { randomInt } from 'node:crypto';
import { Chaos, type ChaosOptions } from './chaos.ts';
import { POLICIES } from './deliveries.ts';
import type { ChaosReport } from './report.ts';
import { SteppedServer } from './steppedServer.ts';
import { VIEWS } from './views.ts';
import { MANNERS } from './ways.ts';

// A bound for busy machines; all of it takes some seconds.
jest.setTimeout(120_000);

const HOUR = 3_600_000;

async function simulate(seed: number, options: Partial<ChaosOptions> = {}): Promise<ChaosReport> {
  const server = SteppedServer.simulated(seed);
  const report = await new Chaos(server, { seed, duration: 4 * HOUR, ...options }).run();
  await server.close();
  return report;
}

const harmless = { lost: 0, invented: 0, violations: 0, firstViolations: [], leftovers: [] };

describe('storms on a simulated network, on time that is stepped', () => {
  const fresh = randomInt(1_000, 1_000_000);
  // By itself, as jest shows no titles where it runs many files, and none of one that hangs.
  process.stderr.write(
    `chaos: the fresh seed is ${fresh}; again: npm run chaos -- --server simulated --minutes 120 --seed ${fresh}\n`,
  );
  // A day in all.
  const seeds = [1, 2, 3, 4, 5, 11];
  let reports: ChaosReport[];

  beforeAll(async () => {
    reports = [];
    for (const seed of seeds) reports.push(await simulate(seed));
  });

  it('leave everybody with what the server has', () => {
    for (const report of reports) expect(report).toMatchObject(harmless);
  });

  it(`leave everybody with what the server has: seed ${String(fresh)}, which is new each time`, async () => {
    expect(await simulate(fresh, { duration: 2 * HOUR })).toMatchObject(harmless);
  });

  it.each([21, 22])(
    'leave each of 50 subscribers of all policies on one informer with what the server has: seed %i',
    async (seed) => {
      const report = await simulate(seed, { duration: HOUR / 3, calm: 0, crowd: 50 });
      expect(report).toMatchObject(harmless);
      expect(report.dropped).toBeGreaterThan(0);
    },
  );

  it('are the same for the same seed, down to the order in which everybody is told', async () => {
    const options = { duration: HOUR / 6, calm: 0 };
    expect(await simulate(7, options)).toEqual(await simulate(7, options));
    expect(new Set(reports.map(({ story }) => story)).size).toBe(seeds.length);
  });

  it('have everything in them', () => {
    const ways = [...POLICIES, ...MANNERS, ...VIEWS, 'get$', 'count$'];
    const none = Object.fromEntries(ways.map((way) => [way, 0]));
    const missing = reports.map(({ writes, faults, notifications, kinds }) =>
      Object.entries({ ...none, ...kinds, ...writes, ...faults, ...notifications }).flatMap(
        ([what, count]) => (count === 0 ? [what] : []),
      ),
    );
    const missingInAll = (missing[0] ?? []).filter((what) => missing.every((some) => some.includes(what)));
    expect(missingInAll).toEqual(['gzip']);
    expect(reports.reduce((sum, { dropped }) => sum + dropped, 0)).toBeGreaterThan(0);
    expect(reports.reduce((sum, { overflows }) => sum + overflows, 0)).toBeGreaterThan(0);
  });
});
