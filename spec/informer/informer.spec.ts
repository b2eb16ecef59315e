import { throwError, timer } from 'rxjs';
import type { InformerError } from '../../src/errors.ts';
import { createInformer } from '../../src/informer/factory.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { InformerOptions } from '../../src/informer/options.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, heldIn, onStage, play, watching } from '../testkit/play.ts';
import {
  added,
  after,
  bookmark,
  deleted,
  end,
  errorEvent,
  initialEnd,
  late,
  list,
  modified,
  refuse,
  silence,
  stream,
  watch,
} from '../testkit/steps.ts';

const first = list(100, pod('a', 90));
const opening = ['LIST rv=0 limit=500', 'WATCH rv=100'];
const told1 = ['add a@90 initial', 'synced'];

/** How `synced$` turns out, once it does. */
const syncOf = (informer: Pick<Informer<never>, 'synced$'>) => {
  const outcome: string[] = [];
  const subscription = informer.synced$.subscribe({
    next: () => outcome.push('synced'),
    error: (error: unknown) => outcome.push((error as InformerError).code),
    complete: () => outcome.push('complete'),
  });
  atTheEnd(() => subscription.unsubscribe());
  return outcome;
};

describe('an informer runs', () => {
  it('from its first subscriber to its last, with one list and one watch for all', async () => {
    const { clock, server, informer } = await play([first, watch(after(1_000), added(pod('b', 101)))], {
      subscribed: false,
    });
    expect(server.asked).toEqual([]);
    expect(informer.phase).toEqual({ type: 'stopped' });

    const one = watching(informer);
    await clock.settle();
    const two = watching(informer);
    await clock.advance(1_000);
    expect(server.asked).toEqual(opening);
    expect(one.told).toEqual([...told1, 'add b@101']);
    expect(two.told).toEqual(['add a@90 initial', 'add b@101']);

    one.unsubscribe();
    await clock.settle();
    expect(informer.live).toBe(true);
    two.unsubscribe();
    await clock.settle();
    expect(informer.phase).toEqual({ type: 'stopped' });
    expect(server.sockets.size).toBe(0);
    expect(heldIn(informer.store)).toEqual(['a@90', 'b@101']);
    expect(informer.store.stale).toBe(true);
  });

  it('from start() to stop(), whoever subscribes or leaves', async () => {
    const { clock, server, informer } = await play([first, watch()], { subscribed: false });
    informer.start();
    informer.start();
    await clock.settle();
    expect(server.asked).toEqual(opening);
    const { told, unsubscribe } = watching(informer);
    unsubscribe();
    await clock.advance(60_000);
    expect(told).toEqual(['add a@90 initial']);
    expect(informer.live).toBe(true);
    informer.stop();
    await clock.settle();
    expect(informer.phase).toEqual({ type: 'stopped' });
    expect(server.sockets.size).toBe(0);
  });

  it('until stop(), which completes every subscriber and does nothing again', async () => {
    const played = await play([first, watch()]);
    const { clock, informer, statuses } = played;
    const another = watching(informer);
    informer.stop();
    informer.stop();
    await clock.settle();
    expect(played.end).toEqual({ type: 'completed' });
    expect(another.end).toEqual({ type: 'completed' });
    expect(statuses.filter(({ type }) => type === 'stopped')).toHaveLength(2);
    expect(heldIn(informer.store)).toEqual(['a@90']);
    expect(informer.store.stale).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('not at all where it is stopped before', async () => {
    const { server, informer } = await play([], { subscribed: false });
    informer.stop();
    expect(server.asked).toEqual([]);
  });

  it('until it is stopped in the middle of what it tells', async () => {
    const { clock, server, informer } = await play([list(100, pod('a', 90), pod('b', 91))], {
      subscribed: false,
    });
    const seen: string[] = [];
    informer.notifications$.subscribe(({ key }) => {
      seen.push(key);
      informer.stop();
    });
    await clock.settle();
    expect(seen).toEqual(['default/a']);
    expect(server.sockets.size).toBe(0);
  });

  it.each(['listed', 'synced', 'applied'])('until it is stopped at the status `%s`', async (type) => {
    const { clock, informer } = await play([stream(added(pod('a', 90)), initialEnd(90))], {
      streaming: true,
      subscribed: false,
    });
    const statuses: string[] = [];
    informer.status$.subscribe((status) => {
      statuses.push(status.type);
      if (status.type === type) informer.stop();
    });
    informer.start();
    await clock.settle();
    expect(statuses.at(-1)).toBe('stopped');
    expect(informer.phase).toEqual({ type: 'stopped' });
    expect(informer.live).toBe(false);
  });
});

describe('linger', () => {
  it('keeps it for those who come back in time', async () => {
    const { clock, server, informer, unsubscribe } = await play([first, watch()], { linger: 10_000 });
    unsubscribe();
    await clock.advance(9_999);
    const { told } = watching(informer);
    await clock.advance(60_000);
    expect(server.asked).toEqual(opening);
    expect(told).toEqual(['add a@90 initial']);
  });

  it('ends it when it is over', async () => {
    const { clock, server, informer, unsubscribe } = await play([first, watch()], { linger: 10_000 });
    unsubscribe();
    await clock.advance(10_000);
    expect(informer.phase).toEqual({ type: 'stopped' });
    expect(server.sockets.size).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('is cut short by stop()', async () => {
    const { clock, server, informer, unsubscribe } = await play([first, watch()], { linger: 10_000 });
    unsubscribe();
    informer.stop();
    await clock.settle();
    expect(server.sockets.size).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('brings it in sync while nobody is there', async () => {
    const { clock, informer, unsubscribe } = await play([late(5_000, first), watch()], { linger: 10_000 });
    unsubscribe();
    const outcome = syncOf(informer);
    await clock.advance(5_000);
    expect(outcome).toEqual(['synced', 'complete']);
  });
});

describe('a new start', () => {
  it('lists before it hands out anything, nothing older than what it holds', async () => {
    const { clock, server, informer } = await play([
      first,
      watch(),
      late(5_000, list(200, pod('a', 90), pod('c', 150))),
      watch(),
    ]);
    informer.stop();
    await clock.settle();
    const { told } = watching(informer);
    const outcome = syncOf(informer);
    await clock.advance(4_999);
    expect(told).toEqual([]);
    expect(outcome).toEqual([]);
    expect(informer.store.stale).toBe(true);
    await clock.advance(1);
    expect(told).toEqual(['add a@90 initial', 'add c@150 initial', 'synced']);
    expect(outcome).toEqual(['synced', 'complete']);
    expect(informer.store.stale).toBe(false);
    expect(server.asked.slice(2)).toEqual(['LIST rv=100 NotOlderThan limit=500', 'WATCH rv=200']);
  });

  it('after a terminal error begins anew', async () => {
    const played = await play([
      first,
      watch(after(2_000), errorEvent(405, 'MethodNotAllowed')),
      list(200, pod('a', 90)),
      watch(),
    ]);
    const { clock, informer, statuses } = played;
    await clock.advance(2_000);
    const failed = {
      type: 'failed',
      error: expect.objectContaining({ code: 'WATCH_NOT_SUPPORTED' }) as InformerError,
    };
    expect(played.end).toEqual(failed);
    expect(informer.phase).toEqual(failed);
    expect(informer.store.stale).toBe(true);
    expect(clock.pending).toBe(0);

    const { told } = watching(informer);
    await clock.settle();
    expect(told).toEqual(told1);
    expect(informer.live).toBe(true);
    expect(statuses.at(-1)).toEqual({ type: 'live', version: '200' });
    expect(informer.store.stale).toBe(false);
  });

  it('is taken by start() too, and its terminal error does not go unhandled', async () => {
    const refused = refuse('LIST', 405, 'MethodNotAllowed');
    const { clock, server, informer } = await play([refused, refused], { subscribed: false });
    informer.start();
    await clock.settle();
    expect(informer.phase.type).toBe('failed');
    informer.start();
    await clock.settle();
    expect(server.asked).toHaveLength(2);
  });
});

describe('synced$', () => {
  it('emits when all adds of the first list were told, and completes', async () => {
    const { clock, informer, told } = await play([
      late(1_000, list(100, pod('a', 90), pod('b', 91))),
      watch(),
    ]);
    const at: number[] = [];
    informer.synced$.subscribe(() => at.push(told.length));
    const outcome = syncOf(informer);
    await clock.settle();
    expect(outcome).toEqual([]);
    await clock.advance(1_000);
    expect(outcome).toEqual(['synced', 'complete']);
    expect(told).toEqual(['add a@90 initial', 'add b@91 initial', 'synced']);
    expect(at).toEqual([told.indexOf('synced') + 1]);
  });

  it('tells it at once to whoever comes later, even while the watch fails', async () => {
    const { clock, informer } = await play([first, refuse('WATCH', 500)]);
    expect(syncOf(informer)).toEqual(['synced', 'complete']);
    await clock.advance(100);
    expect(syncOf(informer)).toEqual(['synced', 'complete']);
  });

  it('starts nothing', async () => {
    const { clock, server, informer } = await play([], { subscribed: false });
    expect(syncOf(informer)).toEqual([]);
    await clock.advance(60_000);
    expect(server.asked).toEqual([]);
  });

  it('is a matter of one run', async () => {
    const { clock, informer } = await play([first, watch()]);
    informer.stop();
    await clock.settle();
    expect(syncOf(informer)).toEqual([]);
  });

  it('errors with the terminal error', async () => {
    const { clock, informer } = await play([late(1_000, refuse('LIST', 405))]);
    const outcome = syncOf(informer);
    await clock.advance(1_000);
    expect(outcome).toEqual(['BAD_REQUEST']);
  });

  it('errors with whatever the notifier of `retry` ends it with', async () => {
    const notifier = (error: InformerError, failures: number) =>
      failures < 3 ? timer(100, clock) : throwError(() => error);
    const stage = await onStage([refuse('LIST', 500), refuse('LIST', 500), refuse('LIST', 500)]);
    const { clock } = stage;
    const played = await play([], { stage, retry: { notifier } });
    const outcome = syncOf(played.informer);
    await clock.advance(1_000);
    expect(outcome).toEqual(['API_STATUS']);
    expect(played.end).toMatchObject({ type: 'failed', error: { status: 500 } });
    expect(played.informer.phase.type).toBe('failed');
  });
});

describe('status$', () => {
  it('tells the phase it is in, then everything', async () => {
    const { clock, statuses, informer } = await play([
      first,
      watch(after(2_000), bookmark(101), end()),
      watch(),
    ]);
    const later: string[] = [];
    const subscription = informer.status$.subscribe(({ type }) => later.push(type));
    atTheEnd(() => subscription.unsubscribe());
    await clock.advance(2_000);
    informer.stop();
    expect(later).toEqual(['live', 'end', 'watch', 'live', 'stopped']);
    expect(statuses.map(({ type }) => type)).toEqual([
      'stopped',
      'list',
      'list',
      'page',
      'listed',
      'synced',
      'applied',
      'watch',
      'live',
      'end',
      'watch',
      'live',
      'stopped',
    ]);
    expect(statuses).toContainEqual({ type: 'end', reason: 'server closed it', lasted: 2_000 });
    expect(statuses).toContainEqual({ type: 'applied', items: 1, version: '100' });
  });

  it('tells each failure with what was asked, how often, and when it goes on', async () => {
    const { statuses } = await play([refuse('LIST', 503, 'ServiceUnavailable')]);
    expect(statuses.slice(-2)).toEqual([
      {
        type: 'error',
        attempt: 1,
        delay: 800,
        error: expect.objectContaining({
          verb: 'list',
          path: '/api/v1/pods',
          status: 503,
          reason: 'ServiceUnavailable',
        }) as InformerError,
      },
      { type: 'wait', reason: 'backoff', delay: 800 },
    ]);
  });

  it('tells of an index function that throws, and everything else goes on', async () => {
    const indexers = {
      broken: (): string[] => {
        throw new Error('no');
      },
      name: ({ metadata }: KubernetesObject) => [metadata?.name ?? ''],
    };
    const { told, problems, informer } = await play([first, watch()], { indexers });
    expect(problems).toEqual(['USER_FUNCTION']);
    expect(told).toContain('add a@90 initial');
    expect(informer.store.byIndex('name', 'a')).toHaveLength(1);
  });
});

describe('how it stands', () => {
  it('is stale until the first list, while requests fail, and after the stop', async () => {
    const { clock, informer } = await play([
      late(1_000, first),
      watch(after(2_000), errorEvent(500, 'InternalError')),
      late(100, watch()),
    ]);
    const seen: [boolean, boolean][] = [];
    const look = () => seen.push([informer.store.stale, informer.live]);
    look();
    await clock.advance(1_000);
    look();
    await clock.advance(2_000);
    look();
    await clock.advance(899);
    look();
    await clock.advance(1);
    look();
    informer.stop();
    look();
    expect(seen).toEqual([
      [true, false],
      [false, true],
      [true, false],
      [true, false],
      [false, true],
      [true, false],
    ]);
  });

  it('has the version of the last list, event or bookmark, deletes too', async () => {
    const { clock, informer } = await play([
      late(1_000, first),
      watch(
        after(1_000),
        modified(pod('a', 101)),
        after(1_000),
        bookmark(105),
        after(1_000),
        deleted(pod('a', 110)),
      ),
    ]);
    const versions = [informer.resourceVersion];
    for (let n = 0; n < 4; n++) {
      await clock.advance(1_000);
      versions.push(informer.resourceVersion);
    }
    expect(versions).toEqual([undefined, '100', '101', '105', '110']);
  });

  it('knows how long no byte came', async () => {
    const { clock, informer } = await play([late(1_000, first), watch(after(60_000), bookmark(101))], {
      streamingList: false,
    });
    expect(informer.silence).toBeUndefined();
    await clock.advance(1_000);
    expect(informer.silence).toBe(0);
    await clock.advance(59_999);
    expect(informer.silence).toBe(59_999);
    await clock.advance(3);
    expect(informer.silence).toBe(2);
  });

  it('knows what failed last, until it is well again', async () => {
    const { clock, informer } = await play([refuse('LIST', 403), first, watch()]);
    expect(informer.lastError).toMatchObject({ status: 403 });
    await clock.advance(60_000);
    expect(informer.lastError).toBeUndefined();
  });
});

describe('resync', () => {
  it('tells every object again at its period, without a request', async () => {
    const { clock, server, told } = await play([first, watch(after(15_000), bookmark(101))], {
      resync: 10_000,
    });
    await clock.advance(20_000);
    expect(told.slice(2)).toEqual(['sync a@90', 'sync a@90']);
    expect(server.asked).toEqual(opening);
  });
});

describe('options that cannot be', () => {
  const bad: [string, InformerOptions<KubernetesObject>][] = [
    ['pageSize', { pageSize: 0 }],
    ['poll', { poll: 0 }],
    ['watchTimeout', { watchTimeout: -1 }],
    ['linger', { linger: -1 }],
    ['resync', { resync: 0 }],
    ['resetAfter', { retry: { resetAfter: 0 } }],
    ['initial', { retry: { initial: -1 } }],
    ['maxItemBytes', { maxItemBytes: 0 }],
    ['labelSelector', { labelSelector: 'a in' }],
    ['fieldSelector', { fieldSelector: 'a' }],
    ['indexers', { indexers: { x: 1 } as never }],
    ['indexers', { indexers: null as never }],
    ['options', null as never],
    ['namespace', { namespace: null as never }],
    ['labelSelector', { labelSelector: null as never }],
    ['fieldSelector', { fieldSelector: null as never }],
    ['key', { key: 'metadata.uid' as never }],
    ['transform', { transform: null as never }],
    ['retry', { retry: null as never }],
    ['notifier', { retry: { notifier: 1 as never } }],
    ['scheduler', { scheduler: {} as never }],
    ['random', { random: 0.5 as never }],
    ['streamingList', { streamingList: 'no' as never }],
    ['resource', { resource: {} as never }],
    ['resource', { resource: { plural: '', namespaced: true } }],
  ];

  it.each(bad)('%s: thrown at the call', async (option, options) => {
    const { server } = await onStage([]);
    const error = expect.objectContaining({ code: 'INVALID_OPTION', option }) as Error;
    expect(() => createInformer(server.cluster, 'v1', 'Pod', options)).toThrow(error);
  });

  it.each([
    ['kind', 'v1', '', {}],
    ['kind', 'v1', null as never, {}],
    ['apiVersion', null as never, 'Pod', {}],
    ['namespace', 'example.com/v1', 'Widget', { namespace: null as never }],
    ['apiVersion', 'a/b/c', 'Pod', {}],
    ['namespace', 'v1', 'Node', { namespace: 'default' }],
  ])('%s: thrown at the call', async (option, apiVersion, kind, options) => {
    const { server } = await onStage([]);
    const error = expect.objectContaining({ code: 'INVALID_OPTION', option }) as Error;
    expect(() => createInformer(server.cluster, apiVersion, kind, options)).toThrow(error);
  });
});

describe('stop() in the middle of a request', () => {
  it('leaves nothing', async () => {
    const { clock, server, informer } = await play([silence('LIST')]);
    informer.stop();
    await clock.settle();
    expect(server.sockets.size).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
