import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Candidate, prepare, run, scenarios } from '../conformance/requests.ts';
import { Cluster } from './cluster.ts';

const file = join(__dirname, '../conformance/recorded.json');

/** Set, it makes what the real server says the new recording. */
const isRecording = process.env.RX_INFORMER_RECORD !== undefined;

const recorded = isRecording ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);

describe('the real API server', () => {
  let cluster: Cluster;
  let server: Candidate;

  beforeAll(async () => {
    // Without a cache of secrets their versions are forgotten where etcd forgets them.
    cluster = await Cluster.start({ flags: ['--watch-cache-sizes=secrets#0'] });
    const headers = { authorization: `Bearer ${cluster.token()}` };
    const compact = async () => {
      await cluster.compact();
    };
    server = { url: cluster.server, ca: cluster.ca, headers, compact };
    await prepare(server);
  });

  afterAll(async () => {
    await cluster.close();
    if (!isRecording) return;
    writeFileSync(file, JSON.stringify(recorded));
    execFileSync('npx', ['biome', 'format', '--write', file]);
  });

  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('%s', async (name, scenario) => {
    const transcript = await run(scenario, server);
    if (isRecording) recorded[name] = transcript;
    expect(transcript).toEqual(recorded[name]);
  });

  it('has no recording of what is no scenario', () => {
    expect(Object.keys(recorded)).toEqual(scenarios.map(({ name }) => name));
  });
});
