import { type Outcome, play } from '../scenario/scenario.ts';
import { RealServer } from './realServer.ts';

describe('the scenario on a real API server', () => {
  describe.each([
    { flags: [], list: 'streaming' },
    // Without a cache in front of etcd, its compaction shows at once, and lists come in pages.
    { flags: ['--feature-gates=WatchList=false', '--watch-cache-sizes=configmaps#0'], list: 'paged' },
  ])('with $list lists', ({ flags, list }) => {
    let server: RealServer;
    let outcome: Outcome;

    beforeAll(async () => {
      server = await RealServer.start(flags);
      const started = performance.now();
      outcome = await play(server, { seed: 1, objects: 5_000, writes: 2_500 });
      const seconds = Math.round(performance.now() - started) / 1_000;
      console.log(JSON.stringify({ list, seconds, ...outcome.figures }, undefined, 1));
    });

    afterAll(async () => {
      for (const observation of outcome.observations) observation.unsubscribe();
      await server.close();
    });

    it('gives every store and every subscriber what kubectl shows, and tells only what changed', () => {
      expect(outcome.faults.slice(0, 10)).toEqual([]);
    });

    it('reads the whole set at first, and again when its version is expired', () => {
      for (const { statuses } of outcome.expired) {
        expect(statuses.get(`list first, ${list}`)).toBe(1);
        expect(statuses.get('error 410 Expired')).toBeGreaterThan(0);
        expect(statuses.get(`list expired, ${list}`)).toBeGreaterThan(0);
      }
    });
  });
});
