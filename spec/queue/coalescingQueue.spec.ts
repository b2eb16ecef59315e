import fc from 'fast-check';
import { CoalescingQueue } from '../../src/queue/coalescingQueue.ts';
import { addOf, deleteOf, type Notification, updateOf } from '../../src/store/notification.ts';
import { createStore } from '../../src/store/store.ts';
import { History, happenings, Listener, names } from '../store/history.ts';
import { type Widget, widget } from '../store/objects.ts';

const at = (name: string, version: number, uid = name) => widget(name, { uid, version: String(version) });

/** All that waits, each key done at once. */
function drain(queue: CoalescingQueue<Widget>): Notification<Widget>[] {
  const popped: Notification<Widget>[] = [];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    popped.push(next);
    queue.done(next.key);
  }
  return popped;
}

function queueOf(...notifications: Notification<Widget>[]): CoalescingQueue<Widget> {
  const queue = new CoalescingQueue<Widget>();
  for (const notification of notifications) queue.push(notification);
  return queue;
}

describe('CoalescingQueue', () => {
  it('is first come, first served, a change keeping the place of its key', () => {
    const queue = queueOf(
      addOf(at('a', 1), 1, false),
      addOf(at('b', 1), 2, false),
      updateOf(at('a', 2), 3, at('a', 1)),
    );
    expect(queue.size).toBe(2);
    expect(drain(queue).map(({ key }) => key)).toEqual(['a', 'b']);
    expect(queue.size).toBe(0);
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
    expect(queue.pop()?.key).toBe('a');
    queue.push(updateOf(at('a', 2), 3, at('a', 1)));
    queue.push(addOf(at('c', 1), 4, false));
    expect([queue.size, queue.taken]).toEqual([2, 1]);
    expect([queue.pop()?.key, queue.pop()?.key, queue.pop()]).toEqual(['b', 'c', undefined]);
    queue.done('a');
    expect(queue.pop()?.key).toBe('a');
    expect(queue.taken).toBe(3);
  });

  it('gives the delete and the add of one name one after the other', () => {
    const queue = queueOf(deleteOf(at('a', 1), 1, false), addOf(at('a', 2, 'another'), 2, false));
    expect(queue.pop()?.type).toBe('delete');
    expect(queue.pop()).toBeUndefined();
    queue.done('a');
    expect(queue.pop()?.type).toBe('add');
    queue.done('a');
    expect([queue.pop(), queue.size, queue.taken]).toEqual([undefined, 0, 0]);
  });

  it('keeps the delete of what was seen, in its last state, where unseen objects follow', () => {
    const seen = deleteOf(at('a', 1), 1, false);
    const unseen = [addOf(at('a', 2, 'another'), 2, false), deleteOf(at('a', 3, 'another'), 3, false)];
    expect(drain(queueOf(seen, ...unseen))).toEqual([seen]);
    const again = deleteOf(at('a', 4), 4, false);
    expect(drain(queueOf(seen, addOf(at('a', 2), 2, false), again))).toEqual([again]);
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
    expect(queue.size).toBe(1);
  });

  it('leads each subscriber to the newest state, by what it was told before, whenever it is popped', () => {
    const steps = fc.oneof(
      { weight: 3, arbitrary: happenings },
      fc.constant('pop' as const),
      fc.tuple(fc.constant('done' as const), fc.constantFrom(...names)),
    );
    fc.assert(
      fc.property(fc.array(steps, { minLength: 20, maxLength: 80 }), (during) => {
        const store = createStore<Widget>();
        const history = new History(store);
        const queue = new CoalescingQueue<Widget>();
        const listener = new Listener();
        const taken = new Set<string>();
        const pop = (): boolean => {
          const next = queue.pop();
          if (next === undefined) return false;
          expect(taken.has(next.key)).toBe(false);
          taken.add(next.key);
          listener.take(next);
          return true;
        };
        const done = (key: string): void => {
          if (taken.delete(key)) queue.done(key);
        };
        for (const step of during) {
          if (step === 'pop') pop();
          else if (step[0] === 'done') done(step[1]);
          else for (const told of history.happen(step)) queue.push(told);
          expect(queue.taken).toBe(taken.size);
          expect(queue.size).toBeLessThanOrEqual(names.length - taken.size);
        }
        let popped = 0;
        for (const key of names) done(key);
        while (pop()) {
          popped += 1;
          for (const key of names) done(key);
        }
        expect(popped).toBeLessThanOrEqual(2 * names.length);
        expect(new Map([...listener.known].sort())).toEqual(
          new Map(
            store
              .list()
              .map((entry) => [entry.key, entry] as const)
              .sort(),
          ),
        );
      }),
    );
  });
});
