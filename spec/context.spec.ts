import { asyncScheduler, VirtualTimeScheduler } from 'rxjs';
import { contextOf, createContext, StatusChannel } from '../src/context.ts';
import { DecodeError } from '../src/errors.ts';
import { type InformerStatus, isPhase, type Phase } from '../src/status.ts';

const LIST: Phase = { type: 'list', reason: 'first', mode: 'streaming' };
const LIVE: Phase = { type: 'live', version: '1' };
const APPLIED: InformerStatus = { type: 'applied', items: 1, version: '1' };

function channel() {
  const scheduler = new VirtualTimeScheduler();
  const status = new StatusChannel(scheduler);
  const listen = (): InformerStatus[] => {
    const statuses: InformerStatus[] = [];
    status.status$.subscribe((event) => statuses.push(event));
    return statuses;
  };
  return { scheduler, status, listen };
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('StatusChannel', () => {
  it('begins as stopped', () => {
    const { status, listen } = channel();
    expect(status.phase).toEqual({ type: 'stopped' });
    expect(listen()).toEqual([{ type: 'stopped' }]);
  });

  it('tells the phase it is in, then everything', () => {
    const { status, listen } = channel();
    status.report(LIST);
    const early = listen();
    status.report(LIVE);
    status.report(APPLIED);
    status.report({ type: 'synced' });
    expect(early).toEqual([LIST, LIVE, APPLIED, { type: 'synced' }]);
    expect(listen()).toEqual([LIVE]);
    expect(status.phase).toBe(LIVE);
  });

  it('counts the problems, whoever listens', () => {
    const { status, listen } = channel();
    // Where nobody listens, it becomes a warning of the process.
    jest.spyOn(process, 'emitWarning').mockImplementation();
    const error = new DecodeError('no JSON', 1);
    status.problem(error);
    const statuses = listen();
    status.problem(error);
    expect(statuses.slice(1)).toEqual([{ type: 'problem', error, count: 2 }]);
    expect(status.phase).toEqual({ type: 'stopped' });
  });

  it('tells a listener what is reported while it is told the phase', () => {
    const { status } = channel();
    const statuses: InformerStatus[] = [];
    status.status$.subscribe((event) => {
      statuses.push(event);
      if (event.type === 'stopped') status.report(LIST);
    });
    expect(statuses).toEqual([{ type: 'stopped' }, LIST]);
  });

  it('tells nothing to who has left, even at once', () => {
    const { status } = channel();
    const statuses: InformerStatus[] = [];
    const subscription = status.status$.subscribe((event) => statuses.push(event));
    subscription.unsubscribe();
    status.report(LIVE);
    expect(statuses).toEqual([{ type: 'stopped' }]);
  });

  it('knows how long the server was silent', () => {
    const { scheduler, status } = channel();
    expect(status.silence).toBeUndefined();
    scheduler.frame = 100;
    status.alive();
    expect(status.silence).toBe(0);
    scheduler.frame = 350;
    expect(status.silence).toBe(250);
    status.alive();
    expect(status.silence).toBe(0);
  });
});

describe('isPhase', () => {
  it('tells where an informer stands from what happened', () => {
    const error = new DecodeError('no JSON', 1);
    expect([LIST, LIVE, { type: 'stopped' } as const].every(isPhase)).toBe(true);
    expect(isPhase({ type: 'error', error, attempt: 1, delay: 1 })).toBe(true);
    const events: InformerStatus[] = [APPLIED, { type: 'synced' }, { type: 'problem', error, count: 1 }];
    expect(events.some(isPhase)).toBe(false);
  });
});

describe('createContext', () => {
  it('has the time and chance of the process by default', () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.25);
    const { scheduler, random, flow } = createContext();
    expect([scheduler, random(), flow.paused]).toEqual([asyncScheduler, 0.25, false]);
  });

  it('has the time and chance it is given, in its status too', () => {
    const scheduler = new VirtualTimeScheduler();
    const random = () => 0.5;
    const context = createContext({ scheduler, random });
    expect([context.scheduler, context.random()]).toEqual([scheduler, 0.5]);
    context.status.alive();
    scheduler.frame = 7;
    expect(context.status.silence).toBe(7);
  });

  it.each([
    ['is below 0', () => -1, '-1'],
    ['is 1', () => 1, '1'],
    ['is above 1', () => 7, '7'],
    ['is not a number', () => NaN, 'NaN'],
    ['is endless', () => Infinity, 'Infinity'],
    ['is a text', () => '0.3' as unknown as number, '0.3'],
    ['is missing', () => undefined as unknown as number, 'undefined'],
    [
      'throws',
      () => {
        throw new Error('out of luck');
      },
      'out of luck',
    ],
  ])('takes the middle for a chance that %s, and says so once', (_, random, what) => {
    const context = createContext({ random });
    const statuses: InformerStatus[] = [];
    context.status.status$.subscribe((status) => statuses.push(status));
    expect([context.random(), context.random()]).toEqual([0.5, 0.5]);
    expect(statuses.slice(1)).toMatchObject([
      { type: 'problem', error: { code: 'USER_FUNCTION', where: 'random' } },
    ]);
    expect(statuses[1]).toMatchObject({ error: { message: expect.stringContaining(what) as string } });
  });

  it('takes every chance from 0 to below 1 as it is', () => {
    const chances = [0, 0.5, 1 - Number.EPSILON];
    const { random } = createContext({ random: () => chances.shift() ?? 0 });
    expect([random(), random(), random()]).toEqual([0, 0.5, 1 - Number.EPSILON]);
  });

  it('shares nothing with another', () => {
    const [one, two] = [createContext(), createContext()];
    one.flow.hold();
    one.status.report(LIVE);
    expect([two.flow.paused, two.status.phase]).toEqual([false, { type: 'stopped' }]);
  });
});

describe('contextOf', () => {
  it('is the given one, or one of its own', () => {
    const context = createContext();
    expect(contextOf({ context })).toBe(context);
    expect(contextOf({})).not.toBe(contextOf({}));
  });
});
