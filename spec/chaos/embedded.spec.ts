import { Chaos } from './chaos.ts';
import type { ChaosReport } from './report.ts';
import { SteppedServer } from './steppedServer.ts';

// A bound for busy machines; all of it takes some seconds.
jest.setTimeout(120_000);

const MINUTES = 60_000;

async function run(seed: number): Promise<ChaosReport> {
  const server = await SteppedServer.embedded(seed);
  const report = await new Chaos(server, { seed, duration: 12 * MINUTES, calm: 0 }).run();
  await server.close();
  return report;
}

it('storms over real sockets leave everybody with what the server has, and are the same for the same seed', async () => {
  const report = await run(5);
  expect(report).toMatchObject({ lost: 0, invented: 0, violations: 0, firstViolations: [], leftovers: [] });
  expect(report.faults['gzip']).toBeGreaterThan(0);
  expect(await run(5)).toEqual(report);
});
