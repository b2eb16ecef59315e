import { Soak } from '../soak/soak.ts';

/** Far too short to see memory grow, but everybody is told what they have to be, and nothing is left over. */
it('a soak of 20 seconds leaves everybody with what the server has', async () => {
  const report = await Soak.run({
    seed: 1,
    duration: 20_000,
    rate: 500,
    pods: 1_000,
    faultEvery: 2_000,
    sampled: () => undefined,
  });
  expect(report.comparison).toMatchObject({ lost: 0, invented: 0, wrong: [] });
  expect(report.comparison.notifications).toBeGreaterThan(report.writes);
  expect(report.wrong.filter((wrong) => !wrong.endsWith(' grows'))).toEqual([]);
});
