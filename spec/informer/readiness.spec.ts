import { NEVER } from 'rxjs';
import { block } from '../../operators/block.ts';
import type { Informer } from '../../src/informer/informer.ts';
import { type InformerId, type InformerState, reasonOf, titleOf } from '../../src/informer/readiness.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, play, watching } from '../testkit/play.ts';
import { after, end, late, list, page, refuse, silence, watch } from '../testkit/steps.ts';

const first = list(100, pod('a', 90), pod('b', 91));

/** The states it goes through from now on, each with the reason it gives then. */
function statesOf(informer: Pick<Informer<never>, 'readiness$'>) {
  const states: InformerState[] = [];
  const reasons: string[] = [];
  const subscription = informer.readiness$.subscribe(({ state, reason }) => {
    states.push(state);
    reasons.push(reason);
  });
  atTheEnd(() => subscription.unsubscribe());
  return { states, reasons };
}

describe('readiness', () => {
  it('is of this informer, as plain data that is frozen', async () => {
    const { informer } = await play([], {
      subscribed: false,
      namespace: 'x',
      labelSelector: 'app=web',
      fieldSelector: 'spec.nodeName=n1',
    });
    const { readiness } = informer;
    expect(JSON.parse(JSON.stringify(readiness))).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: 'x',
      labelSelector: 'app=web',
      fieldSelector: 'spec.nodeName=n1',
      name: '',
      state: 'unused',
      reason: 'nobody has subscribed to it or started it',
      since: 0,
      synced: false,
      phase: 'stopped',
      items: 0,
      attempt: 0,
      blockedBy: [],
    });
    expect(Object.isFrozen(readiness) && Object.isFrozen(readiness.blockedBy)).toBe(true);
  });

  it('goes from unused to live, and back when the last subscriber leaves', async () => {
    const { clock, informer } = await play([late(1_000, first), watch()], { subscribed: false });
    const { states, reasons } = statesOf(informer);
    const { unsubscribe } = watching(informer);
    await clock.settle();
    expect(informer.readiness).toMatchObject({ state: 'starting', since: 0, synced: false, phase: 'list' });
    await clock.advance(1_000);
    expect(informer.readiness).toMatchObject({ state: 'live', since: 1_000, synced: true, items: 2 });
    unsubscribe();
    await clock.settle();
    expect(informer.readiness).toMatchObject({ state: 'unused', synced: false, phase: 'stopped' });
    expect(states).toEqual(['unused', 'starting', 'telling', 'synced', 'live', 'unused']);
    expect(reasons.slice(1, 3)).toEqual([
      'its first list is read: 0 objects so far',
      'its first list (2 objects) is in the store and is being told',
    ]);
  });

  it('is stopped after stop(), also where it never ran, until it is started again', async () => {
    const { clock, informer } = await play([first, watch(), first, watch()], { subscribed: false });
    const { states } = statesOf(informer);
    informer.stop();
    informer.stop();
    expect(informer.readiness).toMatchObject({ state: 'stopped', reason: 'it was stopped' });
    informer.start();
    await clock.settle();
    informer.stop();
    await clock.settle();
    informer.start();
    await clock.settle();
    const up = ['starting', 'telling', 'synced', 'live'];
    expect(states).toEqual(['unused', 'stopped', ...up, 'stopped', ...up]);
  });

  it('says how far the list is', async () => {
    const { informer } = await play([page(100, 'next', pod('a', 90)), silence('LIST')]);
    expect(informer.readiness).toMatchObject({ state: 'starting', items: 1, phase: 'page' });
    expect(informer.readiness.reason).toBe('its first list is read: 1 objects so far');
  });

  it('is waiting after a failure, with what failed and how long it waits', async () => {
    const { clock, informer } = await play([refuse('LIST', 503), refuse('LIST', 503), first, watch()]);
    const failed = { code: 'API_STATUS', message: 'list /api/v1/pods: 503; answer 503' };
    expect(informer.readiness).toMatchObject({
      state: 'waiting',
      attempt: 1,
      delay: 800,
      lastError: failed,
      reason: 'it waits 0.8 s after failure 1: list /api/v1/pods: 503; answer 503',
      staleSince: 0,
    });
    await clock.advance(800);
    expect(informer.readiness).toMatchObject({ state: 'waiting', attempt: 2, delay: 1_600, since: 800 });
    await clock.advance(1_600);
    expect(informer.readiness).toMatchObject({
      state: 'live',
      attempt: 0,
      lastError: undefined,
      delay: undefined,
      staleSince: undefined,
    });
  });

  it('stays in sync through failures, and knows since when the store may be out of date', async () => {
    const { clock, informer } = await play([
      first,
      watch(after(5_000), end()),
      refuse('WATCH', 503),
      refuse('WATCH', 503),
      watch(),
    ]);
    const { states } = statesOf(informer);
    await clock.advance(5_800);
    expect(informer.readiness).toMatchObject({
      state: 'waiting',
      synced: true,
      staleSince: 5_000,
      since: 5_800,
    });
    await clock.advance(1_600);
    expect(informer.readiness).toMatchObject({ state: 'live', synced: true, staleSince: undefined });
    expect(states).toEqual(['live', 'synced', 'waiting', 'synced', 'waiting', 'synced', 'live']);
  });

  it('is in sync between polls', async () => {
    const { clock, informer } = await play([list(undefined, pod('a', 90)), list(undefined, pod('a', 90))], {
      poll: 10_000,
    });
    expect(informer.readiness).toMatchObject({ state: 'synced', phase: 'wait', delay: 10_000 });
    await clock.advance(10_000);
    expect(informer.readiness).toMatchObject({ state: 'synced', since: 0 });
  });

  it('is blocked while a subscriber stops the reading, and says who', async () => {
    const { clock, informer } = await play([first, watch()], { subscribed: false });
    const { context } = informer;
    const options = { name: 'billing', capacity: 1, highWater: 1, context };
    const subscription = informer.notifications$.pipe(block(() => NEVER, options)).subscribe();
    await clock.settle();
    const release = context.flow.hold();
    expect(informer.readiness).toMatchObject({ state: 'blocked', synced: true, blockedBy: [] });
    release();
    expect(informer.readiness.state).toBe('live');
    const { states } = statesOf(informer);
    context.flow.hold()();
    expect(states).toEqual(['live', 'blocked', 'live']);
    expect([...informer.backlogs].map(({ name }) => name)).toEqual(['billing']);
    subscription.unsubscribe();
  });

  it('has failed after a terminal error, until it is started again', async () => {
    const { clock, informer } = await play([refuse('LIST', 405), first, watch()]);
    expect(informer.readiness).toMatchObject({
      state: 'failed',
      phase: 'failed',
      lastError: { code: informer.lastError?.code },
      staleSince: undefined,
    });
    expect(informer.readiness.reason).toBe(`it ended: ${informer.lastError?.message ?? ''}`);
    informer.start();
    await clock.settle();
    expect(informer.readiness).toMatchObject({ state: 'live', lastError: undefined });
  });

  it('is told to one who hears of a change while it is told the present', async () => {
    const { informer } = await play([], { subscribed: false });
    const states: InformerState[] = [];
    const subscription = informer.readiness$.subscribe(({ state }) => {
      states.push(state);
      if (states.length === 1) informer.stop();
    });
    atTheEnd(() => subscription.unsubscribe());
    expect(states).toEqual(['unused', 'stopped']);
  });
});

describe('the title of an informer', () => {
  const pods: InformerId = {
    apiVersion: 'v1',
    kind: 'Pod',
    namespace: undefined,
    labelSelector: '',
    fieldSelector: '',
    name: '',
  };

  it.each<[Partial<InformerId>, string]>([
    [{}, 'v1 Pod'],
    [{ namespace: 'x' }, 'v1 Pod in x'],
    [
      { namespace: 'x', labelSelector: 'a=b', fieldSelector: 'c=d', name: 'n' },
      'v1 Pod in x, a=b, where c=d (n)',
    ],
  ])('with %j is %s', (facts, title) => {
    expect(titleOf({ ...pods, ...facts })).toBe(title);
  });

  it('is not in the reason, which every state has', () => {
    const states: InformerState[] = ['queued', 'waiting', 'blocked', 'failed', 'starting'];
    const facts = { since: 0, synced: false, phase: 'list', items: 3, expected: 9, attempt: 2 } as const;
    const more = { lastError: undefined, delay: undefined, staleSince: undefined, blockedBy: ['x', 'y'] };
    expect(states.map((state) => reasonOf({ ...pods, ...facts, ...more, state }))).toEqual([
      'it begins when those before it are in sync',
      'it waits',
      'its reading is stopped by x, y',
      'it ended: with no error',
      'its first list is read: 3 objects so far of about 9',
    ]);
  });
});
