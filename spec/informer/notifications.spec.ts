import { BehaviorSubject } from 'rxjs';
import { coalesce } from '../../operators/coalesce.ts';
import type { NotificationsOptions } from '../../operators/internal/notificationsOptions.ts';
import type { Informer } from '../../src/informer/informer.ts';
import { holdOf, type Notification } from '../../src/store/notification.ts';
import { pod } from '../testkit/objects.ts';
import { atTheEnd, play } from '../testkit/play.ts';
import { added, after, deleted, end, late, list, modified, refuse, watch } from '../testkit/steps.ts';

const first = list(100, pod('a', 90), pod('b', 91), pod('c', 92));

/** What one is told with these options; `mine` where it is in sync. */
function joining<T>(informer: Informer<T>, options: NotificationsOptions = {}) {
  const told: string[] = [];
  const onSynced = (): void => {
    told.push('mine');
  };
  const subscription = informer.notifications({ ...options, onSynced }).subscribe(({ type, entry }) => {
    told.push(`${type} ${entry.name}`);
  });
  atTheEnd(() => subscription.unsubscribe());
  return { told, subscription };
}

/** One that takes the next of what it is told of the store at `pull`. */
function pulling<T>(informer: Informer<T>, options: NotificationsOptions = {}) {
  const told: string[] = [];
  let pull = (): void => undefined;
  let ended = false;
  const subscription = informer.notifications(options).subscribe({
    next(notification: Notification<T>) {
      told.push(`${notification.type} ${notification.entry.name}`);
      pull = holdOf(notification)?.() ?? pull;
    },
    complete: () => (ended = true),
  });
  atTheEnd(() => subscription.unsubscribe());
  return { told, pull: () => pull(), subscription, ended: () => ended };
}

describe('notifications()', () => {
  it('starts and stops the informer as `notifications$` does', async () => {
    const { clock, server, informer } = await play([late(1_000, first), watch()], { subscribed: false });
    const one = joining(informer, { initial: false });
    const two = joining(informer);
    await clock.advance(1_000);
    expect(one.told).toEqual(['mine']);
    expect(two.told).toEqual(['add a', 'add b', 'add c', 'mine']);
    one.subscription.unsubscribe();
    expect(informer.live).toBe(true);
    two.subscription.unsubscribe();
    await clock.settle();
    expect(informer.readiness.state).toBe('unused');
    expect(server.sockets.size).toBe(0);
  });

  it("leads who takes the store in `onSynced` to the server's state, through failures, relists and deletes", async () => {
    const { clock, informer } = await play(
      [
        first,
        watch(after(1_000), modified(pod('a', 101)), deleted(pod('b', 102)), after(1_000), end()),
        refuse('WATCH', 410, 'Expired'),
        list(200, pod('a', 101), pod('d', 150)),
        watch(after(1_000), added(pod('e', 201))),
      ],
      { subscribed: false },
    );
    const copies: Map<string, string | undefined>[] = [];
    const follow = (): void => {
      const copy = new Map<string, string | undefined>();
      copies.push(copy);
      const subscription = informer
        .notifications({
          initial: false,
          onSynced() {
            for (const { key, resourceVersion } of informer.store.list()) copy.set(key, resourceVersion);
          },
        })
        .subscribe(({ type, key, entry }) => {
          expect(type === 'add').toBe(!copy.has(key));
          if (type === 'delete') copy.delete(key);
          else copy.set(key, entry.resourceVersion);
        });
      atTheEnd(() => subscription.unsubscribe());
    };
    for (let second = 0; second < 5; second += 1) {
      follow();
      await clock.advance(1_000);
    }
    expect(copies).toHaveLength(5);
    for (const copy of copies) {
      expect(Object.fromEntries(copy)).toEqual({
        'default/a': '101',
        'default/d': '150',
        'default/e': '201',
      });
    }
  });

  it('are complete at stop(), in the middle of a slow replay, with no `onSynced`', async () => {
    const { clock, informer } = await play([first, watch()]);
    let synced = 0;
    const { told, pull, ended } = pulling(informer, { onSynced: () => (synced += 1), resync: 1_000 });
    expect(told).toEqual(['add a']);
    informer.stop();
    expect(ended()).toBe(true);
    pull();
    await clock.advance(5_000);
    expect([told, synced]).toEqual([['add a'], 0]);
    expect(clock.pending).toBe(0);
  });

  it('are complete at stop(), in the middle of a slow resync', async () => {
    const { clock, informer } = await play([first, watch()]);
    const { told, pull, ended } = pulling(informer, { initial: false, resync: 1_000 });
    await clock.advance(1_000);
    expect(told).toEqual(['sync a']);
    informer.stop();
    expect(ended()).toBe(true);
    pull();
    expect(told).toEqual(['sync a']);
  });

  it('are resynced while the reading is stopped, for it is from the store', async () => {
    const { clock, informer } = await play([first, watch()]);
    const { told } = joining(informer, { initial: false, resync: 1_000 });
    const release = informer.context.flow.hold();
    await clock.advance(1_000);
    expect(told).toEqual(['mine', 'sync a', 'sync b', 'sync c']);
    release();
  });

  it('are resynced at a period that changes, and problems with it are told', async () => {
    const { clock, informer, problems } = await play([first, watch()]);
    const period$ = new BehaviorSubject<number | undefined>(1_000);
    const { told } = joining(informer, { initial: false, resync: period$ });
    const syncs = () => told.filter((text) => text === 'sync a').length;
    await clock.advance(2_000);
    expect(syncs()).toBe(2);
    period$.next(-1);
    await clock.advance(1_000);
    expect([syncs(), problems]).toEqual([3, ['INVALID_OPTION']]);
    period$.next(undefined);
    await clock.advance(10_000);
    expect(syncs()).toBe(3);
    period$.next(500);
    await clock.advance(1_000);
    expect(syncs()).toBe(5);
    period$.error(new Error('mine'));
    await clock.advance(1_000);
    expect([syncs(), problems]).toEqual([7, ['INVALID_OPTION', 'USER_FUNCTION']]);
  });

  it('do not flood a handler that is slower than the period, and hold nobody up', async () => {
    const { clock, informer, told } = await play([first, watch(after(10_000), modified(pod('c', 101)))]);
    const handled: string[] = [];
    const subscription = informer
      .notifications({ initial: false, resync: 1_000 })
      .pipe(
        coalesce(
          ({ type, key }) => {
            handled.push(`${type} ${key}`);
            return new Promise<void>(() => undefined);
          },
          { context: informer.context },
        ),
      )
      .subscribe();
    atTheEnd(() => subscription.unsubscribe());
    await clock.advance(20_000);
    expect(handled).toEqual(['sync default/a']);
    expect([...informer.backlogs]).toMatchObject([{ running: 1, length: 2 }]);
    expect(told.at(-1)).toBe('update c@92->c@101');
  });
});
