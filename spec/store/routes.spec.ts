import fc from 'fast-check';
import { Routes } from '../../src/store/routes.ts';

const names = fc.constantFrom<string>('a', 'b', 'c');

/** A key, or a value in an index, and who listens to it. */
const links = fc.oneof(
  fc.record({ index: fc.constant(undefined), name: names, listener: fc.nat(3) }),
  fc.record({ index: fc.constantFrom('x', 'y'), name: names, listener: fc.nat(3) }),
);

describe('Routes', () => {
  it('leads to whoever listens to the key or to one of its values, once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.boolean(), links)),
        names,
        fc.dictionary(fc.constantFrom('x', 'y'), fc.uniqueArray(names)),
        (steps, key, values) => {
          const routes = new Routes<number>();
          const model = new Map<string, [string | undefined, string, number]>();
          for (const [adds, { index, name, listener }] of steps) {
            const id = JSON.stringify([index, name, listener]);
            if (adds) model.set(id, [index, name, listener]);
            else model.delete(id);
            if (index === undefined) routes[adds ? 'addKey' : 'deleteKey'](name, listener);
            else routes[adds ? 'addValue' : 'deleteValue'](index, name, listener);
          }
          const asked: string[] = [];
          const found = routes.of(key, (index) => {
            asked.push(index);
            return values[index] ?? [];
          });
          const there = [...model.values()];
          const expected = there.filter(([index, name]) =>
            index === undefined ? name === key : (values[index] ?? []).includes(name),
          );
          expect([...found].sort()).toEqual([...new Set(expected.map(([, , listener]) => listener))].sort());
          const indexes = there.map(([index]) => index).filter((index) => index !== undefined);
          expect(asked.sort()).toEqual([...new Set(indexes)].sort());
        },
      ),
    );
  });
});
