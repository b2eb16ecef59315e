import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.ts';

describe('build', () => {
  it('says what to do when Go is missing', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'rx-informer-'));
    const env = jest.replaceProperty(process, 'env', { PATH: '/nowhere', RX_INFORMER_CACHE: cache });
    await expect(build('etcd')).rejects.toThrow('Install it (https://go.dev/doc/install)');
    env.restore();
    rmSync(cache, { recursive: true });
  });
});
