import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { createApiServer } from '../../../src/testing/apiServer.ts';

describe('LineWriter', () => {
  it('flushes a compressed event before its member ends', async () => {
    const server = await createApiServer();
    try {
      const query =
        'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      const request = get(`${server.url}/api/v1/pods?${query}`, { headers: { 'accept-encoding': 'gzip' } });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const [member] = (await once(response, 'data')) as [Buffer];
      response.destroy();

      expect(gunzipSync(member).toString()).toContain('"type":"BOOKMARK"');
      const flush = [0x00, 0x00, 0xff, 0xff];
      const emptyLastBlock = [0x03, 0x00];
      expect([...member.subarray(-14, -8)]).toEqual([...flush, ...emptyLastBlock]);
    } finally {
      await server.close();
    }
  });
});
