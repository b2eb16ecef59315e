import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer, Agent as HttpsAgent, get as httpsGet } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { createGzip, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { asyncScheduler, concatMap, defer, delay, interval, of, retry, take, throwError, timer } from 'rxjs';
import { InvalidOptionError } from '../../src/errors.ts';
import { createClock, type SteppedClock } from '../../src/testing/clock.ts';
import { announceTransform } from '../../src/transport/openedTransform.ts';
import { localhost } from '../transport/fixtures/certificates.ts';

// A bound for busy machines; all of it takes a few seconds.
jest.setTimeout(60_000);

let clock: SteppedClock;
const toClose: (() => void)[] = [];

beforeEach(() => {
  clock = createClock();
});

afterEach(() => {
  clock.dispose();
  for (const close of toClose.splice(0)) close();
});

const listen = async (server: Server) => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  toClose.push(() => server.close());
  return (server.address() as AddressInfo).port;
};

const httpServer = async (handle: Parameters<typeof createServer>[1]) => {
  const server = createServer(handle);
  const port = await listen(server);
  toClose.push(() => {
    server.closeAllConnections();
  });
  return port;
};

/** A pair of connected sockets: [the one that connected, the one that was accepted]. */
const socketPair = async (): Promise<[Socket, Socket]> => {
  const server = createTcpServer();
  const port = await listen(server);
  const client = connect(port, '127.0.0.1');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  for (const socket of [client, accepted]) {
    socket.on('error', () => undefined);
    toClose.push(() => socket.destroy());
  }
  return [client, accepted];
};

describe('time', () => {
  it('moves by what it is told, and never otherwise', async () => {
    expect(clock.now()).toBe(0);
    await clock.advance(1500);
    await clock.settle();
    expect(clock.now()).toBe(1500);
  });

  it('starts where it is told', () => {
    const other = createClock({ now: 1_700_000_000_000 });
    expect(other.now()).toBe(1_700_000_000_000);
    other.dispose();
  });

  it.each([-1, Number.NaN, Infinity])('cannot advance by %p', (milliseconds) => {
    expect(() => clock.advance(milliseconds)).toThrow(InvalidOptionError);
  });

  it('takes two advances that are not waited for one after the other', async () => {
    const seen: number[] = [];
    timer(10, 10, clock).subscribe(() => seen.push(clock.now()));
    await Promise.all([clock.advance(15), clock.advance(15)]);
    expect(seen).toEqual([10, 20, 30]);
    expect(clock.now()).toBe(30);
  });
});

describe('timers', () => {
  it('fire in the order of their time, then of their scheduling (as in a model)', async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        delays,
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 5 }),
        async (waits, steps) => {
          const own = createClock();
          const fired: [number, number][] = [];
          waits.forEach((wait, index) => own.schedule(() => fired.push([index, own.now()]), wait));
          for (const step of steps) await own.advance(step);
          const expected = waits
            .map((wait, index): [number, number] => [index, wait])
            .filter(([, wait]) => wait <= own.now() && steps.length > 0)
            .sort(([, a], [, b]) => a - b);
          expect(fired).toEqual(expected);
          expect(own.pending).toBe(waits.length - expected.length);
          own.dispose();
        },
      ),
      { numRuns: 100 },
    );
  });

  it('drive interval, timer, delay and retry', async () => {
    const seen: string[] = [];
    let attempts = 0;
    interval(100, clock)
      .pipe(take(3))
      .subscribe((n) => seen.push(`interval ${n} at ${clock.now()}`));
    timer(50, 125, clock)
      .pipe(take(2))
      .subscribe((n) => seen.push(`timer ${n} at ${clock.now()}`));
    of('x')
      .pipe(delay(60, clock))
      .subscribe((x) => seen.push(`delay ${x} at ${clock.now()}`));
    defer(() => (++attempts < 3 ? throwError(() => new Error('not yet')) : of('done')))
      .pipe(retry({ delay: () => timer(70, clock) }))
      .subscribe((x) => seen.push(`retry ${x} at ${clock.now()}`));
    await clock.advance(1000);
    expect(seen).toEqual([
      'timer 0 at 50',
      'delay x at 60',
      'interval 0 at 100',
      'retry done at 140',
      'timer 1 at 175',
      'interval 1 at 200',
      'interval 2 at 300',
    ]);
    expect(clock.pending).toBe(0);
  });

  it('take their state along when they schedule themselves again, like those of RxJS', async () => {
    const countDown = (scheduler: Pick<SteppedClock, 'schedule'>) =>
      new Promise<number[]>((resolve) => {
        const seen: number[] = [];
        scheduler.schedule<number>(
          function (n) {
            seen.push(n);
            if (n > 0) this.schedule(n - 1, 1);
            else resolve(seen);
          },
          1,
          3,
        );
      });
    const ours = countDown(clock);
    await clock.advance(4);
    expect(await ours).toEqual(await countDown(asyncScheduler));
  });

  it('are gone once unsubscribed', async () => {
    const fired = jest.fn();
    const subscription = clock.schedule(fired, 10);
    expect(clock.pending).toBe(1);
    subscription.unsubscribe();
    expect(clock.pending).toBe(0);
    await clock.advance(10);
    expect(fired).not.toHaveBeenCalled();
  });

  it('of no delay run when settling, those of infinite delay never', async () => {
    const fired: string[] = [];
    clock.schedule(() => fired.push('now'));
    clock.schedule(() => fired.push('never'), Infinity);
    await clock.settle();
    expect(fired).toEqual(['now']);
    expect(clock.now()).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('that throw fail the advance; the next one goes on', async () => {
    const fired = jest.fn();
    clock.schedule(() => {
      throw new Error('broken');
    }, 5);
    clock.schedule(fired, 6);
    await expect(clock.advance(10)).rejects.toThrow('broken');
    await clock.advance(10);
    expect(fired).toHaveBeenCalledTimes(1);
  });

  it('that repeat without a delay are an error, not a hang', async () => {
    clock.schedule(function () {
      this.schedule();
    });
    await expect(clock.settle()).rejects.toMatchObject({ code: 'ENDLESS_TIMERS' });
  });

  it('keep the rest of their wait when the wall clock jumps', async () => {
    const seen: number[] = [];
    timer(100, clock).subscribe(() => seen.push(clock.now()));
    await clock.advance(40);
    clock.jump(3_600_000);
    expect(clock.now()).toBe(3_600_040);
    await clock.advance(59);
    expect(seen).toEqual([]);
    await clock.advance(1);
    expect(seen).toEqual([3_600_100]);
  });

  it('are dropped by dispose, and none is taken any more', () => {
    clock.schedule(() => undefined, 10);
    clock.dispose();
    expect(clock.pending).toBe(0);
    expect(clock.schedule(() => undefined, 10).closed).toBe(true);
    expect(clock.pending).toBe(0);
  });
});

describe('sockets come to rest before time passes', () => {
  it('messages sent by timers arrive, and are answered, before the next timer', async () => {
    const pairs = await Promise.all([socketPair(), socketPair(), socketPair()]);
    const arrived: [id: number, hops: number, at: number][] = [];
    for (const pair of pairs) {
      for (const socket of pair) {
        let rest = '';
        socket.setEncoding('utf8').on('data', (text: string) => {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) {
            const { id, hops, filler } = JSON.parse(line) as { id: number; hops: number; filler: string };
            arrived.push([id, hops, clock.now()]);
            if (hops > 0) socket.write(`${JSON.stringify({ id, hops: hops - 1, filler })}\n`);
          }
        });
      }
    }
    const message = fc.record({
      wait: fc.integer({ min: 0, max: 30 }),
      pair: fc.nat({ max: pairs.length - 1 }),
      end: fc.nat({ max: 1 }),
      hops: fc.nat({ max: 4 }),
      size: fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 100_000 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), async (messages) => {
        arrived.length = 0;
        const start = clock.now();
        messages.forEach(({ wait, pair, end, hops, size }, id) => {
          clock.schedule(() => {
            const line = JSON.stringify({ id, hops, filler: 'x'.repeat(size) });
            pairs[pair]?.[end]?.write(`${line}\n`);
          }, wait);
        });
        await clock.advance(30);
        const inOrder = messages
          .map(({ wait, hops }, id) => ({ wait, hops, id }))
          .sort((a, b) => a.wait - b.wait);
        expect(arrived).toEqual(
          inOrder.flatMap(({ wait, hops, id }) =>
            Array.from({ length: hops + 1 }, (_, n) => [id, hops - n, start + wait]),
          ),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('requests are answered within the same instant, also on new connections and by name', async () => {
    const port = await httpServer((request, response) => response.end(request.url));
    const agent = new Agent({ keepAlive: true, maxSockets: 2 });
    toClose.push(() => {
      agent.destroy();
    });
    const answered: string[] = [];
    const ask = (path: string, host: string) =>
      get({ host, port, path, agent, family: 4 }, (response) =>
        response.setEncoding('utf8').on('data', (body: string) => answered.push(`${body} at ${clock.now()}`)),
      );
    timer(10, 10, clock)
      .pipe(take(5))
      .subscribe((n) => {
        ask(`/${n}a`, 'localhost');
        ask(`/${n}b`, '127.0.0.1');
      });
    await clock.advance(50);
    const expected = [0, 1, 2, 3, 4].flatMap((n) => [`/${n}a at ${10 + 10 * n}`, `/${n}b at ${10 + 10 * n}`]);
    expect(answered.sort()).toEqual(expected);
  });

  it('a body written piece by piece by timers of the server comes piece by piece', async () => {
    const port = await httpServer((_, response) => {
      interval(5, clock)
        .pipe(take(10))
        .subscribe({
          next: (n) => response.write(`${n};`),
          complete: () => response.end(),
        });
    });
    const seen: string[] = [];
    const request = get({ port, host: '127.0.0.1', agent: false }, (response: IncomingMessage) => {
      response.setEncoding('utf8').on('data', (text: string) => seen.push(`${text}${clock.now()}`));
      response.on('end', () => seen.push(`end ${clock.now()}`));
    });
    await once(request, 'socket');
    await clock.advance(49);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) => `${n};${5 + 5 * n}`));
    await clock.advance(1);
    expect(seen.slice(9)).toEqual(['9;50', 'end 50']);
  });

  it('over TLS too', async () => {
    const piece = Buffer.alloc(1_000_000);
    const server = createHttpsServer(localhost, (_, response) => {
      interval(5, clock)
        .pipe(take(10))
        .subscribe({
          next: () => response.write(piece),
          complete: () => response.end(),
        });
    });
    const port = await listen(server);
    const agent = new HttpsAgent({ keepAlive: true, ca: localhost.cert });
    toClose.push(() => {
      agent.destroy();
    });
    const received = new Map<number, number>();
    const ask = () =>
      httpsGet({ port, host: '127.0.0.1', agent }, (response) =>
        response.on('data', ({ length }: Buffer) => {
          received.set(clock.now(), (received.get(clock.now()) ?? 0) + length);
        }),
      );
    interval(100, clock).pipe(take(3)).subscribe(ask);
    await clock.advance(400);
    expect([...received]).toEqual(
      [100, 200, 300].flatMap((start) =>
        Array.from({ length: 10 }, (_, n) => [start + 5 + 5 * n, piece.length]),
      ),
    );
  });

  it('over TLS without HTTP once it is told of the client', async () => {
    const server = createTlsServer(localhost, (socket) => socket.pipe(socket));
    const port = await listen(server);
    const socket = connectTls({ port, host: '127.0.0.1', ca: localhost.cert });
    toClose.push(() => socket.destroy());
    clock.watch(socket);
    const seen: string[] = [];
    socket.setEncoding('utf8').on('data', (text: string) => seen.push(`${text}${clock.now()}`));
    interval(1, clock)
      .pipe(take(20))
      .subscribe((n) => socket.write(`${n}:`));
    await clock.advance(20);
    expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => `${n}:${n + 1}`));
  });

  it.each(['destroy', 'end', 'resetAndDestroy'] as const)('the other end has seen a %s', async (how) => {
    const [client, accepted] = await socketPair();
    const closed = jest.fn();
    accepted.resume().on('close', () => {
      closed(clock.now());
    });
    clock.schedule(() => void client[how](), 10);
    clock.schedule(() => undefined, 11);
    await clock.advance(20);
    expect(closed).toHaveBeenCalledWith(10);
  });

  it('waits for setImmediate, files and gzip too', async () => {
    const done: string[] = [];
    const gzip = createGzip();
    announceTransform(gzip);
    const bytes: Buffer[] = [];
    gzip.on('data', (chunk: Buffer) => bytes.push(chunk)).on('end', () => done.push(`gzip ${clock.now()}`));
    const slices = (left: number) =>
      setImmediate(() => {
        if (left > 0) slices(left - 1);
        else done.push(`slices ${clock.now()}`);
      });
    clock.schedule(() => slices(50), 1);
    clock.schedule(
      () =>
        void readFile(__filename)
          .then(() => readFile(__filename))
          .then(() => done.push(`file ${clock.now()}`)),
      2,
    );
    clock.schedule(() => gzip.end(Buffer.alloc(3_000_000, 'abc')), 3);
    clock.schedule(() => undefined, 4);
    await clock.advance(10);
    expect(done).toEqual(['slices 1', 'file 2', 'gzip 3']);
    expect(gunzipSync(Buffer.concat(bytes))).toHaveLength(3_000_000);
  });

  it('leaves paused readers and connections that nobody reads aside', async () => {
    const [client, accepted] = await socketPair();
    const [unread] = await socketPair();
    accepted.pause();
    client.write(Buffer.alloc(20_000_000));
    unread.write(Buffer.alloc(20_000_000));
    await clock.advance(10);
    let read = 0;
    accepted.on('data', (chunk: Buffer) => (read += chunk.length)).resume();
    await clock.settle();
    expect(read).toBe(20_000_000);
  });

  it('leaves a socket aside whose other end is in no view of it', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    clock.dispose();
    const early = connect(port, '127.0.0.1');
    clock = createClock();
    const [accepted] = (await once(server, 'connection')) as [Socket];
    toClose.push(
      () => early.destroy().on('error', () => undefined),
      () => accepted.destroy(),
    );
    accepted.on('error', () => undefined).write('hello');
    await clock.advance(10);
    expect(clock.now()).toBe(10);
  });

  it('names the socket that does not come to rest', async () => {
    const [client, accepted] = await socketPair();
    const pingPong = (socket: Socket) => socket.on('data', (chunk: Buffer) => socket.write(chunk));
    pingPong(client);
    pingPong(accepted);
    client.write('ping');
    await expect(clock.settle()).rejects.toMatchObject({
      code: 'NOT_QUIET',
      busy: expect.stringContaining(String(client.localPort)) as string,
    });
  });

  it('sees a chain of requests, each begun by the answer to the last, to its end', async () => {
    const port = await httpServer((_, response) => response.end('x'.repeat(10_000)));
    let answers = 0;
    const fetched = of(...Array.from({ length: 50 }).keys()).pipe(
      concatMap(
        () =>
          new Promise<void>((resolve) => {
            get({ port, host: '127.0.0.1', agent: false }, (response) =>
              response.resume().on('end', resolve),
            );
          }),
      ),
    );
    clock.schedule(() => fetched.subscribe(() => answers++), 5);
    await clock.advance(5);
    expect(answers).toBe(50);
  });
});
