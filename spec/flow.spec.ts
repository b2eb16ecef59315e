import fc from 'fast-check';
import { Flow } from '../src/flow.ts';

const told = (flow: Flow): boolean[] => {
  const changes: boolean[] = [];
  flow.listen((paused) => changes.push(paused));
  return changes;
};

describe('Flow', () => {
  it('is paused while it is held', () => {
    const flow = new Flow();
    const changes = told(flow);
    expect(flow.paused).toBe(false);
    const release = flow.hold();
    expect(flow.paused).toBe(true);
    release();
    expect(flow.paused).toBe(false);
    expect(changes).toEqual([true, false]);
  });

  it('goes on when the last of all has released it, each counting once', () => {
    const flow = new Flow();
    const changes = told(flow);
    const [first, second] = [flow.hold(), flow.hold()];
    first();
    first();
    expect([flow.paused, changes]).toEqual([true, [true]]);
    second();
    expect([flow.paused, changes]).toEqual([false, [true, false]]);
  });

  it('is paused exactly while somebody holds it, and tells exactly the changes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9)), (steps) => {
        const flow = new Flow();
        const changes = told(flow);
        const expected: boolean[] = [];
        const holds = new Map<number, () => void>();
        for (const holder of steps) {
          const before = holds.size > 0;
          const release = holds.get(holder);
          if (release === undefined) holds.set(holder, flow.hold());
          else {
            holds.delete(holder);
            release();
          }
          expect(flow.paused).toBe(holds.size > 0);
          if (before !== holds.size > 0) expected.push(!before);
        }
        expect(changes).toEqual(expected);
      }),
    );
  });

  it('tells a listener nothing after its removal, not even a change that is being told', () => {
    const flow = new Flow();
    const late: boolean[] = [];
    flow.listen(() => {
      remove();
    });
    const remove = flow.listen((paused) => late.push(paused));
    flow.hold();
    expect(late).toEqual([]);
  });

  it('knows two listeners apart that are one function', () => {
    const flow = new Flow();
    const changes: boolean[] = [];
    const listener = (paused: boolean): void => {
      changes.push(paused);
    };
    const remove = flow.listen(listener);
    flow.listen(listener);
    remove();
    remove();
    flow.hold();
    expect(changes).toEqual([true]);
  });

  it('tells the state as it is to who is told after a listener changed it', () => {
    const flow = new Flow();
    const releases: (() => void)[] = [];
    flow.listen((paused) => {
      if (paused) for (const release of releases) release();
    });
    const changes = told(flow);
    const release = flow.hold();
    expect(changes).toEqual([true]);
    releases.push(flow.hold(), release);
    for (const free of releases) free();
    expect(changes.at(-1)).toBe(flow.paused);
  });
});
