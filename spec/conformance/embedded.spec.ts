import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiServer, createApiServer } from '../../src/testing/apiServer.ts';
import { createClock, type SteppedClock } from '../../src/testing/clock.ts';
import { type Candidate, prepare, run, scenarios } from './requests.ts';

const recorded = JSON.parse(readFileSync(join(__dirname, 'recorded.json'), 'utf8')) as Record<
  string,
  unknown
>;

/** Finer than any time that a scenario waits for. Unit: milliseconds. */
const step = 250;

describe('the embedded API server answers as the real one', () => {
  let clock: SteppedClock;
  let server: ApiServer;
  let candidate: Candidate;

  beforeAll(async () => {
    clock = createClock({ now: Date.UTC(2026, 0, 1) });
    // No version of the scenarios is one that they name themselves, such as 1.
    server = await createApiServer({ scheduler: clock, resourceVersion: '1000' });
    const compact = () => {
      server.compact();
      return Promise.resolve();
    };
    candidate = { url: server.url, compact };
    await prepare(candidate);
  });

  afterAll(async () => {
    await server.close();
    clock.dispose();
  });

  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (name, scenario) => {
    expect(await passing(run(scenario, candidate))).toEqual(recorded[name]);
  });

  /** Lets time pass until a promise settles. */
  async function passing<T>(promise: Promise<T>): Promise<T> {
    const waiting = new Set([promise]);
    const settled = () => waiting.clear();
    promise.then(settled, settled);
    while (waiting.size > 0) await clock.advance(step);
    return promise;
  }
});
