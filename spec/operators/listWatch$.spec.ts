import type { Subscription } from 'rxjs';
import { listWatch$ } from '../../operators/listWatch$.ts';
import { retryWithBackoff } from '../../operators/retryWithBackoff.ts';
import { createContext } from '../../src/context.ts';
import type { InformerError } from '../../src/errors.ts';
import { createSource, type SourceOptions } from '../../src/informer/options.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import type { Signal } from '../../src/reflector/signal.ts';
import { createTransport } from '../../src/transport/http.ts';
import { createTokenBucket, type TokenBucket } from '../../src/transport/tokenBucket.ts';
import { failure, pod, TOO_LARGE } from '../testkit/objects.ts';
import { atTheEnd, heldIn, onStage, type PlayOptions, play, type Stage } from '../testkit/play.ts';
import {
  added,
  after,
  answer,
  bookmark,
  bytes,
  cut,
  cutAfter,
  deleted,
  end,
  errorEvent,
  hangUp,
  initialEnd,
  inPieces,
  json,
  late,
  line,
  list,
  modified,
  page,
  raw,
  refuse,
  refuseFor,
  reset,
  resources,
  type Step,
  silence,
  stream,
  watch,
} from '../testkit/steps.ts';

const a90 = pod('a', 90);
const first = list(100, a90);
const RELIST = 'LIST rv=100 NotOlderThan limit=500';
/** Until this, the first list and its watch: what each of these specs begins with. */
const opening = ['LIST rv=0 limit=500', 'WATCH rv=100'];

describe('streaming list', () => {
  it('is the first choice, and goes on as the watch from its mark', async () => {
    const { clock, server, told, errors } = await play(
      [stream(added(a90), initialEnd(100), modified(pod('a', 101)), after(60_000), end()), watch()],
      { streaming: true },
    );
    expect(told).toEqual(['add a@90 initial', 'synced', 'update a@90->a@101']);
    await clock.advance(60_000);
    expect(server.asked).toEqual(['STREAM', 'WATCH rv=101']);
    expect(server.requests[0]?.query).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: '300',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
    });
    expect(errors).toEqual([]);
  });

  it('is told as it ends: what changed and went while it was read, too', async () => {
    const { told, informer } = await play(
      [
        stream(
          added(a90),
          added(pod('b', 91)),
          modified(pod('a', 95)),
          deleted(pod('b', 96)),
          bookmark(97),
          added(pod('c', 98)),
          initialEnd(100),
        ),
      ],
      { streaming: true },
    );
    expect(told).toEqual(['add a@95 initial', 'add c@98 initial', 'synced']);
    expect(informer.resourceVersion).toBe('100');
  });

  it('of a relist is NotOlderThan the version held', async () => {
    const { clock, server, told } = await play(
      [
        stream(initialEnd(100), after(2_000), errorEvent(410, 'Expired')),
        stream(added(a90), initialEnd(200)),
      ],
      { streaming: true },
    );
    await clock.advance(2_000);
    expect(server.asked).toEqual(['STREAM', 'STREAM rv=100']);
    expect(told).toEqual(['synced', 'add a@90']);
  });

  it.each([400, 405, 406, 415, 422, 501])(
    'refused with %d: paged, and remembered; no failure',
    async (code) => {
      const { clock, server, errors, told } = await play(
        [refuse('STREAM', code), first, watch(after(2_000), errorEvent(410)), list(200, a90), watch()],
        { streaming: true },
      );
      expect(errors).toEqual([]);
      await clock.advance(2_000);
      expect(server.asked).toEqual(['STREAM', ...opening, RELIST, 'WATCH rv=200']);
      expect(told).toEqual(['add a@90 initial', 'synced']);
    },
  );

  it('ignored, or without the end mark for 10 s: paged, and remembered', async () => {
    const { clock, server, told } = await play(
      [
        stream(added(pod('ghost', 50)), bookmark(60)),
        first,
        watch(after(2_000), errorEvent(410)),
        list(200, a90),
        watch(),
      ],
      { streaming: true },
    );
    await clock.advance(9_999);
    expect(server.asked).toEqual(['STREAM']);
    await clock.advance(1);
    expect(told).toEqual(['add a@90 initial', 'synced']);
    await clock.advance(2_000);
    expect(server.asked).toEqual(['STREAM', ...opening, RELIST, 'WATCH rv=200']);
  });

  it('not answered at all for 10 s: told, paged this time, and asked for again at the next', async () => {
    const { clock, server, told, errors } = await play(
      [silence('STREAM'), first, watch(after(2_000), errorEvent(410)), stream(added(a90), initialEnd(200))],
      { streaming: true },
    );
    await clock.advance(9_999);
    expect(errors).toEqual([]);
    await clock.advance(1);
    expect(errors).toEqual(['STALLED']);
    await clock.advance(800);
    expect(told).toEqual(['add a@90 initial', 'synced']);
    await clock.advance(2_000);
    expect(server.asked).toEqual(['STREAM', ...opening, 'STREAM rv=100']);
  });

  it('without the end mark for 60 s, however busy: paged', async () => {
    const busy = Array.from({ length: 20 }, (_, n) => [after(5_000), modified(pod('a', 91 + n))]).flat();
    const { clock, server, told } = await play([stream(added(a90), ...busy), first, watch()], {
      streaming: true,
    });
    await clock.advance(59_999);
    expect(server.asked).toEqual(['STREAM']);
    await clock.advance(1);
    expect(told).toEqual(['add a@90 initial', 'synced']);
  });

  it('cut short: nothing of it counts, paged at once; tried again at the next relist', async () => {
    const { clock, server, told } = await play(
      [
        stream(added(pod('ghost', 300)), end()),
        first,
        watch(after(2_000), errorEvent(410)),
        stream(added(a90), initialEnd(200)),
      ],
      { streaming: true },
    );
    expect(told).toEqual(['add a@90 initial', 'synced']);
    await clock.advance(2_000);
    expect(server.asked).toEqual(['STREAM', ...opening, 'STREAM rv=100']);
  });

  it('with an event that cannot be read: paged, after a wait', async () => {
    const { clock, server, told, errors } = await play(
      [stream(added(a90), line('rubbish'), initialEnd(100)), first, watch()],
      { streaming: true },
    );
    expect(errors).toEqual(['UNREADABLE']);
    expect(told).toEqual([]);
    await clock.advance(800);
    expect(server.asked).toEqual(['STREAM', ...opening]);
    expect(told).toEqual(['add a@90 initial', 'synced']);
  });

  it('is not asked for where it is not wanted', async () => {
    const { server } = await play([first, watch()], { streaming: true, streamingList: false });
    expect(server.asked).toEqual(opening);
  });
});

describe('first paged list', () => {
  it('is asked for at version 0 with a limit, and may have more items than that', async () => {
    const { server, told } = await play([list(100, a90, pod('b', 91), pod('c', 92)), watch()], {
      pageSize: 2,
    });
    expect(server.asked).toEqual(['LIST rv=0 limit=2', 'WATCH rv=100']);
    expect(told).toEqual(['add a@90 initial', 'add b@91 initial', 'add c@92 initial', 'synced']);
  });

  it('is cut into items wherever its bytes are cut', async () => {
    const { clock, told } = await play([inPieces(7, list(100, pod('ä', 90), pod('b', 91))), watch()]);
    await clock.advance(1_000);
    expect(told).toEqual(['add ä@90 initial', 'add b@91 initial', 'synced']);
  });

  it('in pages is told when it is complete, and the watch starts at its version', async () => {
    const { clock, server, told, statuses } = await play([
      page(100, 'two', a90),
      late(1_000, list(100, pod('b', 91))),
      watch(),
    ]);
    expect(told).toEqual([]);
    await clock.advance(1_000);
    expect(server.asked).toEqual(['LIST rv=0 limit=500', 'LIST limit=500 continue=two', 'WATCH rv=100']);
    expect(told).toEqual(['add a@90 initial', 'add b@91 initial', 'synced']);
    expect(statuses).toContainEqual({ type: 'page', items: 1, remaining: undefined });
    expect(statuses).toContainEqual({ type: 'listed', items: 2, version: '100' });
  });

  it.each([
    ['null', json('LIST', { kind: 'PodList', metadata: { resourceVersion: '100' }, items: null })],
    ['missing', json('LIST', { kind: 'PodList', metadata: { resourceVersion: '100' } })],
  ])('with items %s is an empty one', async (_, step) => {
    const { told } = await play([step, watch(added(pod('a', 101)))]);
    expect(told).toEqual(['synced', 'add a@101']);
  });

  it.each<[string, Step, string]>([
    ['cut', cutAfter(150, first), 'CUT'],
    ['cut at the last brace', answer('LIST', ...cutAfter(9_999, first).actions.slice(0, 2), cut()), 'CUT'],
    ['a Status', json('LIST', failure(500, 'InternalError')), '500 InternalError'],
    ['a page of a proxy', answer('LIST', ...page502()), 'UNREADABLE'],
    ['not HTTP', raw('LIST', 'hello\r\n\r\n', cut()), 'UNEXPECTED_ANSWER'],
    ['an item without a name', list(100, a90, {}), 'UNREADABLE'],
  ])('that is %s deletes nothing and is asked for again', async (_, broken, name) => {
    const { clock, server, told, errors, informer } = await play([
      first,
      watch(after(2_000), errorEvent(410, 'Expired')),
      broken,
      list(200, pod('b', 150)),
      watch(),
    ]);
    await clock.advance(2_000);
    expect(errors).toEqual(['410 Expired', name]);
    expect(heldIn(informer.store)).toEqual(['a@90']);
    expect(informer.store.stale).toBe(true);
    await clock.advance(800);
    expect(server.asked).toEqual([...opening, RELIST, RELIST, 'WATCH rv=200']);
    expect(told.slice(2)).toEqual(['delete a@90 finalStateUnknown', 'add b@150']);
    expect(informer.store.stale).toBe(false);
  });

  it('without one byte for 65 s is dead', async () => {
    const { clock, server, errors, told } = await play([silence('LIST'), first, watch()]);
    await clock.advance(65_800);
    expect(errors).toEqual(['STALLED']);
    expect(server.asked).toEqual(['LIST rv=0 limit=500', ...opening]);
    expect(told).toEqual(['add a@90 initial', 'synced']);
  });
});

/** What a proxy says, with a status that is none of a failure. */
function page502() {
  return [...json('LIST', {}).actions.slice(0, 1), bytes('<html>502 Bad Gateway</html>'), end()];
}

describe('relist', () => {
  it('is NotOlderThan the version held, never at 0', async () => {
    const { clock, server } = await play([first, watch(after(1_000), errorEvent(410)), list(120), watch()]);
    await clock.advance(1_000);
    expect(server.asked).toEqual([...opening, RELIST, 'WATCH rv=120']);
  });

  it.each<[string, Step]>([
    ['expired', refuse('LIST', 410, 'Expired')],
    ['too large', refuse('LIST', 504, 'Timeout', TOO_LARGE)],
    ['too large, in words', refuse('LIST', 504, 'Timeout', { message: TOO_LARGE.message })],
  ])('refused as %s: once more at once with no version', async (_, refused) => {
    const { clock, server, told } = await play([
      first,
      watch(after(1_000), errorEvent(410)),
      refused,
      list(200, pod('a', 150)),
      watch(),
    ]);
    await clock.advance(1_000);
    expect(server.asked).toEqual([...opening, RELIST, 'LIST limit=500', 'WATCH rv=200']);
    expect(told.slice(2)).toEqual(['update a@90->a@150']);
  });

  it('refused with no version, too: after a wait', async () => {
    const refused = refuse('LIST', 410, 'Expired');
    const { clock, server } = await play([
      first,
      watch(after(1_000), errorEvent(410)),
      refused,
      refused,
      list(200),
      watch(),
    ]);
    await clock.advance(1_799);
    expect(server.asked).toEqual([...opening, RELIST, 'LIST limit=500']);
    await clock.advance(1);
    expect(server.asked.slice(4)).toEqual(['LIST limit=500', 'WATCH rv=200']);
  });

  it('whose page 2 expired starts from page one, with nothing applied; the second time without a limit', async () => {
    const expired = refuse('LIST', 410, 'Expired');
    const { clock, server, told, informer } = await play([
      first,
      watch(after(1_000), errorEvent(410)),
      page(200, 'two', pod('b', 150)),
      late(1_000, expired),
      page(201, 'deux', pod('b', 150)),
      late(1_000, expired),
      list(202, pod('c', 160)),
      watch(),
    ]);
    await clock.advance(2_000);
    expect(heldIn(informer.store)).toEqual(['a@90']);
    await clock.advance(1_000);
    expect(server.asked).toEqual([
      ...opening,
      RELIST,
      'LIST limit=500 continue=two',
      RELIST,
      'LIST limit=500 continue=deux',
      'LIST rv=100 NotOlderThan',
      'WATCH rv=202',
    ]);
    expect(told.slice(2)).toEqual(['delete a@90 finalStateUnknown', 'add c@160']);
  });
});

describe('a complete list', () => {
  it('wins over what is held, even with an older version', async () => {
    const { clock, server, told, informer } = await play([
      first,
      watch(after(1_000), errorEvent(410)),
      refuse('LIST', 504, 'Timeout', TOO_LARGE),
      list(80, pod('a', 70)),
      watch(modified(pod('a', 81))),
    ]);
    await clock.advance(1_000);
    expect(server.asked.at(-1)).toBe('WATCH rv=80');
    expect(told.slice(2)).toEqual(['update a@90->a@70', 'update a@70->a@81']);
    expect(heldIn(informer.store)).toEqual(['a@81']);
  });

  it('tells exactly the difference', async () => {
    const { clock, told } = await play([
      list(100, a90, pod('b', 91), pod('c', 92)),
      watch(after(1_000), errorEvent(410)),
      list(200, a90, pod('b', 150), pod('c', 160, { uid: 'another' }), pod('d', 170)),
      watch(),
    ]);
    await clock.advance(1_000);
    expect(told.slice(4)).toEqual([
      'update b@91->b@150',
      'delete c@92 finalStateUnknown',
      'add c@160',
      'add d@170',
    ]);
  });

  it('has items with the kind and apiVersion that lists leave out', async () => {
    const { notifications } = await play<KubernetesObject>([
      first,
      watch(modified(pod('a', 101, { labels: { x: 'y' } }))),
    ]);
    expect(notifications.map(({ object: { kind, apiVersion } }) => ({ kind, apiVersion }))).toEqual([
      { kind: 'Pod', apiVersion: 'v1' },
      { kind: 'Pod', apiVersion: 'v1' },
    ]);
  });
});

describe('watch', () => {
  it('refuses an older object', async () => {
    const { told, informer } = await play([
      first,
      watch(modified(pod('a', 101)), modified(pod('a', 95)), modified(pod('a', 102))),
    ]);
    expect(told.slice(2)).toEqual(['update a@90->a@101', 'update a@101->a@102']);
    expect(heldIn(informer.store)).toEqual(['a@102']);
  });

  it('starts at the last version, with bookmarks, for a random time', async () => {
    const { server } = await play([first, watch()], { random: () => 0.5 });
    expect(server.requests[1]?.query).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: '450',
      resourceVersion: '100',
    });
  });

  it('without one byte is dead 5 s after it should have ended by itself', async () => {
    const { clock, server, errors } = await play([first, watch(), watch()]);
    await clock.advance(304_999);
    expect(server.asked).toEqual(opening);
    await clock.advance(1);
    expect(errors).toEqual(['STALLED']);
    await clock.advance(800);
    expect(server.asked).toEqual([...opening, 'WATCH rv=100']);
  });

  it('that is quiet between bytes is left alone', async () => {
    const quiet = Array.from({ length: 5 }, (_, n) => [after(300_000), bookmark(101 + n)]).flat();
    const { clock, server, errors } = await play([first, watch(...quiet)]);
    await clock.advance(1_700_000);
    expect(server.asked).toEqual(opening);
    expect(errors).toEqual([]);
  });

  it('without headers is waited for as long', async () => {
    const { clock, server, told } = await play([first, late(300_000, watch(added(pod('b', 101))))]);
    await clock.advance(300_000);
    expect(server.asked).toEqual(opening);
    expect(told.at(-1)).toBe('add b@101');
  });

  it('whose last line has no end counts it', async () => {
    const unended = bytes(JSON.stringify({ type: 'ADDED', object: pod('b', 105) }));
    const { clock, server, told } = await play([first, watch(after(1_000), unended, end()), watch()]);
    await clock.advance(1_000);
    expect(told.at(-1)).toBe('add b@105');
    expect(server.asked.at(-1)).toBe('WATCH rv=105');
  });
});

describe('bookmark', () => {
  it('moves the version, notifies nobody and is never stored', async () => {
    const { clock, server, told, informer } = await play([
      first,
      watch(bookmark(150), after(1_000), end()),
      watch(),
    ]);
    expect(informer.resourceVersion).toBe('150');
    expect(heldIn(informer.store)).toEqual(['a@90']);
    await clock.advance(1_000);
    expect(server.asked).toEqual([...opening, 'WATCH rv=150']);
    expect(told).toEqual(['add a@90 initial', 'synced']);
  });
});

describe('a whole watch without one byte', () => {
  it('may be of a server that is behind: then relist, with no version', async () => {
    const { clock, server, told, statuses } = await play([
      first,
      watch(after(300_000), end()),
      list(80, pod('z', 1)),
      list(80, pod('a', 70)),
      watch(),
    ]);
    await clock.advance(300_000);
    expect(server.asked).toEqual([...opening, 'LIST limit=1', 'LIST limit=500', 'WATCH rv=80']);
    expect(told.slice(2)).toEqual(['update a@90->a@70']);
    expect(statuses).toContainEqual({ type: 'list', reason: 'server went back', mode: 'paged' });
  });

  it.each([100, 150])('of a server that is at %d goes on', async (version) => {
    const { clock, server } = await play([
      first,
      watch(after(300_000), end()),
      list(version, pod('z', 1)),
      watch(added(pod('b', 160))),
    ]);
    await clock.advance(300_000);
    expect(server.asked).toEqual([...opening, 'LIST limit=1', 'WATCH rv=100']);
  });

  it('of a server that does not say where it stands within 10 s goes on, for nobody watches meanwhile', async () => {
    const { clock, server, errors } = await play([
      first,
      watch(after(300_000), end()),
      silence('LIST'),
      watch(),
    ]);
    await clock.advance(309_999);
    expect([server.asked.length, errors]).toEqual([3, []]);
    await clock.advance(801);
    expect(errors).toEqual(['STALLED']);
    expect(server.asked).toEqual([...opening, 'LIST limit=1', 'WATCH rv=100']);
  });
});

describe('clean end', () => {
  it('after a second: again at once, from the last version', async () => {
    const { clock, server, errors } = await play([first, watch(bookmark(101), after(1_000), end()), watch()]);
    await clock.advance(1_000);
    expect(server.asked).toEqual([...opening, 'WATCH rv=101']);
    expect(errors).toEqual([]);
  });

  it('before that: after a wait, and after three in a row a relist', async () => {
    const short = watch(bookmark(100), after(999), end());
    const { clock, server, errors } = await play([first, short, short, short, list(200), watch()]);
    await clock.advance(1_798);
    expect(server.asked).toEqual(opening);
    await clock.advance(1);
    expect(server.asked).toEqual([...opening, 'WATCH rv=100']);
    await clock.advance(60_000);
    expect(errors).toEqual(Array.from({ length: 3 }, () => 'SHORT_WATCH'));
    expect(server.asked.slice(4)).toEqual([RELIST, 'WATCH rv=200']);
    expect(server.requests.slice(1, 5).map(({ at }) => at)).toEqual([0, 1_799, 4_398, 8_597]);
  });
});

describe('an expired version', () => {
  it.each<[string, Step]>([
    ['a status', refuse('WATCH', 410, 'Expired')],
    ['a status without a body', answer('WATCH', { type: 'head', status: 410, headers: {} }, end())],
    ['an ERROR event', watch(errorEvent(410, 'Expired'))],
    [
      'an ERROR event with a reason only',
      watch(line({ type: 'ERROR', object: { kind: 'Status', reason: 'Gone' } })),
    ],
    ['a bare line', watch(line(failure(410, 'Expired')), end())],
    ['a bare line without its end', watch(bytes(JSON.stringify(failure(410, 'Expired'))), end())],
  ])('as %s: relist at once', async (_, step) => {
    const { server, told } = await play([first, step, list(200, a90, pod('b', 150)), watch()]);
    expect(server.asked).toEqual([...opening, RELIST, 'WATCH rv=200']);
    expect(told).toEqual(['add a@90 initial', 'synced', 'add b@150']);
  });

  it('right after its list: with no version, after a wait', async () => {
    const expired = refuse('WATCH', 410, 'Expired');
    const { clock, server } = await play([first, expired, list(101), expired, list(200), watch()]);
    expect(server.asked).toEqual([...opening, RELIST, 'WATCH rv=101']);
    await clock.advance(800);
    expect(server.asked.slice(4)).toEqual(['LIST limit=500', 'WATCH rv=200']);
  });
});

describe('a failed watch', () => {
  const failures: [string, Step, string][] = [
    ['429', refuse('WATCH', 429, 'TooManyRequests'), '429 TooManyRequests'],
    ['500', refuse('WATCH', 500, 'InternalError'), '500 InternalError'],
    [
      '503 with a page of a proxy',
      answer('WATCH', { type: 'head', status: 503, headers: {} }, bytes('<html>'), end()),
      '503',
    ],
    ['ERROR 429', watch(errorEvent(429, 'TooManyRequests')), '429 TooManyRequests'],
    ['ERROR 500', watch(errorEvent(500, 'InternalError')), '500 InternalError'],
    ['a reset', watch(after(1), reset()), 'CUT'],
    ['a cut connection', watch(cut()), 'CUT'],
    ['a cut line', watch(bytes('{"type":"ADDED","obj'), cut()), 'CUT'],
    ['a cut line in an answer that ended', watch(bytes('{"type":"ADDED","obj'), end()), 'CUT'],
  ];

  it.each(failures)('by %s: after a wait, from the last version', async (_, step, name) => {
    const { clock, server, told, errors, informer } = await play([first, step, watch(added(pod('b', 101)))]);
    await clock.advance(799);
    expect(server.asked).toEqual(opening);
    expect(errors).toEqual([name]);
    expect(informer.live).toBe(false);
    await clock.advance(2);
    expect(server.asked).toEqual([...opening, 'WATCH rv=100']);
    expect(told).toEqual(['add a@90 initial', 'synced', 'add b@101']);
    expect(informer.live).toBe(true);
  });

  it.each(failures.filter(([name]) => !name.includes('429')))(
    'by %s, three in a row: relist',
    async (_, step) => {
      const { clock, server } = await play([first, step, step, step, list(200), watch()]);
      await clock.advance(10_000);
      expect(server.asked.slice(1)).toEqual([
        'WATCH rv=100',
        'WATCH rv=100',
        'WATCH rv=100',
        RELIST,
        'WATCH rv=200',
      ]);
    },
  );

  it('on a kept-alive connection that was just closed is asked for at once on a new one', async () => {
    const { server, errors } = await play([first, hangUp('WATCH'), watch()]);
    expect(server.asked).toEqual([...opening, 'WATCH rv=100']);
    expect(errors).toEqual([]);
  });

  it('by 429 many times: never a relist, since nothing is wrong with the version', async () => {
    const busy = refuse('WATCH', 429);
    const { clock, server } = await play([first, busy, busy, busy, busy, busy, watch()]);
    await clock.advance(30_000);
    expect(server.asked.slice(2)).toEqual(Array.from({ length: 5 }, () => 'WATCH rv=100'));
  });

  it('of a server that is away for long: never a relist', async () => {
    const { clock, server, errors, informer } = await play([first, watch()]);
    await server.refuseConnections();
    await clock.advance(100_000);
    expect(errors[0]).toBe('CUT');
    expect(errors.slice(1).length).toBeGreaterThan(4);
    expect(new Set(errors.slice(1))).toEqual(new Set(['ECONNREFUSED']));
    expect(heldIn(informer.store)).toEqual(['a@90']);
    expect(informer.store.stale).toBe(true);
    await server.acceptConnections();
    server.expect(watch(added(pod('b', 101))));
    await clock.advance(30_000);
    expect(server.asked).toEqual([...opening, 'WATCH rv=100']);
    expect(informer.store.stale).toBe(false);
  });

  it('waits ever longer, up to 30 s, and from the start again after 120 s of health', async () => {
    const failing = Array.from({ length: 8 }, () => refuse('WATCH', 429));
    const { clock, server } = await play([
      first,
      ...failing,
      watch(after(120_000), bookmark(101), cut()),
      watch(),
    ]);
    await clock.advance(300_000);
    const times = server.requests.slice(1).map(({ at }) => at);
    const waits = times.slice(1).map((at, n) => at - (times[n] ?? 0));
    expect(waits).toEqual([800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 120_800]);
  });

  it.each<[string, Step]>([
    ['header', refuseFor(10, 'WATCH', 429)],
    ['header of a 503', refuseFor(10, 'WATCH', 503)],
    ['body', refuse('WATCH', 429, 'TooManyRequests', { details: { retryAfterSeconds: 10 } })],
    ['ERROR event', watch(errorEvent(429, 'TooManyRequests', { details: { retryAfterSeconds: 10 } }))],
  ])('is not asked for before the Retry-After of its %s', async (_, step) => {
    const { clock, server } = await play([first, step, watch()]);
    await clock.advance(9_999);
    expect(server.asked).toEqual(opening);
    await clock.advance(1);
    expect(server.asked).toEqual([...opening, 'WATCH rv=100']);
  });

  it('is the failure it says it is, though the rest of its body never comes', async () => {
    const hanging = answer('WATCH', { type: 'head', status: 410, headers: {} });
    const { clock, server } = await play([first, hanging, list(200), watch()]);
    await clock.advance(5_000);
    expect(server.asked).toEqual([...opening, RELIST, 'WATCH rv=200']);
  });
});

describe('401', () => {
  it.each<[string, Step]>([
    ['a status', refuse('WATCH', 401, 'Unauthorized')],
    ['an ERROR event', watch(errorEvent(401, 'Unauthorized'))],
    ['a bare line', watch(line(failure(401, 'Unauthorized')), end())],
  ])('as %s: the credentials are renewed and tried at once, once; then after a wait', async (_, refused) => {
    const { clock, server, errors } = await play([first, refused, refused, refused, refused, watch()]);
    expect(server.asked).toEqual([...opening, 'WATCH rv=100']);
    expect(server.cluster.renewed).toBe(1);
    await clock.advance(799);
    expect(server.asked).toHaveLength(3);
    await clock.advance(1);
    expect(server.asked).toHaveLength(5);
    expect(server.cluster.renewed).toBe(2);
    await clock.advance(1_600);
    expect(server.asked).toHaveLength(6);
    expect(errors).toEqual(Array.from({ length: 4 }, () => '401 Unauthorized'));
  });

  it('and credentials that cannot be renewed: a failure that tells no secret, after a wait once more', async () => {
    const stage = await onStage([refuse('LIST', 401), list(100, pod('a', 90)), watch()]);
    stage.server.cluster.renew = () => Promise.reject(new Error('login with token=abcdef failed'));
    const { clock, informer, statuses } = await play([], { stage });
    const failures = statuses.flatMap((status) => (status.type === 'error' ? [status.error] : []));
    expect(failures).toMatchObject([{ code: 'API_STATUS' }, { code: 'CREDENTIALS' }]);
    expect(failures[1]?.message).toContain('(login with token=… failed)');
    await clock.advance(800);
    expect(informer.live).toBe(true);
  });

  it('in the middle of a list goes on with the same page', async () => {
    const { server, told } = await play([
      page(100, 'two', a90),
      refuse('LIST', 401),
      list(100, pod('b', 91)),
      watch(),
    ]);
    expect(server.asked).toEqual([
      'LIST rv=0 limit=500',
      'LIST limit=500 continue=two',
      'LIST limit=500 continue=two',
      'WATCH rv=100',
    ]);
    expect(told).toEqual(['add a@90 initial', 'add b@91 initial', 'synced']);
  });
});

describe('403 and 404', () => {
  it.each([403, 404])('%d at first: reported, and asked for again at the cap', async (code) => {
    const { clock, server, told, errors, informer } = await play([
      refuse('LIST', code),
      refuse('LIST', code),
      first,
      watch(),
    ]);
    expect(errors).toEqual([`${code}`]);
    await clock.advance(29_999);
    expect(server.asked).toHaveLength(1);
    await clock.advance(30_001);
    expect(server.asked.slice(2)).toEqual(opening);
    expect(told).toEqual(['add a@90 initial', 'synced']);
    expect(informer.store.stale).toBe(false);
  });

  it('403 on the watch: the store is kept, stale, and the watch goes on from its version', async () => {
    const { clock, server, told, informer } = await play([
      first,
      watch(after(2_000), errorEvent(403, 'Forbidden')),
      refuse('WATCH', 403, 'Forbidden'),
      watch(deleted(pod('a', 101))),
    ]);
    await clock.advance(32_000);
    expect(heldIn(informer.store)).toEqual(['a@90']);
    expect(informer.store.stale).toBe(true);
    await clock.advance(30_000);
    expect(server.asked).toEqual([...opening, 'WATCH rv=100', 'WATCH rv=100']);
    expect(told.slice(2)).toEqual(['delete a@101']);
    expect(informer.store.stale).toBe(false);
  });

  it('404 on the watch: the store is kept, stale, until a good list', async () => {
    const { clock, server, told, informer } = await play([
      first,
      watch(after(2_000), errorEvent(404, 'NotFound')),
      refuse('LIST', 404),
      list(500, pod('a', 499, { uid: 'new' })),
      watch(),
    ]);
    await clock.advance(2_000);
    expect(informer.store.stale).toBe(true);
    await clock.advance(30_000);
    expect(heldIn(informer.store)).toEqual(['a@90']);
    await clock.advance(30_000);
    expect(server.asked.slice(2)).toEqual([RELIST, RELIST, 'WATCH rv=500']);
    expect(told.slice(2)).toEqual(['delete a@90 finalStateUnknown', 'add a@499']);
  });

  it('403 for streaming lists only: paged at once', async () => {
    const { told, errors } = await play([refuse('STREAM', 403, 'Forbidden'), first, watch()], {
      streaming: true,
    });
    expect(errors).toEqual(['403 Forbidden']);
    expect(told).toEqual(['add a@90 initial', 'synced']);
  });
});

describe('a kind that cannot be watched', () => {
  const bare = (name: string): KubernetesObject => ({ metadata: { name } });

  it.each<[string, Step[]]>([
    ['405', [first, refuse('WATCH', 405, 'MethodNotAllowed')]],
    ['no version of the list', [list(undefined, bare('a'))]],
  ])('as %s tells: a terminal error', async (_, steps) => {
    const { end: ended, statuses } = await play(steps);
    const error: unknown = expect.objectContaining({ code: 'WATCH_NOT_SUPPORTED', terminal: true });
    expect(ended).toEqual({ type: 'failed', error });
    expect(statuses.slice(-2)).toEqual([
      { type: 'error', error, attempt: 1, delay: undefined },
      { type: 'failed', error },
    ]);
  });

  it('is polled if that is asked for: by content, with no version', async () => {
    const { clock, server, told, statuses, informer } = await play(
      [
        list(undefined, bare('a'), bare('b')),
        list(undefined, bare('a'), { ...bare('b'), spec: 1 } as KubernetesObject),
        refuse('LIST', 500),
        list(undefined, bare('a'), bare('c')),
      ],
      { poll: 10_000 },
    );
    expect(told).toEqual(['add a@ initial', 'add b@ initial', 'synced']);
    expect(statuses.at(-1)).toEqual({ type: 'wait', reason: 'poll', delay: 10_000 });
    await clock.advance(10_000);
    expect(told.slice(3)).toEqual(['update b@->b@']);
    await clock.advance(10_000);
    expect(informer.store.stale).toBe(true);
    await clock.advance(800);
    expect(told.slice(4)).toEqual(['delete b@ finalStateUnknown', 'add c@']);
    expect(informer.store.stale).toBe(false);
    expect(server.asked.slice(1)).toEqual(['LIST limit=500', 'LIST limit=500', 'LIST limit=500']);
  });

  it('by 405 is polled too, and not asked for a watch again', async () => {
    const { clock, server } = await play([first, refuse('WATCH', 405), list(110), list(120)], {
      poll: 10_000,
    });
    await clock.advance(20_000);
    expect(server.asked).toEqual([...opening, 'LIST limit=500', 'LIST limit=500']);
  });
});

describe('the machine slept', () => {
  it(': the watch is opened again within seconds, from the last version', async () => {
    const { clock, server, told, errors, informer } = await play([
      first,
      watch(modified(pod('a', 101))),
      watch(deleted(pod('a', 110))),
    ]);
    await clock.advance(7_000);
    clock.jump(300_000);
    await clock.advance(5_000);
    expect(errors).toEqual(['SLEPT']);
    expect(server.asked).toEqual([...opening, 'WATCH rv=101']);
    expect(told.slice(2)).toEqual(['update a@90->a@101', 'delete a@110']);
    expect(informer.live).toBe(true);
  });

  it('in the middle of a list: it begins anew', async () => {
    const { clock, server, told } = await play([
      page(100, 'two', a90),
      silence('LIST'),
      list(200, pod('b', 150)),
      watch(),
    ]);
    clock.jump(300_000);
    await clock.advance(5_000);
    expect(server.asked.slice(2)).toEqual(['LIST rv=0 limit=500', 'WATCH rv=200']);
    expect(told).toEqual(['add b@150 initial', 'synced']);
  });

  it.each([-3_600_000, 9_000])('not, where the wall clock moved by %d ms', async (moved) => {
    const { clock, server } = await play([first, watch()]);
    clock.jump(moved);
    await clock.advance(60_000);
    expect(server.asked).toEqual(opening);
  });
});

describe('an event that cannot be read', () => {
  const rubbish: [string, unknown][] = [
    ['no JSON', '{"type":"MODIFIED","object":{"metadata":{"name":}}}'],
    ['no object', 'rubbish'],
    ['no name', { type: 'MODIFIED', object: { metadata: { resourceVersion: '101' } } }],
    ['an unknown type', { type: 'REPLACED', object: pod('a', 101) }],
  ];

  it('is reported once where only its body is damaged, when that is first read', async () => {
    const damaged = JSON.stringify({ type: 'MODIFIED', object: pod('a', 101) }).replace(
      /}}$/,
      ',"spec":{x}}}',
    );
    const { informer, problems } = await play([first, watch(line(damaged))]);
    const [entry] = informer.store.list();
    expect(entry?.resourceVersion).toBe('101');
    expect([entry?.object, entry?.object]).toEqual([undefined, undefined]);
    expect(problems).toEqual(['UNREADABLE']);
  });

  it.each(rubbish)('(%s) is counted and reported; the others go on; one paced relist', async (_, content) => {
    const { clock, server, told, problems, statuses } = await play([
      first,
      watch(line(content), line(content), modified(pod('a', 102))),
      list(200, pod('a', 150)),
      watch(),
    ]);
    expect(told.slice(2)).toEqual(['update a@90->a@102']);
    expect(problems).toEqual(['UNREADABLE', 'UNREADABLE']);
    expect(statuses).toContainEqual(expect.objectContaining({ type: 'problem', count: 2 }));
    await clock.advance(29_999);
    expect(server.asked).toEqual(opening);
    await clock.advance(1);
    expect(server.asked).toEqual([...opening, 'LIST rv=102 NotOlderThan limit=500', 'WATCH rv=200']);
    expect(told.slice(3)).toEqual(['update a@102->a@150']);
  });

  it('after a good list is as paced as the first one', async () => {
    const { clock, server } = await play([
      first,
      watch(line('rubbish')),
      list(200),
      watch(line('rubbish')),
      list(300),
      watch(),
    ]);
    await clock.advance(60_000);
    expect(server.requests.filter(({ type }) => type === 'LIST').map(({ at }) => at)).toEqual([
      0, 30_000, 60_000,
    ]);
  });

  it('and that the list holds, too: the watch goes on, and the relists are ever rarer', async () => {
    const broken = list(200, a90, {});
    const { clock, server, told, errors } = await play([
      first,
      watch(line('rubbish')),
      broken,
      watch(added(pod('b', 110)), bookmark(111)),
      broken,
      watch(added(pod('c', 120)), bookmark(121)),
    ]);
    await clock.advance(30_000 + 800);
    expect(told.at(-1)).toBe('add b@110');
    await clock.advance(58_000);
    expect(errors).toHaveLength(1);
    await clock.advance(4_000);
    expect(errors).toEqual(['UNREADABLE', 'UNREADABLE']);
    expect(told.at(-1)).toBe('add c@120');
    expect(server.asked.slice(2)).toEqual([
      RELIST,
      'WATCH rv=100',
      'LIST rv=111 NotOlderThan limit=500',
      'WATCH rv=111',
    ]);
  });
});

describe('selectors, namespace and scope', () => {
  it('are the same in every list and watch', async () => {
    const { clock, server } = await play(
      [
        refuse('STREAM', 422),
        page(100, 'two', a90),
        list(100),
        watch(after(300_000), end()),
        list(100),
        watch(after(2_000), errorEvent(410)),
        list(200),
        watch(),
      ],
      {
        streaming: true,
        namespace: 'web',
        labelSelector: { matchLabels: { app: 'web' } },
        fieldSelector: 'spec.nodeName=n1',
      },
    );
    await clock.advance(302_000);
    expect(server.requests).toHaveLength(8);
    for (const { path, query } of server.requests) {
      expect(path).toBe('/api/v1/namespaces/web/pods');
      expect(query).toMatchObject({ labelSelector: 'app=web', fieldSelector: 'spec.nodeName=n1' });
    }
  });
});

describe('discovery', () => {
  const widgets = { name: 'widgets', kind: 'Widget', namespaced: true };
  const widget: PlayOptions<KubernetesObject> = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    namespace: 'web',
  };
  const found = resources('example.com/v1', { ...widgets, name: 'widgets/status' }, widgets);

  it('finds the resource of a kind that does not come with Kubernetes', async () => {
    const { server } = await play([found, first, watch()], widget);
    expect(server.asked).toEqual(['GET /apis/example.com/v1', ...opening]);
    expect(server.requests[1]?.path).toBe('/apis/example.com/v1/namespaces/web/widgets');
  });

  it('of the core group is asked for where that is', async () => {
    const oddities = resources('v1', { name: 'oddities', kind: 'Oddity', namespaced: true });
    const { server } = await play([oddities, first, watch()], { kind: 'Oddity' });
    expect(server.asked).toEqual(['GET /api/v1', ...opening]);
    expect(server.requests[1]?.path).toBe('/api/v1/oddities');
  });

  it('is not asked where the resource is given', async () => {
    const resource = { plural: 'widgetz', namespaced: true };
    const { server } = await play([first, watch()], { ...widget, resource });
    expect(server.requests[0]?.path).toBe('/apis/example.com/v1/namespaces/web/widgetz');
  });

  it.each<[string, Step, string]>([
    ['the group', refuse('GET', 404), '404'],
    ['the kind', resources('example.com/v1'), 'UNKNOWN_KIND'],
  ])('is asked again, at the cap, while the server has not %s', async (_, missing, name) => {
    const { clock, server, errors, told } = await play([missing, found, first, watch()], widget);
    expect(errors).toEqual([name]);
    await clock.advance(29_999);
    expect(server.asked).toHaveLength(1);
    await clock.advance(1);
    expect(told).toEqual(['add a@90 initial', 'synced']);
  });

  it('names the nearest kind', async () => {
    const { statuses } = await play([resources('example.com/v1', widgets)], { ...widget, kind: 'Wigdet' });
    const error = expect.objectContaining({
      nearest: 'example.com/v1 Widget',
      message: expect.stringMatching(/get \/apis\/example\.com\/v1.*example\.com\/v1 Wigdet/) as string,
    }) as InformerError;
    expect(statuses).toContainEqual(expect.objectContaining({ type: 'error', error }));
  });

  it('is done anew when the kind is gone', async () => {
    const moved = resources('example.com/v1', { ...widgets, name: 'gadgets' });
    const { clock, server } = await play(
      [found, first, refuse('WATCH', 404), moved, list(200), watch()],
      widget,
    );
    await clock.advance(30_000);
    expect(server.asked.slice(3)).toEqual(['GET /apis/example.com/v1', RELIST, 'WATCH rv=200']);
    expect(server.requests.at(-1)?.path).toBe('/apis/example.com/v1/namespaces/web/gadgets');
  });

  it('that finds no namespaced kind for a namespace is terminal', async () => {
    const scoped = resources('example.com/v1', { ...widgets, namespaced: false });
    const { end: ended } = await play([scoped], widget);
    expect(ended).toMatchObject({ type: 'failed', error: { code: 'INVALID_OPTION', option: 'namespace' } });
  });

  it('with an answer that is not JSON fails as any request', async () => {
    const { clock, errors, told } = await play([answer('GET', ...page502()), found, first, watch()], widget);
    expect(errors).toEqual(['UNEXPECTED_ANSWER']);
    await clock.advance(800);
    expect(told.at(-1)).toBe('synced');
  });
});

describe('unsubscribed', () => {
  const never = () => new Promise<never>(() => undefined);
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget' };
  const states: [string, Step[], PlayOptions<KubernetesObject>, number][] = [
    ['discovering', [silence('GET')], widget, 0],
    ['waiting for headers', [silence('LIST')], {}, 0],
    ['in the middle of a list', [answer('LIST', ...first.actions.slice(0, 2))], {}, 0],
    ['between pages', [page(100, 'two', a90), late(10_000, first)], {}, 5_000],
    ['waiting for a streaming list', [silence('STREAM')], { streaming: true }, 0],
    ['in the middle of a streaming list', [stream(added(a90))], { streaming: true }, 5_000],
    ['waiting for a watch', [first, silence('WATCH')], {}, 0],
    ['watching', [first, watch()], {}, 0],
    ['watching for long', [first, watch(after(3_000), bookmark(101))], {}, 200_000],
    ['watching, with a relist to come', [first, watch(line('rubbish'))], {}, 10_000],
    ['asking where the server stands', [first, watch(after(300_000), end()), silence('LIST')], {}, 300_000],
    ['reading a failure', [answer('LIST', { type: 'head', status: 500, headers: {} })], {}, 0],
    ['backing off', [refuse('LIST', 500)], {}, 100],
    ['at the cap', [refuse('LIST', 403)], {}, 100],
    ['polling', [list(undefined)], { poll: 60_000 }, 1_000],
  ];

  it.each(states)('when %s: no request, timer or socket is left', async (_, steps, options, time) => {
    const { clock, server, informer, told, unsubscribe } = await play(steps, options);
    await clock.advance(time);
    unsubscribe();
    await clock.settle();
    expect({ timers: clock.pending, sockets: server.sockets.size, phase: informer.phase }).toEqual({
      timers: 0,
      sockets: 0,
      phase: { type: 'stopped' },
    });
    const before = { asked: server.asked.length, told: told.length };
    await clock.advance(3_600_000);
    expect({ asked: server.asked.length, told: told.length }).toEqual(before);
  });

  it.each<[string, (() => Promise<never>) | undefined]>([
    ['credentials are pending', never],
    ['it is connecting', undefined],
  ])('while %s: no request, timer or socket is left', async (_, credentials) => {
    const stage = await onStage([]);
    if (credentials !== undefined) stage.server.cluster.credentials = credentials;
    const { signals, subscription } = follow(stage);
    subscription.unsubscribe();
    await stage.clock.settle();
    expect(stage.clock.pending).toBe(0);
    await stage.clock.advance(3_600_000);
    expect(stage.server.requests).toEqual([]);
    expect(signals).toEqual(['LIST']);
  });

  it('while credentials are renewed: no request follows', async () => {
    const stage = await onStage([refuse('LIST', 401)]);
    stage.server.cluster.renew = never;
    const { subscription } = follow(stage);
    await stage.clock.settle();
    subscription.unsubscribe();
    await stage.clock.advance(3_600_000);
    expect(stage.server.asked).toHaveLength(1);
  });

  it('while it waits for the rate limit: no request follows', async () => {
    const stage = await onStage([first]);
    const { subscription, statuses } = follow(stage, {}, createTokenBucket({ qps: 0.1, burst: 1 }));
    await stage.clock.settle();
    expect(statuses.at(-1)).toBe('wait');
    subscription.unsubscribe();
    expect(stage.clock.pending).toBe(0);
    await stage.clock.advance(3_600_000);
    expect(stage.server.asked).toHaveLength(1);
  });

  it('while the flow is held: no request follows', async () => {
    const stage = await onStage([page(100, 'two', a90)]);
    const { subscription, context, signals } = follow(stage);
    const release = context.flow.hold();
    await stage.clock.settle();
    subscription.unsubscribe();
    release();
    await stage.clock.advance(3_600_000);
    expect(signals).toEqual(['LIST']);
  });
});

/** Subscribes to the bare operator, retried, and writes down what it emits. */
function follow(
  { clock, server }: Stage,
  options: SourceOptions<KubernetesObject> = {},
  bucket?: TokenBucket,
) {
  const context = createContext({ scheduler: clock, random: () => 0 });
  const transport = createTransport(server.cluster);
  const source = createSource<KubernetesObject>(transport, 'v1', 'Pod', options, bucket);
  const statuses: string[] = [];
  context.status.status$.subscribe(({ type }) => statuses.push(type));
  const listed$ = listWatch$(source, { streamingList: false, context });
  const signals: string[] = [];
  const write = (into: string[]) => (signal: Signal<KubernetesObject>) => into.push(...inWords(signal));
  const subscription = listed$.pipe(retryWithBackoff({ context })).subscribe(write(signals));
  const subscribed: Subscription[] = [subscription];
  const another = () => {
    const others: string[] = [];
    subscribed.push(listed$.pipe(retryWithBackoff({ context })).subscribe(write(others)));
    return others;
  };
  atTheEnd(() => {
    for (const each of subscribed) each.unsubscribe();
    transport.close();
  });
  return { context, listed$, signals, statuses, subscription, another };
}

function inWords(signal: Signal<KubernetesObject>): string[] {
  switch (signal.type) {
    case 'LIST':
    case 'ABANDONED':
      return [signal.type];
    case 'ITEMS':
      return signal.entries.map(({ name }) => name);
    case 'LISTED':
    case 'BOOKMARK':
      return [`${signal.type} ${signal.version ?? ''}`];
    default:
      return [`${signal.type} ${signal.entry.name}`];
  }
}

describe('the cursor', () => {
  it('goes on after a failure: the version, and what the server refused', async () => {
    const stage = await onStage([first, watch(bookmark(105), cut()), watch(added(pod('b', 106)))]);
    const { signals } = follow(stage);
    await stage.clock.advance(800);
    expect(stage.server.asked).toEqual([...opening, 'WATCH rv=105']);
    expect(signals).toEqual(['LIST', 'a', 'LISTED 100', 'BOOKMARK 105', 'ADDED b']);
  });

  it('is one for each subscription', async () => {
    const stage = await onStage([
      first,
      watch(bookmark(105), after(2_000), end()),
      list(110),
      watch(),
      watch(),
    ]);
    const { another } = follow(stage);
    await stage.clock.settle();
    const others = another();
    await stage.clock.settle();
    expect(others).toEqual(['LIST', 'LISTED 110']);
    await stage.clock.advance(2_000);
    expect(stage.server.asked).toEqual([...opening, 'LIST rv=0 limit=500', 'WATCH rv=110', 'WATCH rv=105']);
  });

  it('begins anew for each subscription without resumable()', async () => {
    const stage = await onStage([first, watch(cut()), first, watch()]);
    const { subscription, listed$ } = follow(stage);
    subscription.unsubscribe();
    const errors: unknown[] = [];
    listed$.subscribe({ error: (error: unknown) => errors.push(error) });
    await stage.clock.settle();
    expect(errors).toMatchObject([{ code: 'CONNECTION', reason: 'CUT' }]);
    const again = listed$.subscribe();
    atTheEnd(() => again.unsubscribe());
    await stage.clock.settle();
    expect(stage.server.asked).toEqual([...opening, ...opening]);
  });
});

describe('a held flow', () => {
  it('pauses the reading, and silence does not count meanwhile', async () => {
    const stage = await onStage([first, watch(after(1_000), added(pod('b', 101)))]);
    const { signals, context } = follow(stage);
    await stage.clock.settle();
    const release = context.flow.hold();
    await stage.clock.advance(1_000_000);
    expect(signals).toEqual(['LIST', 'a', 'LISTED 100']);
    release();
    await stage.clock.settle();
    expect(signals.at(-1)).toBe('ADDED b');
    expect(stage.server.asked).toEqual(opening);
  });

  it('pauses the pager', async () => {
    const stage = await onStage([late(1_000, page(100, 'two', a90)), list(100, pod('b', 91)), watch()]);
    const { signals, context } = follow(stage);
    await stage.clock.settle();
    let release: () => void = () => undefined;
    context.status.status$.subscribe(({ type }) => {
      if (type === 'page' && signals.length === 2) release = context.flow.hold();
    });
    await stage.clock.advance(60_000);
    expect(stage.server.asked).toEqual(['LIST rv=0 limit=500']);
    release();
    await stage.clock.settle();
    expect(signals).toEqual(['LIST', 'a', 'b', 'LISTED 100']);
  });
});

describe('the client-side rate limit', () => {
  it('is waited for, and the wait is told', async () => {
    const stage = await onStage([first, watch()]);
    const { statuses } = follow(stage, {}, createTokenBucket({ qps: 0.1, burst: 1 }));
    await stage.clock.advance(9_999);
    expect(stage.server.asked).toEqual(['LIST rv=0 limit=500']);
    expect(statuses).toEqual(['stopped', 'list', 'page', 'listed', 'wait']);
    await stage.clock.advance(1);
    expect(stage.server.asked).toEqual(opening);
  });
});

describe('options', () => {
  it.each([{ pageSize: 0 }, { poll: -1 }, { watchTimeout: Number.NaN }])(
    '%p is refused at the call',
    async (bad) => {
      const { server } = await onStage([]);
      const source = createSource(createTransport(server.cluster), 'v1', 'Pod');
      expect(() => listWatch$(source, bad)).toThrow(Object.keys(bad)[0]);
    },
  );
});
