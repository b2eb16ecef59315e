import fc from 'fast-check';
import { BoundedQueue } from '../../src/queue/boundedQueue.ts';
import { CoalescingQueue } from '../../src/queue/coalescingQueue.ts';
import type { Stage, Waiting } from '../../src/queue/deliveryQueue.ts';
import { DropNewestQueue, DropOldestQueue } from '../../src/queue/dropQueues.ts';
import { RetryQueue } from '../../src/queue/retryQueue.ts';
import { addOf, deleteOf, type Notification, updateOf } from '../../src/store/notification.ts';
import { createStore } from '../../src/store/store.ts';
import { History, happenings, Listener, names } from '../store/history.ts';
import { type Widget, widget } from '../store/objects.ts';
import { drain, expectDelivery, popped } from './delivery.ts';

const at = (name: string, version: number, uid = name) => widget(name, { uid, version: String(version) });
const add = (version: number, initial = false) => addOf(at('a', version), version, initial);
const update = (from: number, to: number) => updateOf(at('a', to), to, at('a', from));
const gone = (version: number) => deleteOf(at('a', version), version, false);
const another = (version: number) => addOf(at('a', version, 'another'), version, false);

const shown = (told: Notification<Widget>): string => {
  const old = told.type === 'update' ? `${told.oldEntry.resourceVersion ?? ''} ` : '';
  return `${told.type} ${told.key} ${old}${told.entry.resourceVersion ?? ''}`;
};

const KINDS: [string, (capacity: number) => Stage<Widget>][] = [
  ['CoalescingQueue', () => new CoalescingQueue()],
  ['BoundedQueue', (capacity) => new BoundedQueue(capacity)],
  ['DropOldestQueue', (capacity) => new DropOldestQueue(capacity)],
  ['DropNewestQueue', (capacity) => new DropNewestQueue(capacity)],
];

function push(queue: RetryQueue<Widget>, ...notifications: Notification<Widget>[]): void {
  for (const notification of notifications) queue.push({ notification, since: 0 });
}

describe.each(KINDS)('a RetryQueue before a %s', (name, queueOf) => {
  const of = (capacity = 10) => new RetryQueue(queueOf(capacity));

  /** What is handed out next of a key of which this failed and that came since, before and after the failure. */
  function retried(
    failed: Notification<Widget>,
    before: Notification<Widget>[],
    after: Notification<Widget>[] = [],
  ): string[] {
    const queue = of();
    push(queue, failed);
    const waiting = queue.pop() as Waiting<Widget>;
    push(queue, ...before);
    queue.putBack(waiting);
    push(queue, ...after);
    expect([queue.pop(), queue.has('a')]).toEqual([undefined, true]);
    queue.done('a');
    const told = drain(queue).map(shown);
    expect([queue.length, queue.oldest, queue.has('a')]).toEqual([0, undefined, false]);
    return told;
  }

  const CASES: [string, Notification<Widget>, Notification<Widget>[], string[]][] = [
    ['it as it was', update(1, 2), [], ['update a 1 2']],
    ['an update and updates: one', update(1, 2), [update(2, 3), update(3, 4)], ['update a 1 4']],
    ['an add and an update: an add', add(1), [update(1, 2)], ['add a 2']],
    ['an update and a delete: the delete', update(1, 2), [update(2, 3), gone(4)], ['delete a 4']],
    ['an add and a delete: the delete', add(1), [gone(2)], ['delete a 2']],
    ['an add, a delete and another: both', add(1), [gone(2), another(3)], ['delete a 2', 'add a 3']],
    ['a delete and another: both', gone(1), [another(2)], ['delete a 1', 'add a 2']],
    ['a delete and one that came and went: the delete', gone(1), [another(2), gone(3)], ['delete a 1']],
  ];
  it.each(CASES)('has of what failed, with what came since: %s', (_, failed, since, told) => {
    // The history of another object ends with its own uid.
    const all = since.map((each, index) =>
      each.type === 'delete' && index > 0 && since[index - 1]?.entry.uid === 'another'
        ? deleteOf(at('a', 3, 'another'), 3, false)
        : each,
    );
    expect(retried(failed, all)).toEqual(told);
    expect(retried(failed, [], all)).toEqual(told);
    expect(retried(failed, all.slice(0, 1), all.slice(1))).toEqual(told);
  });

  it('keeps initial on an add that failed', () => {
    const queue = of();
    push(queue, add(1, true), update(1, 2));
    queue.putBack(queue.pop() as Waiting<Widget>);
    queue.done('a');
    expect(queue.pop()).toMatchObject({ notification: { type: 'add', initial: true, revision: 2 } });
  });

  it('forgets that it failed when it is handed out again', () => {
    const queue = of();
    push(queue, gone(1));
    queue.putBack(queue.pop() as Waiting<Widget>);
    push(queue, another(2));
    queue.done('a');
    expect(popped(queue)?.type).toBe('delete');
    push(queue, deleteOf(at('a', 3, 'another'), 3, false));
    queue.done('a');
    // The other one came and went unseen, where that is merged.
    expect(drain(queue)).toEqual([]);
  });

  it('lets others pass, and neither what failed nor what came wait for the other', () => {
    const queue = of(100);
    const other = (index: number) => addOf(at(`b${index}`, 1), 1, false);
    push(queue, add(1));
    queue.putBack(queue.pop() as Waiting<Widget>);
    push(queue, ...[1, 2, 3, 4].map(other));
    expect(popped(queue)?.key).toBe('b1');
    queue.done('a');
    expect([popped(queue)?.key, popped(queue)?.key].sort()).toEqual(['a', 'b2']);
    for (let version = 1; version < 5; version += 1) {
      queue.putBack({ notification: add(version), since: 0 });
      queue.done('a');
      expect([popped(queue)?.key, popped(queue)?.key]).toContain('a');
      if (version < 3) push(queue, other(version + 10));
    }
    expect(drain(queue)).toEqual([]);
  });

  it('is what it is before where nothing fails', () => {
    if (name === 'BoundedQueue') {
      expectDelivery(() => of(1000), { longest: () => Infinity, complete: true });
    } else expectDelivery(of, { longest: (capacity) => capacity + 2 * names.length });
  });

  it('leads to the newest state, whatever fails and when', () => {
    const steps = fc.oneof(
      { weight: 3, arbitrary: happenings },
      fc.constant('pop' as const),
      fc.tuple(fc.constant('done' as const), fc.constantFrom(...names)),
      fc.tuple(fc.constant('fail' as const), fc.constantFrom(...names)),
      fc.tuple(fc.constant('wait' as const), fc.constantFrom(...names)),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(steps, { minLength: 20 }), (capacity, during) => {
        const store = createStore<Widget>();
        const history = new History(store);
        const queue = of(name === 'BoundedQueue' ? Infinity : capacity);
        const listener = new Listener();
        const tried = new Set<string>();
        const taken = new Map<string, Waiting<Widget>>();
        const waiting = new Set<string>();
        const pop = (): boolean => {
          const { length } = queue;
          const next = queue.pop();
          expect(queue.length).toBe(next === undefined ? length : length - 1);
          if (next === undefined) return false;
          const { key } = next.notification;
          expect(taken.has(key) || waiting.has(key)).toBe(false);
          taken.set(key, next);
          return true;
        };
        const done = (key: string): void => {
          const next = taken.get(key);
          if (next === undefined) return;
          const { notification } = next;
          // Whoever failed to add may be told of the delete of what it never had.
          const isUnknown = notification.type === 'delete' && !listener.known.has(key);
          if (isUnknown) expect(tried.has(key)).toBe(true);
          else listener.take(notification);
          tried.delete(key);
          taken.delete(key);
          queue.done(key);
        };
        const fail = (key: string): void => {
          const next = taken.get(key);
          if (next === undefined) return;
          tried.add(key);
          taken.delete(key);
          waiting.add(key);
          queue.putBack(next);
        };
        const wait = (key: string): void => {
          if (waiting.delete(key)) queue.done(key);
        };
        for (const step of during) {
          if (step === 'pop') pop();
          else if (step[0] === 'done') done(step[1]);
          else if (step[0] === 'fail') fail(step[1]);
          else if (step[0] === 'wait') wait(step[1]);
          else push(queue, ...history.happen(step));
          const bound = name === 'BoundedQueue' ? Infinity : capacity + 4 * names.length;
          expect(queue.length).toBeLessThanOrEqual(bound);
        }
        const settle = (): void => {
          for (const key of names) {
            wait(key);
            done(key);
          }
        };
        settle();
        while (pop()) settle();
        expect([queue.length, queue.oldest]).toEqual([0, undefined]);
        const held = store.list().map((entry) => [entry.key, entry] as const);
        expect(new Map([...listener.known].sort())).toEqual(new Map(held.sort()));
      }),
    );
  });
});
