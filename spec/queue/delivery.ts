import fc from 'fast-check';
import type { DeliveryQueue } from '../../src/queue/deliveryQueue.ts';
import type { Notification } from '../../src/store/notification.ts';
import { createStore } from '../../src/store/store.ts';
import { History, happenings, Listener, names } from '../store/history.ts';
import type { Widget } from '../store/objects.ts';

export const popped = (queue: DeliveryQueue<Widget>): Notification<Widget> | undefined =>
  queue.pop()?.notification;

/** All that waits, each key done at once. */
export function drain(queue: DeliveryQueue<Widget>): Notification<Widget>[] {
  const all: Notification<Widget>[] = [];
  for (let next = popped(queue); next !== undefined; next = popped(queue)) {
    all.push(next);
    queue.done(next.key);
  }
  return all;
}

const steps = fc.oneof(
  { weight: 3, arbitrary: happenings },
  fc.constant('pop' as const),
  fc.tuple(fc.constant('done' as const), fc.constantFrom(...names)),
);

interface Expected {
  /** How many may wait in a queue of this capacity. */
  readonly longest: (capacity: number) => number;
  /** Whether nothing may be merged. */
  readonly complete?: boolean;
}

/**
 * Whatever happens and whenever it is popped: no key twice at once, each step from what was told before, and the
 * newest state at the end.
 */
export function expectDelivery(
  queueOf: (capacity: number) => DeliveryQueue<Widget>,
  { longest, complete = false }: Expected,
): void {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(steps, { minLength: 20, maxLength: 60 }),
      (capacity, during) => {
        const store = createStore<Widget>();
        const history = new History(store);
        const queue = queueOf(capacity);
        const listener = new Listener();
        const taken = new Set<string>();
        let came = 0;
        let told = 0;
        const pop = (): boolean => {
          const { oldest, length } = queue;
          const next = queue.pop();
          expect(queue.length).toBe(next === undefined ? length : length - 1);
          if (next === undefined) return false;
          const { notification, since } = next;
          expect(oldest).toBeLessThanOrEqual(since);
          expect(taken.has(notification.key)).toBe(false);
          taken.add(notification.key);
          told += 1;
          listener.take(notification);
          return true;
        };
        const done = (key: string): void => {
          if (taken.delete(key)) queue.done(key);
        };
        for (const step of during) {
          if (step === 'pop') pop();
          else if (step[0] === 'done') done(step[1]);
          else {
            for (const notification of history.happen(step)) {
              expect(queue.push({ notification, since: came })).toBe(true);
              came += 1;
            }
          }
          expect(queue.length).toBeLessThanOrEqual(longest(capacity));
          expect(queue.oldest === undefined).toBe(queue.length === 0);
          if (complete) expect(queue.length).toBe(came - told);
        }
        for (const key of names) done(key);
        while (pop()) for (const key of names) done(key);
        expect([queue.length, queue.oldest]).toEqual([0, undefined]);
        expect(new Map([...listener.known].sort())).toEqual(
          new Map(
            store
              .list()
              .map((entry) => [entry.key, entry] as const)
              .sort(),
          ),
        );
      },
    ),
  );
}
