import fc from 'fast-check';
import { CompactedError, Table } from '../../src/testing/table.ts';

const keys = ['a', 'a-b/x', 'a/x', 'b', 'b/a', 'c'];
const step = fc.record({ key: fc.constantFrom(...keys), value: fc.option(fc.nat(9), { nil: undefined }) });

type Contents = readonly (readonly [key: string, value: unknown])[];

const contents = (table: Table, version: bigint): Contents =>
  table.revisionsAt(version).map(({ key, object }) => [key, object.value] as const);

/** Plays the steps and gives what the table must hold at each version. */
function play(table: Table, steps: readonly { key: string; value: number | undefined }[]): Contents[] {
  const model = new Map<string, number>();
  return [
    [],
    ...steps.map(({ key, value }, i) => {
      const version = BigInt(i + 1);
      if (value === undefined) {
        model.delete(key);
        table.delete(key, version);
      } else {
        model.set(key, value);
        table.put(key, version, { value });
      }
      return [...model].sort(([a], [b]) => (a < b ? -1 : 1));
    }),
  ];
}

describe('Table', () => {
  it('shows every version as it was', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const table = new Table(100, 0n);
        const history = play(table, steps);
        history.forEach((expected, version) => expect(contents(table, BigInt(version))).toEqual(expected));
      }),
    );
  });

  it('leads from any version to the present by its changes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.nat(30), (steps, from) => {
        const table = new Table(100, 0n);
        const history = play(table, steps);
        const start = Math.min(from, steps.length);
        const state = new Map(history[start]);
        for (const { current, previous } of table.changesAfter(BigInt(start))) {
          if (current !== undefined) state.set(current.key, current.object.value);
          else if (previous !== undefined) state.delete(previous.key);
        }
        expect([...state].sort(([a], [b]) => (a < b ? -1 : 1))).toEqual(history.at(-1));
      }),
    );
  });

  it('keeps as many changes as promised, and says from where on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 40 }), (capacity, writes) => {
        const table = new Table(capacity, 0n);
        for (let version = 1; version <= writes; version += 1)
          table.put('a', BigInt(version), { value: version });
        const promised = BigInt(Math.max(0, writes - capacity));
        expect(table.changesAfter(promised)).toHaveLength(Math.min(capacity, writes));
        if (writes >= 2 * capacity) expect(() => table.changesAfter(0n)).toThrow(CompactedError);
      }),
    );
  });

  it('forgets what was before a compaction, and nothing else', () => {
    const table = new Table(100, 0n);
    table.put('a', 1n, { value: 1 });
    table.put('a', 2n, { value: 2 });
    table.put('a', 4n, { value: 3 });
    table.compact(3n);
    expect(() => table.revisionsAt(2n)).toThrow('the history before 3 is gone');
    expect(contents(table, 3n)).toEqual([['a', 2]]);
    expect(table.changesAfter(3n)).toHaveLength(1);
  });

  it('tells its listeners once a change can be read, until they leave', () => {
    const table = new Table(100, 0n);
    const seen: unknown[] = [];
    const leave = table.listen(({ version }) => seen.push([version, table.get('a')?.object.value]));
    table.put('a', 1n, { value: 1 });
    table.delete('a', 2n);
    leave();
    table.put('a', 3n, { value: 3 });
    expect(seen).toEqual([
      [1n, 1],
      [2n, undefined],
    ]);
  });

  it('shows a deletion with the last object, under the version of the deletion', () => {
    const table = new Table(100, 0n);
    table.put('a', 1n, { metadata: { name: 'a', resourceVersion: '1' }, value: 1 });
    table.delete('a', 2n);
    const [change] = table.changesAfter(1n);
    expect(change?.last?.object).toEqual({ metadata: { name: 'a', resourceVersion: '2' }, value: 1 });
    expect(change?.previous?.object.metadata).toEqual({ name: 'a', resourceVersion: '1' });
  });
});
