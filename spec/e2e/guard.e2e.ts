import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';

describe('Guard', () => {
  const server = createServer();
  beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => server.close());

  it.each([
    `process.kill(process.pid, 'SIGKILL')`,
    `process.kill(process.pid, 'SIGTERM')`,
    `process.kill(process.pid, 'SIGINT')`,
    `process.exit()`,
    `throw new Error('uncaught')`,
  ])('leaves no process and no folder after %s', async (end) => {
    const { port } = server.address() as AddressInfo;
    // The child stays as long as its connection and tells its folder through it.
    const child = `require('node:net').connect(${String(port)}, '127.0.0.1').write(process.cwd())`;
    const parent = `
      const { Guard } = require(${JSON.stringify(require.resolve('./guard.ts'))});
      new Guard().start(process.execPath, ['-e', ${JSON.stringify(child)}], '/dev/null');
      process.stdin.once('data', () => { ${end} });
    `;
    const connection = once(server, 'connection') as Promise<[Socket]>;
    const node = spawn(process.execPath, ['-r', 'ts-node/register', '-e', parent], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const [socket] = await connection;
    const [folder] = (await once(socket, 'data')) as [Buffer];
    const watcher = watch(tmpdir());

    node.stdin.write('end');
    await once(socket, 'close');
    while (existsSync(folder)) await once(watcher, 'change');
    watcher.close();
  });
});
