import { NEVER } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import type { Entry } from '../../src/codec/codec.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { exists } from '../../src/store/conditions.ts';
import { failure } from '../codec/failure.ts';
import { recorded } from '../operators/pipeline.ts';
import { pod } from '../testkit/objects.ts';
import { play } from '../testkit/play.ts';
import { added, after, cut, deleted, list, modified, refuse, watch } from '../testkit/steps.ts';

const state = (entry: Entry<KubernetesObject> | undefined): string => entry?.resourceVersion ?? 'none';
const indexers = { first: (_: unknown, { name = '' }: { name?: string }) => [name.slice(0, 1)] };

describe('the queries of an informer', () => {
  it('start it, share its list and watch, and let it close when the last leaves', async () => {
    const { clock, server, informer } = await play(
      [
        list(100, pod('a', 90), pod('b', 91)),
        watch(after(1_000), modified(pod('a', 101)), added(pod('ax', 102)), deleted(pod('b', 103))),
      ],
      { subscribed: false, indexers },
    );
    expect(server.asked).toEqual([]);
    const one = recorded(informer.get$('default/a'), state);
    const some = recorded(
      informer.select({ index: 'first', value: 'a' }).notifications$,
      ({ type, key, entry }) => `${type} ${key} ${entry.resourceVersion ?? ''}`,
    );
    const count = recorded(informer.select({ where: ({ name }) => name !== 'a' }).count$);
    await clock.advance(1_000);
    expect(one.log).toEqual(['90', '101']);
    expect(some.log).toEqual(['add default/a 90', 'update default/a 101', 'add default/ax 102']);
    expect(count.log).toEqual(['1', '2', '1']);
    expect(server.asked).toHaveLength(2);

    one.subscription.unsubscribe();
    some.subscription.unsubscribe();
    expect(informer.live).toBe(true);
    count.subscription.unsubscribe();
    await clock.settle();
    expect(informer.phase).toEqual({ type: 'stopped' });
    expect(server.sockets.size).toBe(0);
  });

  it('get of a relist the difference, complete at a stop, and begin anew', async () => {
    const { clock, informer } = await play(
      [
        list(100, pod('a', 90), pod('b', 91)),
        watch(after(2_000), cut()),
        refuse('WATCH', 410, 'Expired'),
        list(200, pod('a', 90), pod('c', 150)),
        watch(),
        list(300, pod('c', 250)),
        watch(),
      ],
      { subscribed: false, indexers },
    );
    const told = (value: string) =>
      recorded(informer.select({ index: 'first', value }).notifications$, ({ type, key }) => `${type} ${key}`)
        .log;
    const [a, b, c] = [told('a'), told('b'), told('c')];
    const held = recorded(
      informer.select({ index: 'first', value: 'a' }).notifications$.pipe(coalesce(() => NEVER)),
    ).log;
    const waits = recorded(informer.waitFor('default/d', exists)).log;
    await clock.advance(5_000);
    expect(a).toEqual(['add default/a']);
    expect(b).toEqual(['add default/b', 'delete default/b']);
    expect(c).toEqual(['add default/c']);

    informer.stop();
    for (const log of [a, b, c, waits]) expect(log.at(-1)).toBe('complete');
    expect(held).toEqual([]);
    const { log } = recorded(informer.get$('default/c'), state);
    expect(log).toEqual([]);
    await clock.settle();
    expect(log).toEqual(['250']);
    expect(a).toHaveLength(2);
  });

  it('end with a terminal error, and say how the informer does when time is over', async () => {
    const { clock, informer } = await play(
      [
        refuse('LIST', 500, 'InternalError'),
        refuse('LIST', 400, 'BadRequest'),
        refuse('LIST', 400, 'BadRequest'),
      ],
      { subscribed: false, indexers },
    );
    const errors: unknown[] = [];
    informer
      .waitFor('default/a', exists, { timeout: 500 })
      .subscribe({ error: (error: unknown) => errors.push(error) });
    const { log } = recorded(informer.select({ index: 'first', value: 'a' }).count$);
    await clock.advance(500);
    expect(errors).toEqual([
      failure({ code: 'WAIT_TIMEOUT', message: /no list yet; of the informer: .*waits.*500/ }),
    ]);
    await clock.advance(5_000);
    expect(log).toEqual([expect.stringMatching(/^error .*cannot make sense of it/)]);
  });
});
