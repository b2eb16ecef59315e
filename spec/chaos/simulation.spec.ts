import { randomInt } from 'node:crypto';
import { Chaos } from './chaos.ts';
import type { ChaosReport } from './report.ts';
import { SteppedServer } from './steppedServer.ts';

// A bound for busy machines; all of it takes some seconds.
jest.setTimeout(120_000);

const HOUR = 3_600_000;

async function simulate(seed: number, duration: number): Promise<ChaosReport> {
  const server = SteppedServer.simulated(seed);
  const report = await new Chaos(server, { seed, duration }).run();
  await server.close();
  return report;
}

const harmless = { lost: 0, invented: 0, violations: 0, firstViolations: [], leftovers: [] };

describe('storms on a simulated network, on time that is stepped', () => {
  // Printed, so that it can be played again: npm run chaos -- --server simulated --seed N
  const fresh = randomInt(1_000, 1_000_000);

  it.each([1, 2, 3])('leave everybody with what the server has: seed %i', async (seed) => {
    expect(await simulate(seed, HOUR)).toMatchObject(harmless);
  });

  it(`leave everybody with what the server has: seed ${String(fresh)}, which is new each time`, async () => {
    expect(await simulate(fresh, HOUR)).toMatchObject(harmless);
  });

  it('are the same for the same seed, down to the order in which everybody is told', async () => {
    const [first, second] = [await simulate(7, HOUR / 2), await simulate(7, HOUR / 2)];
    expect(second).toEqual(first);
    expect((await simulate(8, HOUR / 2)).story).not.toBe(first.story);
  });

  it('have everything in them', async () => {
    const { writes, faults, notifications, subscribers, checks } = await simulate(11, 6 * HOUR);
    const { gzip, ...played } = faults;
    expect(gzip).toBe(0);
    for (const [kind, count] of Object.entries({ ...writes, ...played }))
      expect([kind, count > 0]).toEqual([kind, true]);
    expect(notifications['finalStateUnknown']).toBeGreaterThan(0);
    expect(subscribers).toBeGreaterThan(100);
    expect(checks).toBeGreaterThan(20_000);
  });
});
