import { VirtualTimeScheduler } from 'rxjs';
import { bytes$ } from '../../../operators/internal/bytes.ts';
import { createContext } from '../../../src/context.ts';
import type { ConnectionListener, HttpRequest, Transport } from '../../../src/transport/http.ts';

const REQUEST: HttpRequest = { verb: 'list', path: '/api/v1/pods', accept: 'application/json' };

afterEach(() => {
  jest.restoreAllMocks();
});

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
  const calls: string[] = [];
  let listener: Partial<ConnectionListener> = {};
  let isLast = false;
  const transport: Pick<Transport, 'open'> = {
    open(_, opened) {
      listener = opened;
      return {
        pause: () => calls.push('pause'),
        resume: () => calls.push('resume'),
        cancel: () => calls.push('cancel'),
      };
    },
  };
  const subscription = bytes$(transport as Transport, REQUEST, context, { idleLimit: () => 1_000 }).subscribe(
    () => {
      now += 5;
      if (isLast) subscription.unsubscribe();
    },
  );
  listener.answer?.(200, {});
  return {
    calls,
    flow: context.flow,
    scheduler,
    subscription,
    unsubscribeAtNext: () => {
      isLast = true;
    },
    data: () => listener.data?.(Buffer.from('x')),
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
