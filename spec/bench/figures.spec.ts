import { figuresOf, type Measured } from '../../bench/figures.ts';
import type { Outcome } from '../../bench/job.ts';
import { FULL, type JobName, plan, QUICK } from '../../bench/plan.ts';
import { between, figureTable, leakLine, measureTable } from '../../bench/table.ts';

const outcome = (cpu: number): Outcome => {
  const cost = { cpu, wall: 2 * cpu, seen: { count: 1_000, sum: 0 } };
  const held = { heap: cpu, external: cpu, rss: 3 * cpu };
  const relist = { ...cost, notifications: 0 };
  return { list: cost, watch: cost, relist, held, maxBlock: cpu, late: cpu, lookup: cpu };
};

const everything = (cpuOf: (name: JobName) => number): Measured =>
  Object.fromEntries((Object.keys(plan(QUICK)) as JobName[]).map((name) => [name, [outcome(cpuOf(name))]]));

describe('the figures', () => {
  it('are those of the design, each with its goal', () => {
    const figures = figuresOf({});
    expect(figures.map(({ name, goal }) => [name, goal])).toEqual([
      ['watch.keyOnly/floor', 0.35],
      ['watch.metadata/floor', 0.6],
      ['watch.fullObject/floor', 1.15],
      ['watch.fullObjectFrozen/floor', 1.6],
      ['list.keyOnly/floor', 0.5],
      ['list.keyOnly/makeInformer', 0.25],
      ['watch.keyOnly/clientGoTyped', 0.1],
      ['watch.fullObject/clientGoTyped', 0.25],
      ['real.sync/clientGoJson', 0.4],
      ['real.sync/clientGoProtobuf', null],
      ['memory.perObject/makeInformer', 0.5],
      ['eventLoop.maxBlockMs', 50],
      ['subscribers50/subscribers1', 1.2],
      ['index.lookupMicros', 5],
      ['latency.p99Ms', 20],
      ['relist.unchanged/first', 0.6],
      ['growth.perObject100k/10k', 1.15],
    ]);
    expect(figures.every(({ value, holds }) => value === null && holds === null)).toBe(true);
  });

  it('are medians of the ratios of each round, and hold up to their goal', () => {
    const figure = (...ours: number[]) =>
      figuresOf({ floor: [10, 1_000, 20].map(outcome), keyOnly: ours.map(outcome) })[0];
    expect(figure(3, 350, 8)).toMatchObject({ value: 0.35, holds: true });
    expect(figure(3, 360, 8)).toMatchObject({ value: 0.36, holds: false });
  });

  it('know only the rounds in which both were measured', () => {
    const figure = (floor: number[], ours: number[]) =>
      figuresOf({ floor: floor.map(outcome), keyOnly: ours.map(outcome) })[0];
    expect(figure([10], [3, 9, 9])).toMatchObject({ value: 0.3 });
    expect(figure([10, 1, 1], [3])).toMatchObject({ value: 0.3 });
    expect(figure([10], [])).toMatchObject({ value: null });
  });

  it('go by the worse one of both kinds of list', () => {
    const measured = everything((name) => (name === 'listKeyOnlyPaged' ? 3 : 1));
    expect(figuresOf(measured)).toContainEqual({
      name: 'list.keyOnly/floor',
      value: 3,
      goal: 0.5,
      holds: false,
    });
    const half = { ...measured, listKeyOnlyPaged: [] };
    expect(figuresOf(half).find(({ name }) => name === 'list.keyOnly/floor')?.value).toBeNull();
  });

  it('without a goal only tell', () => {
    const told = figuresOf(everything(() => 1)).find(({ goal }) => goal === null);
    expect(told).toEqual({ name: 'real.sync/clientGoProtobuf', value: 1, goal: null, holds: true });
  });

  it('cannot be made of what was not measured by mistake', () => {
    const broken: Measured = { keyOnly: [outcome(1)], floor: [{ list: outcome(1).list }] };
    expect(() => figuresOf(broken)).toThrow('floor has not measured');
  });
});

describe('the tables', () => {
  it('have a line for each figure and each contender', () => {
    const measured = everything(() => 1);
    expect(figureTable(figuresOf(measured)).split('\n')).toHaveLength(2 + figuresOf({}).length);
    expect(measureTable(measured).split('\n')).toHaveLength(2 + Object.keys(plan(FULL)).length);
    expect(measureTable({ keyOnly: [outcome(5)] })).toContain(
      '| keyOnly | 1000 | 5, 10 | 5, 10 | 10, 15 | 0 % |',
    );
  });

  it('say what relists left behind', () => {
    expect(leakLine({ leak: [{ ...outcome(1), leaked: -3 }] })).toContain('left 0 bytes');
    expect(leakLine({ leak: [{ ...outcome(1), leaked: 12 }] })).toContain('left 12 bytes');
    expect(leakLine({})).toContain('not measured');
  });

  it('go between the marks, in place of those before', () => {
    const page = 'a\n<!-- bench -->\nold\n<!-- /bench -->\nb';
    expect(between(page, 'new')).toBe('a\n<!-- bench -->\n\nnew\n\n<!-- /bench -->\nb');
    expect(() => between('a', 'new')).toThrow('<!-- bench -->');
  });
});
