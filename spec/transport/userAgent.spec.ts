import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { USER_AGENT } from '../../src/transport/userAgent.ts';

it('names the version that is published', () => {
  const { name, version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as Record<
    string,
    string
  >;
  expect(USER_AGENT).toBe(`${name}/${version}`);
});
