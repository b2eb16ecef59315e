import { EmbeddedServer } from './embeddedServer.ts';
import { type Outcome, play } from './scenario.ts';

describe('the scenario on the embedded API server, on a stepped clock', () => {
  let server: EmbeddedServer;
  let outcome: Outcome;

  describe.each([
    { objects: 5_000, watchList: true, list: 'streaming' },
    { objects: 1_000, watchList: false, list: 'paged' },
  ])('with $objects objects and $list lists', ({ objects, watchList, list }) => {
    beforeAll(async () => {
      const seed = 1;
      server = await EmbeddedServer.start({ seed, watchList });
      outcome = await play(server, { seed, objects, writes: objects / 2 });
      // A bound for busy machines; it takes 10 s.
    }, 600_000);

    afterAll(() => server.close());

    it('gives every store and every subscriber what the server has, and tells only what changed', () => {
      expect(outcome.faults.slice(0, 10)).toEqual([]);
    });

    it('reads the whole set twice for each informer: at first, and after the compaction', () => {
      for (const { statuses } of outcome.observations) {
        expect(statuses.get('listed')).toBe(2);
        expect(statuses.get('error 410 Expired')).toBe(1);
        expect(statuses.get(`list expired, ${list}`)).toBe(1);
      }
    });

    it('tells what was deleted while nobody could watch', () => {
      const [all] = outcome.observations;
      for (const { counts } of all?.recorders.slice(0, 2) ?? []) {
        expect(counts.finalStateUnknown).toBeGreaterThan(0);
      }
    });

    it('leaves no socket, watch or timer when all subscribers have left', async () => {
      for (const observation of outcome.observations) observation.unsubscribe();
      await server.clock.settle();
      expect([server.api.connections, server.api.watches, server.clock.pending]).toEqual([0, 0, 0]);
    });
  });
});
