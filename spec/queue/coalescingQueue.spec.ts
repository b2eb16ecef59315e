import { CoalescingQueue } from '../../src/queue/coalescingQueue.ts';
import { addOf, deleteOf, type Notification, syncOf, updateOf } from '../../src/store/notification.ts';
import { names } from '../store/history.ts';
import { type Widget, widget } from '../store/objects.ts';
import { drain, expectDelivery, popped } from './delivery.ts';

const at = (name: string, version: number, uid = name) => widget(name, { uid, version: String(version) });

function queueOf(...notifications: Notification<Widget>[]): CoalescingQueue<Widget> {
  const queue = new CoalescingQueue<Widget>();
  for (const [since, notification] of notifications.entries()) queue.push({ notification, since });
  return queue;
}

describe('CoalescingQueue', () => {
  it('is first come, first served, a change keeping the place of its key', () => {
    const queue = queueOf(
      addOf(at('a', 1), 1, false),
      addOf(at('b', 1), 2, false),
      updateOf(at('a', 2), 3, at('a', 1)),
    );
    expect(queue.length).toBe(2);
    expect(drain(queue).map(({ key }) => key)).toEqual(['a', 'b']);
    expect(queue.length).toBe(0);
  });

  it('has the newest revision of what it merged', () => {
    const [added] = drain(queueOf(addOf(at('a', 1), 1, true), updateOf(at('a', 2), 7, at('a', 1))));
    expect(added).toMatchObject({ type: 'add', initial: true, revision: 7 });
    const [updated] = drain(
      queueOf(updateOf(at('a', 2), 2, at('a', 1)), updateOf(at('a', 3), 8, at('a', 2))),
    );
    expect(updated).toMatchObject({ type: 'update', revision: 8, old: at('a', 1).object });
  });

  it('keeps back a key that is taken until it is done, then lets it go last', () => {
    const queue = queueOf(addOf(at('a', 1), 1, false), addOf(at('b', 1), 2, false));
    expect(popped(queue)?.key).toBe('a');
    queue.push({ notification: updateOf(at('a', 2), 3, at('a', 1)), since: 3 });
    queue.push({ notification: addOf(at('c', 1), 4, false), since: 4 });
    expect(queue.length).toBe(3);
    expect([popped(queue)?.key, popped(queue)?.key, queue.pop()]).toEqual(['b', 'c', undefined]);
    queue.done('a');
    expect(popped(queue)?.key).toBe('a');
  });

  it('gives the delete and the add of one name one after the other', () => {
    const queue = queueOf(deleteOf(at('a', 1), 1, false), addOf(at('a', 2, 'another'), 2, false));
    expect(popped(queue)?.type).toBe('delete');
    expect(popped(queue)).toBeUndefined();
    queue.done('a');
    expect(popped(queue)?.type).toBe('add');
    queue.done('a');
    expect([popped(queue), queue.length]).toEqual([undefined, 0]);
  });

  it('keeps the delete of what was seen, in its last state, where unseen objects follow', () => {
    const seen = deleteOf(at('a', 1), 1, false);
    const unseen = [addOf(at('a', 2, 'another'), 2, false), deleteOf(at('a', 3, 'another'), 3, false)];
    expect(drain(queueOf(seen, ...unseen))).toEqual([seen]);
    const again = deleteOf(at('a', 4), 4, false);
    expect(drain(queueOf(seen, addOf(at('a', 2), 2, false), again))).toEqual([again]);
  });

  it('leaves what waits as it is where a resync comes', () => {
    for (const waiting of [addOf(at('a', 2), 2, true), updateOf(at('a', 2), 2, at('a', 1))]) {
      expect(
        drain(
          queueOf(
            waiting,
            syncOf(at('a', 2), 5, () => () => undefined),
          ),
        ),
      ).toEqual([waiting]);
    }
  });

  it('keeps at most two of a key also of streams that were filtered', () => {
    const onlyDeletes = [1, 2, 3].map((version) =>
      deleteOf(at('a', version, `uid ${version}`), version, false),
    );
    expect(drain(queueOf(...onlyDeletes))).toEqual([onlyDeletes[0]]);
    const noDeletes = [1, 2, 3].map((version) => addOf(at('a', version, `uid ${version}`), version, false));
    expect(drain(queueOf(...noDeletes))).toHaveLength(1);
  });

  it('adds behind a delete what was added and changed', () => {
    const seen = deleteOf(at('a', 1), 1, false);
    const queue = queueOf(seen, addOf(at('a', 2), 2, false), updateOf(at('a', 3), 3, at('a', 2)));
    expect(drain(queue)).toEqual([seen, addOf(at('a', 3), 3, false)]);
  });

  it('is done with a key that was not taken', () => {
    const queue = queueOf(addOf(at('a', 1), 1, false));
    queue.done('b');
    expect(queue.length).toBe(1);
  });

  it('counts what waits for a key that is taken, too', () => {
    const queue = queueOf(addOf(at('a', 1), 1, false), deleteOf(at('b', 1), 1, false));
    expect(popped(queue)).toMatchObject({ type: 'add' });
    queue.push({ notification: updateOf(at('a', 2), 3, at('a', 1)), since: 5 });
    queue.push({ notification: addOf(at('b', 2), 4, false), since: 6 });
    expect(queue.length).toBe(3);
  });

  it('knows since when the oldest waits', () => {
    const queue = queueOf(addOf(at('a', 1), 1, false), addOf(at('b', 1), 1, false));
    queue.push({ notification: updateOf(at('a', 2), 2, at('a', 1)), since: 2 });
    expect(queue.oldest).toBe(0);
    expect(queue.pop()?.since).toBe(0);
    expect(queue.oldest).toBe(1);
    queue.push({ notification: updateOf(at('a', 3), 3, at('a', 2)), since: 3 });
    queue.pop();
    expect(queue.oldest).toBe(3);
    queue.done('a');
    queue.pop();
    expect(queue.oldest).toBeUndefined();
  });

  it('keeps back a key that another queue has popped', () => {
    const queue = queueOf(addOf(at('a', 1), 1, false));
    queue.take('a');
    queue.take('b');
    expect(popped(queue)).toBeUndefined();
    expect(queue.length).toBe(1);
    queue.done('b');
    queue.done('a');
    expect(popped(queue)?.key).toBe('a');
  });

  it('leads each subscriber to the newest state, and never has more than two of a key', () => {
    expectDelivery(() => new CoalescingQueue<Widget>(), { longest: () => 2 * names.length });
  });
});
