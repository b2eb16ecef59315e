import { type Observable, Subject, take, tap } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import type { InformerError, ShutdownTimeoutError, SyncTimeoutError } from '../../src/errors.ts';
import { createInformer, createInformerFactory } from '../../src/informer/factory.ts';
import type { InformerState } from '../../src/informer/readiness.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import type { Notification } from '../../src/store/notification.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, onStage } from '../testkit/play.ts';
import { added, after, end, late, list, refuse, type Step, watch } from '../testkit/steps.ts';

/** Informers of the namespaces x, y and z, in this order. */
async function three(steps: readonly Step[]) {
  const { clock, server } = await onStage(steps);
  const informers = createInformerFactory(server.cluster, { random: () => 0, scheduler: clock });
  atTheEnd(() => informers.stop());
  const [x, y, z] = ['x', 'y', 'z'].map((namespace) =>
    informers.for('v1', 'Pod', { namespace, streamingList: false }),
  ) as [Pods, Pods, Pods];
  const states = () => informers.health().informers.map(({ state }) => state);
  return { clock, server, informers, x, y, z, states };
}

type Pods = ReturnType<typeof createInformer<KubernetesObject>>;

const inNamespace = ({ path }: { readonly path: string }): string =>
  /namespaces\/(\w+)\//.exec(path)?.[1] ?? '';

const first = list(100, pod('a', 90));
/** So that all have asked before the first one is answered. */
const slow = late(1_000, first);

/** What is emitted, and how it ends. */
function outcomeOf<T>(source: Observable<T>) {
  const log: unknown[] = [];
  const subscription = source.subscribe({
    next: () => log.push('done'),
    error: (error: unknown) => log.push(error),
    complete: () => log.push('complete'),
  });
  atTheEnd(() => subscription.unsubscribe());
  return { log, subscription };
}

/** A handler that is done when the spec says so. */
function handling(informer: Pick<Pods, 'notifications$' | 'context'>, name: string) {
  const handled: string[] = [];
  const done$ = new Subject<void>();
  const handler = (told: Notification<KubernetesObject>): Observable<void> => {
    handled.push(told.key);
    return done$.pipe(take(1));
  };
  const options = { name, context: informer.context };
  const subscription = informer.notifications$.pipe(coalesce(handler, options)).subscribe();
  atTheEnd(() => subscription.unsubscribe());
  return { handled, done: () => done$.next(), subscription };
}

describe('start()', () => {
  it('starts all at once', async () => {
    const { clock, informers, states } = await three([slow, slow, slow, watch(), watch(), watch()]);
    informers.start();
    await clock.settle();
    expect(states()).toEqual(['starting', 'starting', 'starting']);
    await clock.advance(1_000);
    expect(states()).toEqual(['live', 'live', 'live']);
  });

  it('in order starts each when the one before is in sync', async () => {
    const script = [slow, slow, watch(), slow, watch(), watch()];
    const { clock, informers, states } = await three(script);
    informers.start({ inOrder: true });
    await clock.settle();
    expect(states()).toEqual(['starting', 'queued', 'queued']);
    expect(informers.health().informers[1]?.reason).toBe('it begins when those before it are in sync');
    await clock.advance(1_000);
    expect(states()).toEqual(['live', 'starting', 'queued']);
    await clock.advance(1_000);
    expect(states()).toEqual(['live', 'live', 'starting']);
    await clock.advance(1_000);
    expect(states()).toEqual(['live', 'live', 'live']);
  });

  it('in the order of a list starts all others after it, at once', async () => {
    const script = [slow, slow, slow, watch(), watch(), watch()];
    const { clock, informers, z, states, server } = await three(script);
    informers.start({ inOrder: [z, z] });
    await clock.settle();
    expect(states()).toEqual(['queued', 'queued', 'starting']);
    await clock.advance(1_000);
    expect(states()).toEqual(['starting', 'starting', 'live']);
    await clock.advance(1_000);
    expect(states()).toEqual(['live', 'live', 'live']);
    expect(server.requests.map(inNamespace)[0]).toEqual('z');
  });

  it('in order keeps those behind a failure back until that is started again and in sync', async () => {
    const { clock, informers, x, states } = await three([
      refuse('LIST', 405),
      first,
      first,
      watch(),
      first,
      watch(),
      watch(),
    ]);
    informers.start({ inOrder: true });
    await clock.advance(60_000);
    expect(states()).toEqual(['failed', 'queued', 'queued']);
    x.start();
    await clock.settle();
    expect(states()).toEqual(['live', 'live', 'live']);
  });

  it('takes one that runs for started, and another call for all at once', async () => {
    const script = [first, watch(), slow, slow, watch(), watch()];
    const { clock, informers, x, states } = await three(script);
    x.start();
    await clock.settle();
    informers.start({ inOrder: true });
    await clock.settle();
    expect(states()).toEqual(['live', 'starting', 'queued']);
    informers.start();
    await clock.settle();
    expect(states()).toEqual(['live', 'starting', 'starting']);
    await clock.advance(1_000);
  });

  it('is ended by stop(), also for those whose turn has not come, whoever calls it', async () => {
    const { clock, informers, x, states, server } = await three([]);
    x.status$.subscribe(({ type }) => {
      if (type === 'list') informers.stop();
    });
    informers.start({ inOrder: [x] });
    await clock.settle();
    expect(states()).toEqual(['stopped', 'stopped', 'stopped']);
    informers.start();
    expect(states()).toEqual(['stopped', 'stopped', 'stopped']);
    await clock.settle();
    expect(server.sockets.size).toBe(0);
  });

  it('leaves one that is asked for later to its subscribers, or to the next call', async () => {
    const { server, clock } = await onStage([first, watch(), first, watch()]);
    const informers = createInformerFactory(server.cluster, { random: () => 0, scheduler: clock });
    atTheEnd(() => informers.stop());
    informers.start();
    informers.for('v1', 'Pod', { namespace: 'x', streamingList: false });
    const y = informers.for('v1', 'Pod', { namespace: 'y', streamingList: false });
    const subscription = y.notifications$.subscribe();
    await clock.settle();
    expect(informers.health().informers.map(({ state }) => state)).toEqual(['unused', 'live']);
    informers.start();
    await clock.settle();
    expect(informers.health().informers.map(({ state }) => state)).toEqual(['live', 'live']);
    subscription.unsubscribe();
  });

  it.each<[unknown]>([['x'], [1], [{}], [[{}]]])('refuses an order %j', async (inOrder) => {
    const { informers, server } = await three([]);
    const foreign = createInformer(server.cluster, 'v1', 'Pod');
    const refused = expect.objectContaining({ code: 'INVALID_OPTION', option: 'inOrder' }) as Error;
    expect(() => informers.start({ inOrder: inOrder as never })).toThrow(refused);
    expect(() => informers.start({ inOrder: [foreign] })).toThrow(refused);
  });
});

describe('waitForSync()', () => {
  it('emits once and completes when all are in sync, and starts none', async () => {
    const script = [slow, slow, slow, watch(), watch(), watch()];
    const { clock, informers } = await three(script);
    const [limited, unlimited] = [{ timeout: 5_000 }, {}].map((options) =>
      outcomeOf(informers.waitForSync(options)),
    );
    await clock.settle();
    informers.start();
    await clock.advance(999);
    expect([limited?.log, unlimited?.log]).toEqual([[], []]);
    await clock.advance(1);
    const done = ['done', 'complete'];
    expect([limited?.log, unlimited?.log]).toEqual([done, done]);
    expect(outcomeOf(informers.waitForSync()).log).toEqual(done);
  });

  it('names in time those that are not, and why', async () => {
    const { clock, informers, x } = await three([late(10_000, first)]);
    const { log } = outcomeOf(informers.waitForSync({ timeout: 2_000 }));
    informers.start({ inOrder: [x] });
    await clock.advance(2_000);
    const [error] = log as [SyncTimeoutError];
    expect(error).toMatchObject({
      code: 'SYNC_TIMEOUT',
      missing: { 'v1 Pod in x': { state: 'starting' }, 'v1 Pod in y': { state: 'queued' } },
    });
    expect(error.message).toBe(
      'not in sync after 2 s: v1 Pod in x (its first list is read: 0 objects so far), ' +
        'v1 Pod in y (it begins when those before it are in sync), ' +
        'v1 Pod in z (it begins when those before it are in sync)',
    );
    informers.stop();
    await clock.settle();
  });

  it('passes the terminal error of one', async () => {
    const { clock, informers } = await three([late(10, refuse('LIST', 405)), slow, slow]);
    const { log } = outcomeOf(informers.waitForSync());
    informers.start();
    await clock.advance(10);
    expect(log.map((error) => (error as InformerError).terminal)).toEqual([true]);
  });

  it.each([undefined, 1_000])(
    'passes at once that of one that ended before (timeout %p)',
    async (timeout) => {
      const { clock, informers, x } = await three([
        refuse('LIST', 405),
        slow,
        slow,
        watch(),
        watch(),
        first,
        watch(),
      ]);
      informers.start();
      await clock.advance(2_000);
      const { log } = outcomeOf(informers.waitForSync({ timeout }));
      expect(log.map((error) => (error as InformerError).terminal)).toEqual([true]);
      x.start();
      const again = outcomeOf(informers.waitForSync({ timeout }));
      await clock.settle();
      expect(again.log).toEqual(['done', 'complete']);
    },
  );
});

describe('shutdown()', () => {
  const lists = [slow, slow, slow, watch(), watch(), watch()];

  it('stops all at once, and is done when every handler is, with what waited, too', async () => {
    const { clock, informers, x, y, states, server } = await three(lists);
    const [one, other] = [handling(x, 'one'), handling(y, 'other')];
    informers.start();
    await clock.advance(1_000);
    const outcome = outcomeOf(informers.shutdown({ timeout: 10_000 }));
    await clock.settle();
    expect(states()).toEqual(['stopped', 'stopped', 'stopped']);
    expect(server.sockets.size).toBe(0);
    expect([one.handled, other.handled]).toEqual([['default/a'], ['default/a']]);
    other.done();
    one.done();
    expect(outcome.log).toEqual(['done', 'complete']);
    expect(clock.pending).toBe(0);
  });

  it('hands out what came before, and waits for that', async () => {
    const { clock, informers, x } = await three([
      first,
      watch(after(1_000), ...[1, 2].map((n) => added(pod(`n${n}`, 100 + n)))),
    ]);
    const { handled, done } = handling(x, 'one');
    await clock.advance(1_000);
    const { log } = outcomeOf(informers.shutdown());
    expect(handled).toEqual(['default/a']);
    done();
    done();
    expect([handled, log]).toEqual([['default/a', 'default/n1', 'default/n2'], []]);
    done();
    expect(log).toEqual(['done', 'complete']);
  });

  it('is done at once where nobody handles anything, and where they leave', async () => {
    const { clock, informers, x } = await three(lists);
    const { subscription } = handling(x, 'one');
    informers.start();
    await clock.advance(1_000);
    const { log } = outcomeOf(informers.shutdown());
    expect(log).toEqual([]);
    subscription.unsubscribe();
    expect(log).toEqual(['done', 'complete']);
    expect(outcomeOf(informers.shutdown()).log).toEqual(['done', 'complete']);
  });

  it('names in time who is still at work, and leaves them to it', async () => {
    const { clock, informers, x } = await three(lists);
    const { done, handled } = handling(x, 'billing');
    handling(x, 'other').done();
    informers.start();
    await clock.advance(1_000);
    const { log } = outcomeOf(informers.shutdown({ timeout: 5_000 }));
    await clock.advance(5_000);
    const [error] = log as [ShutdownTimeoutError];
    expect(error).toMatchObject({
      code: 'SHUTDOWN_TIMEOUT',
      terminal: true,
      working: { 'v1 Pod in x': [{ name: 'billing', running: 1, length: 0 }, { name: 'other' }] },
      message:
        'still at work after 5 s: billing of v1 Pod in x (1 at work, 0 waiting), other of v1 Pod in x (1 at work, 0 waiting)',
    });
    done();
    expect(handled).toEqual(['default/a']);
  });

  it('acts whether or not anybody subscribes, and what comes of it can be asked later', async () => {
    const { clock, informers, x, states } = await three(lists);
    const { done } = handling(x, 'one');
    informers.start();
    await clock.advance(1_000);
    const outcome$ = informers.shutdown({ timeout: 1_000 });
    expect(states()).toEqual(['stopped', 'stopped', 'stopped']);
    await clock.advance(1_000);
    expect(outcomeOf(outcome$).log).toMatchObject([{ code: 'SHUTDOWN_TIMEOUT' }]);
    done();
  });

  it('does not wait for those who come after it, when all begins anew', async () => {
    const { clock, informers, x, states } = await three([...lists, ...lists]);
    const { done } = handling(x, 'one');
    informers.start();
    await clock.advance(1_000);
    const { log } = outcomeOf(informers.shutdown());
    informers.start();
    const next = handling(x, 'next');
    await clock.advance(1_000);
    expect([states(), next.handled]).toEqual([['live', 'live', 'live'], ['default/a']]);
    expect(log).toEqual([]);
    done();
    expect(log).toEqual(['done', 'complete']);
  });

  it.each([0, NaN, -1, '5' as never])('refuses a timeout of %p', async (timeout) => {
    const { informers } = await three([]);
    const refused = expect.objectContaining({ code: 'INVALID_OPTION', option: 'timeout' }) as Error;
    expect(() => informers.shutdown({ timeout })).toThrow(refused);
    expect(() => informers.waitForSync({ timeout })).toThrow(refused);
  });
});

describe('states$', () => {
  it('tells how each does, now and at each change, also of those asked for later', async () => {
    const { clock, server } = await onStage([
      slow,
      watch(after(5_000), end()),
      refuse('WATCH', 503),
      watch(),
    ]);
    const informers = createInformerFactory(server.cluster, { random: () => 0, scheduler: clock });
    atTheEnd(() => informers.stop());
    const seen: (readonly InformerState[])[] = [];
    const subscription = informers.states$.subscribe((all) => seen.push(all.map(({ state }) => state)));
    atTheEnd(() => subscription.unsubscribe());
    expect(seen).toEqual([[]]);
    const x = informers.for('v1', 'Pod', { namespace: 'x', streamingList: false });
    expect(seen).toEqual([[], ['unused']]);
    x.start();
    await clock.advance(6_000 + 800);
    informers.for('v1', 'Pod', { namespace: 'y' });
    informers.for('v1', 'Pod', { namespace: 'y' });
    expect(seen.slice(2).map((states) => states.join())).toEqual([
      'starting',
      'telling',
      'synced',
      'live',
      'synced',
      'waiting',
      'synced',
      'live',
      'live,unused',
    ]);
  });

  it('tells whose turn has not come', async () => {
    const { informers, clock, x } = await three([]);
    const seen: string[] = [];
    const told$ = informers.states$.pipe(tap((all) => seen.push(all.map(({ state }) => state).join())));
    const subscription = told$.subscribe();
    x.status$.pipe(take(2)).subscribe(({ type }) => {
      if (type === 'list') informers.stop();
    });
    informers.start({ inOrder: true });
    await clock.settle();
    subscription.unsubscribe();
    expect(seen[0]).toBe('unused,unused,unused');
    expect(seen[1]).toBe('queued,queued,queued');
    expect(seen.at(-1)).toBe('stopped,stopped,stopped');
  });
});

describe('health()', () => {
  it('is ready when all are in sync, and frozen data', async () => {
    const { clock, informers } = await three([slow, slow, slow, watch(), watch(), watch()]);
    expect(informers.health()).toMatchObject({ live: true, ready: false });
    informers.start();
    await clock.settle();
    expect(informers.health()).toMatchObject({ live: true, ready: false });
    await clock.advance(1_000);
    const health = informers.health();
    expect(health).toMatchObject({ live: true, ready: true });
    expect(health.informers.map(({ namespace }) => namespace)).toEqual(['x', 'y', 'z']);
    expect(Object.isFrozen(health) && Object.isFrozen(health.informers)).toBe(true);
    expect(JSON.parse(JSON.stringify(health))).toMatchObject({
      ready: true,
      informers: [{ state: 'live' }, {}, {}],
    });
  });

  it('is neither where one has failed for good', async () => {
    const { clock, informers } = await three([late(10, refuse('LIST', 405)), slow, slow]);
    informers.start();
    await clock.advance(10);
    expect(informers.health()).toMatchObject({ live: false, ready: false });
  });

  it('is live through failures, unless a store is stale for longer than was said', async () => {
    const { clock, informers, x } = await three([
      first,
      watch(after(1_000), end()),
      ...Array.from({ length: 2 }, () => refuse('WATCH', 503)),
      watch(),
    ]);
    x.start();
    await clock.advance(1_000 + 1_000);
    expect(x.readiness.staleSince).toBe(1_000);
    expect(informers.health({ maxStale: 1_000 }).live).toBe(true);
    await clock.advance(1);
    expect([informers.health({ maxStale: 1_000 }).live, informers.health().live]).toEqual([false, true]);
    await clock.advance(2_000);
    expect(informers.health({ maxStale: 1_000 }).live).toBe(true);
  });

  it('is live after a stop, however long ago, but not ready', async () => {
    const { clock, informers, x } = await three([first, watch()]);
    x.start();
    await clock.settle();
    informers.stop();
    await clock.advance(60_000);
    expect(informers.health({ maxStale: 1_000 })).toMatchObject({ live: true, ready: false });
  });

  it('of no informer is live and ready', async () => {
    const { server } = await onStage([]);
    expect(createInformerFactory(server.cluster).health()).toEqual({
      live: true,
      ready: true,
      informers: [],
    });
  });

  it.each([-1, NaN, '5' as never])('refuses a bound of %p', async (maxStale) => {
    const { informers } = await three([]);
    const refused = expect.objectContaining({ code: 'INVALID_OPTION', option: 'maxStale' }) as Error;
    expect(() => informers.health({ maxStale })).toThrow(refused);
  });
});
