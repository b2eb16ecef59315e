import { once } from 'node:events';
import { get } from 'node:http';
import type { Socket } from 'node:net';
import { Listener } from '../../src/testing/listener.ts';
import { freePort } from '../e2e/ports.ts';

describe('Listener', () => {
  let listener: Listener;

  beforeEach(async () => {
    listener = new Listener((_, response) => response.end('here'), await freePort());
    await listener.listen();
  });

  afterEach(() => listener.close());

  async function ask(): Promise<Socket> {
    const request = get(listener.url, { headers: { connection: 'keep-alive' } });
    const [response] = (await once(request, 'response')) as [{ resume(): void; socket: Socket }];
    response.resume();
    return response.socket;
  }

  it('resets what is open, and refuses until it listens again at the same address', async () => {
    const { url } = listener;
    const held = get(url, { agent: false }).on('response', (response) => response.pause());
    const [socket] = (await once(held, 'socket')) as [Socket];
    await once(held, 'response');
    const gone = once(socket, 'close');
    await listener.close({ reset: true });
    await gone;
    expect(listener.connections).toBe(0);
    await expect(ask()).rejects.toHaveProperty('code', 'ECONNREFUSED');

    await listener.listen();
    expect(listener.url).toBe(url);
    expect((await ask()).remotePort).toBe(Number(new URL(url).port));
  });

  it('listens once, however often it is told to', async () => {
    await listener.listen();
    await ask();
    expect(listener.connections).toBe(1);
  });

  it('says that the port is taken', async () => {
    const other = new Listener(() => undefined, Number(new URL(listener.url).port));
    await expect(other.listen()).rejects.toHaveProperty('code', 'EADDRINUSE');
  });

  it('can be closed again', async () => {
    await listener.close();
    await expect(listener.close()).resolves.toBeUndefined();
  });
});
