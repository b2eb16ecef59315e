import fc from 'fast-check';
import type { DeliveryQueue } from '../../src/queue/deliveryQueue.ts';
import { DropNewestQueue, DropOldestQueue } from '../../src/queue/dropQueues.ts';
import { addOf, deleteOf, type Notification, replayedOf, updateOf } from '../../src/store/notification.ts';
import { createStore } from '../../src/store/store.ts';
import { History, happenings, names } from '../store/history.ts';
import { type Widget, widget } from '../store/objects.ts';
import { drain, expectDelivery, popped } from './delivery.ts';

const at = (name: string, version: number) => widget(name, { uid: name, version: String(version) });
const add = (name: string) => addOf(at(name, 1), 1, false);
const update = (name: string, version: number) => updateOf(at(name, version), version, at(name, version - 1));

function push(queue: DeliveryQueue<Widget>, ...notifications: Notification<Widget>[]): void {
  for (const notification of notifications) queue.push({ notification, since: 0 });
}

/** `a1`, `a1-3`: added, or updated from one version to another. */
const shown = (told: Notification<Widget>): string =>
  told.type === 'update'
    ? `${told.key}${told.oldEntry.resourceVersion ?? ''}-${told.entry.resourceVersion ?? ''}`
    : `${told.type === 'add' ? '' : `${told.type} `}${told.key}${told.entry.resourceVersion ?? ''}`;

const MANY = [add('a'), update('a', 2), update('a', 3), add('b'), update('a', 4), update('a', 5)];

const KINDS = [
  ['DropOldestQueue', (capacity: number) => new DropOldestQueue<Widget>(capacity)],
  ['DropNewestQueue', (capacity: number) => new DropNewestQueue<Widget>(capacity)],
] as const;

describe.each(KINDS)('%s', (_, queueOf) => {
  it('leads to the newest state, and has no more than its capacity and two of a key', () => {
    expectDelivery(queueOf, { longest: (capacity) => capacity + 2 * names.length });
  });

  it('keeps everything as long as there is room, whatever is taken', () => {
    expectDelivery(() => queueOf(1000), { longest: () => Infinity, complete: true });
  });

  it('keeps the last state of each of more keys than it has room for', () => {
    const queue = queueOf(2);
    const keys = Array.from({ length: 10 }, (_unused, index) => `w${index}`);
    push(queue, ...keys.map(add));
    expect(
      drain(queue)
        .map(({ key }) => key)
        .sort(),
    ).toEqual(keys);
  });

  it('hands out others while the key of all that is buffered is taken', () => {
    const queue = queueOf(2);
    push(queue, add('a'));
    expect(popped(queue)?.key).toBe('a');
    push(queue, update('a', 2), update('a', 3), update('a', 4), add('b'));
    expect(popped(queue)?.key).toBe('b');
    expect(popped(queue)).toBeUndefined();
    push(queue, update('b', 2));
    expect(popped(queue)).toBeUndefined();
    queue.done('b');
    expect(popped(queue)?.key).toBe('b');
    queue.done('a');
    expect(popped(queue)?.key).toBe('a');
  });

  it('has room for what the store holds', () => {
    const queue = queueOf(2);
    push(queue, add('a'), update('a', 2));
    push(
      queue,
      replayedOf(at('b', 1), 1, () => () => undefined),
    );
    expect(drain(queue).map(shown)).toEqual(['a1', 'a1-2', 'b1']);
  });
});

describe('DropOldestQueue', () => {
  it('merges what is older than the newest', () => {
    const queue = new DropOldestQueue<Widget>(2);
    push(queue, ...MANY);
    expect(queue.length).toBe(4);
    expect(drain(queue).map(shown)).toEqual(['a3', 'b1', 'a3-4', 'a4-5']);
  });

  it('has the newest of what it was given as they came', () => {
    fc.assert(
      fc.property(fc.array(happenings), fc.integer({ min: 1, max: 5 }), (during, capacity) => {
        const history = new History(createStore());
        const told = during.flatMap((happening) => history.happen(happening));
        const queue = new DropOldestQueue<Widget>(capacity);
        push(queue, ...told);
        expect(drain(queue).slice(-capacity)).toEqual(told.slice(-capacity));
      }),
    );
  });
});

describe('DropNewestQueue', () => {
  it('merges what is newer than the oldest', () => {
    const queue = new DropNewestQueue<Widget>(2);
    push(queue, ...MANY);
    expect(queue.length).toBe(4);
    expect(drain(queue).map(shown)).toEqual(['a1', 'a1-2', 'b1', 'a2-5']);
  });

  it('merges no more what has come up to the room', () => {
    const queue = new DropNewestQueue<Widget>(2);
    push(queue, ...MANY);
    for (const expected of ['a1', 'a1-2']) {
      const next = popped(queue);
      expect(next && shown(next)).toBe(expected);
      queue.done('a');
    }
    push(queue, update('a', 6));
    expect(drain(queue).map(shown)).toEqual(['b1', 'a2-5', 'a5-6']);
  });

  it('has the oldest of what it was given as they came', () => {
    fc.assert(
      fc.property(fc.array(happenings), fc.integer({ min: 1, max: 5 }), (during, capacity) => {
        const history = new History(createStore());
        const told = during.flatMap((happening) => history.happen(happening));
        const queue = new DropNewestQueue<Widget>(capacity);
        push(queue, ...told);
        expect(drain(queue).slice(0, capacity)).toEqual(told.slice(0, capacity));
      }),
    );
  });

  it('keeps a delete and the add after it apart', () => {
    const queue = new DropNewestQueue<Widget>(1);
    const again = addOf(widget('a', { uid: 'another', version: '3' }), 3, false);
    push(queue, add('b'), deleteOf(at('a', 2), 2, false), again);
    expect(drain(queue).map(shown)).toEqual(['b1', 'delete a2', 'a3']);
  });
});
