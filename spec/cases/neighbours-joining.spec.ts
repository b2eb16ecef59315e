import { firstValueFrom } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import { toAsyncIterable } from '../../operators/toAsyncIterable.ts';
import { createInformerFactory } from '../../src/informer/factory.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, heldIn, onStage, play, type Seen, watching } from '../testkit/play.ts';
import {
  added,
  after,
  end,
  errorEvent,
  json,
  late,
  list,
  modified,
  page,
  refuse,
  type Step,
  watch,
} from '../testkit/steps.ts';

const A = list(100, pod('a', 90));
const AB = list(100, pod('a', 90), pod('b', 91));

describe('a subscriber', () => {
  it('that joins between two pages, of the first list or of a later one, is told each change once', async () => {
    const { clock, informer, told } = await play([
      page(100, 'more', pod('a', 90)),
      late(1_000, list(100, pod('b', 91))),
      watch(after(2_000), errorEvent(410, 'Expired'), end()),
      page(200, 'more', pod('a', 90)),
      late(1_000, list(200, pod('c', 150))),
      watch(added(pod('d', 201))),
    ]);
    const atFirst = watching(informer);
    await clock.advance(3_500);
    const inRelist = watching(informer);
    await clock.advance(1_000);
    const changes = ['delete b@91 finalStateUnknown', 'add c@150', 'add d@201'];
    const initial = ['add a@90 initial', 'add b@91 initial'];
    expect(told).toEqual([...initial, 'synced', ...changes]);
    expect(atFirst.told).toEqual(told);
    expect(inRelist.told).toEqual([...initial, ...changes]);
    expect(watching(informer).told).toEqual(['add a@90 initial', 'add c@150 initial', 'add d@201 initial']);
  });

  it.each(['applied', 'synced', 'live'])(
    'that joins in the report of %s is told everything once',
    async (when) => {
      const { informer, server, clock } = await play([], { subscribed: false });
      server.expect(A, watch(added(pod('b', 101))));
      const joined: Seen<unknown>[] = [];
      informer.status$.subscribe(({ type }) => {
        if (type === when) joined.push(watching(informer));
      });
      informer.start();
      await clock.settle();
      expect(joined.map(({ told }) => told)).toEqual([['add a@90 initial', 'add b@101']]);
    },
  );

  it('that takes one and leaves closes it all, and the next one begins with a list', async () => {
    const { informer, server, clock } = await play<KubernetesObject>([AB], { subscribed: false });
    const first = firstValueFrom(informer.notifications$);
    await clock.settle();
    expect((await first).key).toBe('default/a');
    expect([server.asked.length, server.sockets.size, clock.pending]).toEqual([1, 0, 0]);
    server.expect(list(200, pod('b', 91)), watch());
    const next = watching(informer);
    await clock.settle();
    expect(next.told).toEqual(['add b@91 initial', 'synced']);
  });

  it('that loops and breaks leaves nothing behind', async () => {
    const { informer, server, clock } = await play<KubernetesObject>([AB, watch()], { subscribed: false });
    const keys: string[] = [];
    const loop = (async () => {
      for await (const { key } of toAsyncIterable(informer.notifications$)) {
        if (keys.push(key) === 2) break;
      }
    })();
    await clock.settle();
    await loop;
    await clock.settle();
    expect(keys).toEqual(['default/a', 'default/b']);
    expect([server.sockets.size, clock.pending]).toEqual([0, 0]);
  });

  it('that another one unsubscribes hears nothing more, in the middle of a chunk', async () => {
    const changes = [modified(pod('a', 101)), modified(pod('b', 102))];
    const { informer, clock } = await play([AB, watch(after(1_000), ...changes)]);
    const seen: Seen<unknown>[] = [];
    informer.notifications$.subscribe(({ type }) => {
      if (type === 'update') seen[0]?.unsubscribe();
    });
    seen.push(watching(informer));
    await clock.advance(1_000);
    expect(seen[0]?.told).toEqual(['add a@90 initial', 'add b@91 initial']);
  });

  it('may come and go a thousand times: nothing of it is left', async () => {
    const { informer, clock } = await play<KubernetesObject>([A, watch()]);
    const { pending } = clock;
    const { context, backlogs } = informer;
    let handled = 0;
    for (let i = 0; i < 1_000; i += 1) {
      informer.notifications$
        .pipe(coalesce(() => (handled += 1), { context }))
        .subscribe()
        .unsubscribe();
    }
    await clock.settle();
    expect([handled, backlogs.size, clock.pending]).toEqual([1_000, 0, pending]);
  });
});

describe('an informer', () => {
  it.each([
    ['who comes back in time finds it as it was', 3_000, 1],
    ['who comes later finds it closed', 5_000, 2],
  ])('with a linger: %s', async (_, pause, lists) => {
    const { informer, server, clock } = await play([A, watch()], { linger: 5_000 }).then((played) => {
      played.unsubscribe();
      return played;
    });
    await clock.advance(pause);
    if (lists > 1) server.expect(A, watch());
    expect(server.sockets.size).toBe(lists > 1 ? 0 : 1);
    const back = watching(informer);
    await clock.settle();
    expect(back.told[0]).toBe('add a@90 initial');
    expect(server.asked).toHaveLength(lists * 2);
  });

  it('with a linger that is stopped in it is gone at once', async () => {
    const { informer, server, clock, unsubscribe } = await play([A, watch()], { linger: 5_000 });
    unsubscribe();
    informer.stop();
    await clock.settle();
    expect([server.sockets.size, clock.pending]).toEqual([0, 0]);
  });

  it('that is stopped is not in sync until it has listed again', async () => {
    const { informer, server, clock } = await play([A, watch()]);
    informer.stop();
    let synced = 0;
    informer.synced$.subscribe(() => (synced += 1));
    await clock.settle();
    expect(synced).toBe(0);
    server.expect(A, watch());
    informer.start();
    await clock.settle();
    expect(synced).toBe(1);
  });

  it('that is started on another cluster takes what that has', async () => {
    const { informer, server, clock } = await play([list(9_000, pod('a', 8_990)), watch()]);
    informer.stop();
    const message = 'Too large resource version: 9000, current: 50';
    server.expect(refuse('LIST', 504, 'Timeout', { message, details: {} }));
    server.expect(list(50, pod('a', 40, { uid: 'x' })), watch(modified(pod('a', 51, { uid: 'x' }))));
    const { told } = watching(informer);
    await clock.settle();
    expect(told).toEqual(['add a@40 initial', 'synced', 'update a@40->a@51']);
    expect(heldIn(informer.store)).toEqual(['a@51']);
  });

  it('of a factory that is stopped while it lists, and started in the same turn, lists once more', async () => {
    const { server, clock } = await onStage([late(1_000, A)]);
    const informers = createInformerFactory(server.cluster, { scheduler: clock, random: () => 0 });
    atTheEnd(() => informers.stop());
    const before = watching(informers.for('v1', 'Pod'));
    await clock.settle();
    server.expect(list(200, pod('c', 150)), watch());
    informers.stop();
    informers.start();
    await clock.advance(3_000);
    expect([before.end, before.told, server.sockets.size]).toEqual([{ type: 'completed' }, ['synced'], 1]);
    expect(watching(informers.for('v1', 'Pod')).told).toEqual(['add c@150 initial']);
  });

  it('that polls outlasts failures, and sees no change in another order of members', async () => {
    const metrics = (...items: object[]): Step => json('LIST', { kind: 'List', metadata: {}, items });
    const metadata = { namespace: 'default', name: 'm' };
    const { clock, told } = await play(
      [
        metrics({ metadata, usage: { cpu: 1, mem: 1 } }),
        metrics({ usage: { mem: 1, cpu: 1 }, metadata: { name: 'm', namespace: 'default' } }),
        refuse('LIST', 503),
        metrics({ metadata, usage: { cpu: 2, mem: 1 } }),
        metrics(),
      ],
      { poll: 10_000 },
    );
    await clock.advance(31_000);
    expect(told).toEqual(['add m@ initial', 'synced', 'update m@->m@', 'delete m@ finalStateUnknown']);
  });
});
