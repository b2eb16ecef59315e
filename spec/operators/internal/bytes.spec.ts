import { VirtualTimeScheduler } from 'rxjs';
import { bytes$ } from '../../../operators/internal/bytes.ts';
import { createContext } from '../../../src/context.ts';
import { ConnectionError, type InformerError } from '../../../src/errors.ts';
import type { ConnectionListener, HttpRequest, Transport } from '../../../src/transport/http.ts';
import { advance } from '../pipeline.ts';

const REQUEST: HttpRequest = { verb: 'list', path: '/api/v1/pods', accept: 'application/json' };

afterEach(() => {
  jest.restoreAllMocks();
});

/** A transport with one connection: what is done with it is written down, and what it brings is up to the spec. */
function oneConnection() {
  const calls: string[] = [];
  const connection = {
    connecting: false,
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    cancel: () => calls.push('cancel'),
  };
  let listener!: ConnectionListener;
  const transport: Pick<Transport, 'open'> = {
    open(_, opened) {
      listener = opened;
      return connection;
    },
  };
  return { calls, connection, transport: transport as Transport, listener: () => listener };
}

/** A body that takes long to read, and the turns of the event loop in the hands of the spec. */
function slowly() {
  const turns: (() => void)[] = [];
  jest.spyOn(globalThis, 'setImmediate').mockImplementation(((turn: () => void) => {
    turns.push(turn);
  }) as never);
  const scheduler = new VirtualTimeScheduler();
  let now = 0;
  scheduler.now = () => now;
  const context = createContext({ scheduler });
  const { calls, transport, listener } = oneConnection();
  let isLast = false;
  const subscription = bytes$(transport, REQUEST, context, { idleLimit: () => 1_000 }).subscribe(() => {
    now += 5;
    if (isLast) subscription.unsubscribe();
  });
  listener().answer(200, {});
  return {
    calls,
    flow: context.flow,
    scheduler,
    subscription,
    unsubscribeAtNext: () => {
      isLast = true;
    },
    data: () => {
      listener().data(Buffer.from('x'));
    },
    turn: () => {
      for (const run of turns.splice(0)) run();
    },
  };
}

describe('bytes$', () => {
  it('cancels the request when it is unsubscribed, and leaves no timer', () => {
    const { calls, scheduler, subscription } = slowly();
    subscription.unsubscribe();
    expect(calls).toEqual(['cancel']);
    expect(scheduler.actions.length).toBe(0);
  });

  it('gives way after 8 ms of what is done with them, and goes on in the next turn of the event loop', () => {
    const { calls, data, turn } = slowly();
    data();
    expect(calls).toEqual([]);
    data();
    expect(calls).toEqual(['pause']);
    turn();
    expect(calls).toEqual(['pause', 'resume']);
    data();
    expect(calls).toEqual(['pause', 'resume']);
    turn();
  });

  it('does not go on in the next turn where somebody holds the flow', () => {
    const { calls, data, turn, flow } = slowly();
    data();
    data();
    const release = flow.hold();
    turn();
    expect(calls).not.toContain('resume');
    release();
    expect(calls.at(-1)).toBe('resume');
  });

  it('is not made to go on by the flow before the next turn', () => {
    const { calls, data, turn, flow } = slowly();
    data();
    data();
    flow.hold()();
    expect(calls).not.toContain('resume');
    turn();
    expect(calls.at(-1)).toBe('resume');
  });

  it('does nothing in the next turn once it is unsubscribed', () => {
    const { calls, data, turn, subscription } = slowly();
    data();
    data();
    subscription.unsubscribe();
    turn();
    expect(calls).toEqual(['pause', 'cancel']);
  });

  it('does not give way once a handler has unsubscribed', () => {
    const { calls, data, turn, unsubscribeAtNext } = slowly();
    data();
    unsubscribeAtNext();
    data();
    turn();
    expect(calls).toEqual(['cancel']);
  });
});

/** One that is answered by hand, on a clock that is moved by hand. */
function byHand({ paused = false, connecting = false } = {}) {
  const scheduler = new VirtualTimeScheduler();
  const context = createContext({ scheduler });
  const release = paused ? context.flow.hold() : undefined;
  const { calls: log, connection, transport, listener } = oneConnection();
  connection.connecting = connecting;
  const errors: InformerError[] = [];
  const options = { idleLimit: () => 100_000, onAnswer: () => log.push('answered') };
  bytes$(transport, REQUEST, context, options).subscribe({
    next: (bytes) => log.push(Buffer.from(bytes).toString()),
    error: (error: unknown) => errors.push(error as InformerError),
    complete: () => log.push('complete'),
  });
  return {
    listener: listener(),
    connection,
    log,
    errors,
    release,
    advance: (milliseconds: number) => {
      advance(scheduler, milliseconds);
    },
  };
}

const STATUS = '{"kind":"Status","code":500,"reason":"InternalError","message":"broken"}';

describe('an answer', () => {
  it.each([
    [200, ['answered', 'x', 'complete', 'cancel']],
    [206, ['answered', 'x', 'complete', 'cancel']],
    [299, ['answered', 'x', 'complete', 'cancel']],
    [199, ['cancel']],
    [300, ['cancel']],
    [500, ['cancel']],
  ])('of %d is a success or a failure, and only a success is passed on', (status, expected) => {
    const { listener, log, errors } = byHand();
    listener.answer(status, {});
    listener.data(Buffer.from('x'));
    listener.end();
    expect(log).toEqual(expected);
    expect(errors.map((error) => (error as { status?: number }).status)).toEqual(
      expected.length > 1 ? [] : [status],
    );
  });

  it('is not read as long as the flow is held', () => {
    const { log, release } = byHand({ paused: true });
    expect(log).toEqual(['pause']);
    release?.();
    expect(log).toEqual(['pause', 'resume']);
  });
});

describe('a failure', () => {
  it('is told with its body at its end, in however many pieces that comes', () => {
    const { listener, errors } = byHand();
    listener.answer(500, {});
    for (const byte of Buffer.from(STATUS)) listener.data(Buffer.from([byte]));
    expect(errors).toEqual([]);
    listener.end();
    expect(errors).toMatchObject([{ code: 'API_STATUS', status: 500, reason: 'InternalError' }]);
  });

  it('is told though its body is cut', () => {
    const { listener, errors } = byHand();
    listener.answer(500, {});
    listener.data(Buffer.from(STATUS));
    listener.error(new ConnectionError(REQUEST, 'CUT'));
    expect(errors).toMatchObject([{ code: 'API_STATUS', reason: 'InternalError' }]);
  });

  it('is told after 64 KiB of its body, and after 5 s of silence in it', () => {
    const large = byHand();
    large.listener.answer(500, {});
    large.listener.data(Buffer.alloc(65_535, ' '));
    expect(large.errors).toEqual([]);
    large.listener.data(Buffer.from(' '));
    expect(large.errors).toMatchObject([{ status: 500 }]);
    const silent = byHand();
    silent.listener.answer(503, {});
    silent.advance(4_999);
    expect(silent.errors).toEqual([]);
    silent.advance(1);
    expect(silent.errors).toMatchObject([{ status: 503 }]);
  });

  it('of the connection is told as it is, before an answer and behind a success', () => {
    for (const answered of [true, false]) {
      const { listener, errors } = byHand();
      const error = new ConnectionError(REQUEST, 'CUT');
      if (answered) listener.answer(200, {});
      listener.error(error);
      expect(errors).toEqual([error]);
    }
  });
});

describe('a connection', () => {
  it('that is 30 s on its way is given up; one that is there has its time', () => {
    const { advance, errors } = byHand({ connecting: true });
    advance(29_999);
    expect(errors).toEqual([]);
    advance(1);
    expect(errors).toMatchObject([{ code: 'STALLED', limit: 30_000 }]);
    const other = byHand({ connecting: true });
    other.advance(25_000);
    other.connection.connecting = false;
    other.advance(5_000);
    other.connection.connecting = true;
    other.advance(25_000);
    expect(other.errors).toEqual([]);
    other.connection.connecting = false;
    other.advance(44_999);
    expect(other.errors).toEqual([]);
    other.advance(1);
    expect(other.errors).toMatchObject([{ code: 'STALLED', limit: 100_000 }]);
  });
});
