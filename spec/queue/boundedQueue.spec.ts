import fc from 'fast-check';
import { BoundedQueue } from '../../src/queue/boundedQueue.ts';
import { addOf, replayedOf } from '../../src/store/notification.ts';
import { type Widget, widget } from '../store/objects.ts';
import { drain, expectDelivery, popped } from './delivery.ts';

const add = (name: string) => addOf(widget(name, { uid: name, version: '1' }), 1, false);
const initial = (name: string) =>
  replayedOf(widget(name, { uid: name, version: '1' }), 1, () => () => undefined);

const keys = ['a', 'b', 'c'];

const steps = fc.oneof(
  fc.tuple(fc.constant('push' as const), fc.constantFrom(...keys)),
  fc.tuple(fc.constant('initial' as const), fc.constantFrom(...keys)),
  fc.tuple(fc.constantFrom('done' as const, 'take' as const), fc.constantFrom(...keys)),
  fc.tuple(fc.constantFrom('pop' as const, 'shift' as const), fc.constant('')),
);

describe('BoundedQueue', () => {
  it('is an array of which the first is popped whose key is not taken', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(steps, { maxLength: 60 }), (capacity, during) => {
        const queue = new BoundedQueue<Widget>(capacity);
        const taken = new Set<string>();
        let model: { key: string; since: number; counts: boolean }[] = [];
        const isFull = () => model.filter(({ counts }) => counts).length >= capacity;
        const remove = (item: (typeof model)[number] | undefined) => {
          model = model.filter((each) => each !== item);
          return item?.since;
        };
        for (const [since, [action, key]] of during.entries()) {
          switch (action) {
            case 'push': {
              const room = !isFull();
              expect(queue.push({ notification: add(key), since })).toBe(room);
              if (room) model.push({ key, since, counts: true });
              break;
            }
            case 'initial':
              expect(queue.push({ notification: initial(key), since })).toBe(true);
              model.push({ key, since, counts: false });
              break;
            case 'done':
              queue.done(key);
              taken.delete(key);
              break;
            case 'take':
              queue.take(key);
              taken.add(key);
              break;
            case 'pop': {
              const next = model.find((item) => !taken.has(item.key));
              if (next !== undefined) taken.add(next.key);
              expect(queue.pop()?.since).toBe(remove(next));
              break;
            }
            case 'shift':
              expect(queue.shift()?.since).toBe(remove(model[0]));
          }
          expect([queue.length, queue.full, queue.oldest]).toEqual([model.length, isFull(), model[0]?.since]);
        }
      }),
    );
  });

  it('keeps everything', () => {
    expectDelivery(() => new BoundedQueue<Widget>(Infinity), { longest: () => Infinity, complete: true });
  });

  it('passes a key that is taken, and comes back to it when it is done', () => {
    const queue = new BoundedQueue<Widget>(10);
    for (const name of ['a', 'a', 'b', 'a']) queue.push({ notification: add(name), since: 0 });
    expect([popped(queue)?.key, popped(queue)?.key, popped(queue)]).toEqual(['a', 'b', undefined]);
    expect(queue.length).toBe(2);
    queue.done('a');
    expect(drain(queue).map(({ key }) => key)).toEqual(['a', 'a']);
  });

  it('comes back to the key that was passed first, whichever is done first', () => {
    const queue = new BoundedQueue<Widget>(10);
    for (const [since, name] of ['a', 'b', 'a', 'b'].entries())
      queue.push({ notification: add(name), since });
    queue.take('a');
    queue.take('b');
    expect(popped(queue)).toBeUndefined();
    queue.done('b');
    queue.done('a');
    expect(drain(queue).map(({ key }) => key)).toEqual(['a', 'b', 'a', 'b']);
  });

  it('is quick where all that waits is of a key that is taken', () => {
    const queue = new BoundedQueue<Widget>(Infinity);
    queue.take('a');
    const notification = add('a');
    for (let pushed = 0; pushed < 100_000; pushed += 1) {
      queue.push({ notification, since: pushed });
      queue.pop();
    }
    expect(queue.length).toBe(100_000);
  });
});
