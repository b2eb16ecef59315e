import fc from 'fast-check';
import { Fifo } from '../../src/queue/fifo.ts';

const action = fc.oneof(
  fc.record({ type: fc.constant('set'), key: fc.nat(5), value: fc.nat() }),
  fc.record({ type: fc.constant('delete'), key: fc.nat(5) }),
  fc.record({ type: fc.constant('shift') }),
);

describe('Fifo', () => {
  it('is a list of pairs without a key twice', () => {
    fc.assert(
      fc.property(fc.array(action), (actions) => {
        const fifo = new Fifo<number, number>();
        let model: [number, number][] = [];
        for (const action of actions) {
          if (action.type === 'set') {
            const { key, value } = action;
            fifo.set(key, value);
            const there = model.find((pair) => pair[0] === key);
            if (there === undefined) model.push([key, value]);
            else there[1] = value;
          } else if (action.type === 'delete') {
            fifo.delete(action.key);
            model = model.filter(([key]) => key !== action.key);
          } else {
            expect(fifo.shift()).toBe(model.shift()?.[1]);
          }
          expect(fifo.size).toBe(model.length);
          for (let key = 0; key <= 5; key += 1) {
            const value = model.find((pair) => pair[0] === key)?.[1];
            expect([fifo.get(key), fifo.has(key)]).toEqual([value, value !== undefined]);
          }
        }
      }),
    );
  });
});
