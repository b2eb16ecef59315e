import { type BacklogSettings, Backlogs, CountedQueue } from '../../src/queue/backlog.ts';
import { BoundedQueue } from '../../src/queue/boundedQueue.ts';
import { CoalescingQueue } from '../../src/queue/coalescingQueue.ts';
import type { Stage } from '../../src/queue/deliveryQueue.ts';
import { DropNewestQueue, DropOldestQueue } from '../../src/queue/dropQueues.ts';
import { addOf, deleteOf, type Notification, replayedOf, syncOf } from '../../src/store/notification.ts';
import { type Widget, widget } from '../store/objects.ts';

const SETTINGS: BacklogSettings = { name: 'mine', capacity: 4, highWater: 3, lowWater: 1 };

const entry = (name: string) => widget(name, { uid: name, version: '1' });
const add = (name: string) => addOf(entry(name), 1, false);

function counted(queue: Stage<Widget> = new BoundedQueue(Infinity), settings = SETTINGS) {
  const clock = { time: 0 };
  const queued = new CountedQueue<Widget>(queue, settings, () => clock.time);
  const levels: string[] = [];
  const look = (): void => {
    if (queued.levelled()) levels.push(`${queued.facts().level} ${queued.length}`);
  };
  return { clock, queued, levels, look };
}

describe('CountedQueue', () => {
  it('has the figures of what waits, at any time', () => {
    const { clock, queued } = counted();
    queued.push(add('a'));
    clock.time = 3;
    queued.push(add('b'));
    clock.time = 5;
    expect(queued.facts()).toEqual({ ...SETTINGS, level: 'low', length: 2, lag: 5, handed: 0, lost: 0 });
    expect(queued.pop()?.key).toBe('a');
    expect(queued.facts()).toMatchObject({ length: 1, lag: 2, handed: 1 });
    queued.pop();
    expect(queued.facts()).toMatchObject({ length: 0, lag: 0, handed: 2, lost: 0 });
  });

  it('counts what was merged or refused as lost', () => {
    const refusing = counted(new BoundedQueue(1)).queued;
    expect([refusing.push(add('a')), refusing.push(add('b'))]).toEqual([true, false]);
    expect(refusing.facts()).toMatchObject({ length: 1, lost: 1 });
    const merging = new CountedQueue<Widget>(new CoalescingQueue(), SETTINGS, () => 0);
    merging.push(add('a'));
    merging.push(deleteOf(entry('a'), 2, false));
    expect(merging.facts()).toMatchObject({ length: 0, lost: 2 });
  });

  it('is high from the high-water mark, full above the capacity, and low again at the low-water mark', () => {
    const { queued, levels, look } = counted();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      queued.push(add(name));
      look();
    }
    expect(levels).toEqual(['high 3', 'full 5']);
    for (let left = 6; left > 0; left -= 1) {
      queued.pop();
      look();
    }
    expect(levels.slice(2)).toEqual(['low 1']);
  });

  it('holds back the rest of the store while a part of it waits, which counts for no level', () => {
    const { queued, levels, look } = counted(undefined, { ...SETTINGS, highWater: 1, lowWater: 0 });
    let holds = 0;
    const hold = () => {
      holds += 1;
      return () => {
        holds -= 1;
      };
    };
    queued.push(replayedOf(entry('a'), 1, hold));
    look();
    expect([holds, levels]).toEqual([1, []]);
    queued.push(add('b'));
    look();
    expect(levels).toEqual(['high 2']);
    expect([queued.pop()?.key, holds]).toEqual(['a', 0]);
  });

  it('lets go of each part of the store only when that is handed out', () => {
    const { queued } = counted();
    const released: string[] = [];
    for (const name of ['a', 'b']) {
      queued.push(replayedOf(entry(name), 1, () => () => void released.push(name)));
    }
    expect([queued.pop()?.key, ...released]).toEqual(['a', 'a']);
    expect([queued.pop()?.key, ...released]).toEqual(['b', 'a', 'b']);
  });

  it('lets the rest of the store come where what waited of it was merged into nothing', () => {
    const queued = new CountedQueue<Widget>(new CoalescingQueue(), SETTINGS, () => 0);
    const release = () => {
      queued.push(add('b'));
    };
    queued.push(replayedOf(entry('a'), 1, () => release));
    queued.push(deleteOf(entry('a'), 2, false));
    expect([queued.pop()?.key, queued.pop()]).toEqual(['b', undefined]);
  });
});

describe('what failed', () => {
  it('waits again, and counts as what came once more', () => {
    const { clock, queued } = counted();
    queued.push(add('a'));
    const failed = queued.pop() as Notification<Widget>;
    clock.time = 5;
    queued.putBack(failed);
    clock.time = 8;
    expect([queued.length, queued.pop()]).toEqual([1, undefined]);
    expect(queued.facts()).toMatchObject({ length: 1, lag: 3, handed: 1, lost: 0 });
    queued.done('a');
    expect(queued.pop()).toBe(failed);
    expect(queued.facts()).toMatchObject({ length: 0, handed: 2, lost: 0 });
  });
});

describe.each([
  ['merged', () => new CoalescingQueue<Widget>()],
  ['as it came', () => new BoundedQueue<Widget>(1)],
  ['the newest as they came', () => new DropOldestQueue<Widget>(1)],
  ['the oldest as they came', () => new DropNewestQueue<Widget>(1)],
])('a resync where what waits is kept %s', (_, queueOf) => {
  const syncs = (names: readonly string[], hold: () => () => void) =>
    names.map((name) => syncOf(entry(name), 1, hold));

  it('is dropped of what waits, and asks at once for the next', () => {
    const { queued } = counted(queueOf());
    queued.push(add('a'));
    let holds = 0;
    for (const sync of syncs(['a', 'a'], () => (++holds, () => undefined)))
      expect(queued.push(sync)).toBe(true);
    expect([holds, queued.length, queued.facts().lost]).toEqual([0, 1, 2]);
  });

  it('waits where nothing does, takes no room, and holds back the rest', () => {
    const { queued } = counted(queueOf());
    queued.push(add('a'));
    let held = 0;
    const hold = () => {
      held += 1;
      return () => {
        held -= 1;
      };
    };
    for (const sync of syncs(['b', 'c'], hold)) expect(queued.push(sync)).toBe(true);
    expect([held, queued.length]).toEqual([2, 3]);
    expect([queued.pop()?.key, held]).toEqual(['a', 2]);
    expect([queued.pop()?.key, held]).toEqual(['b', 1]);
    // While that is handled, another one may wait.
    for (const sync of syncs(['b'], hold)) queued.push(sync);
    expect([held, queued.length]).toEqual([2, 2]);
  });
});

describe('Backlogs', () => {
  it('has what each tells now, until it is removed', () => {
    const backlogs = new Backlogs();
    const { queued } = counted();
    const remove = backlogs.add(() => ({ ...queued.facts(), overdue: 0, failing: 0, running: 0 }));
    queued.push(add('a'));
    expect([...backlogs]).toMatchObject([{ name: 'mine', length: 1 }]);
    for (const { name } of backlogs) if (name === 'mine') remove();
    remove();
    expect([...backlogs]).toEqual([]);
  });

  it('tells when all who are there now have left, whoever came since, and nobody who asked in vain', () => {
    const { queued } = counted();
    const backlogs = new Backlogs();
    const facts = () => ({ ...queued.facts(), overdue: 0, failing: 0, running: 0 });
    const told: string[] = [];
    backlogs.whenLeft(() => told.push('nobody'));
    const [leaveOne, leaveOther] = [backlogs.add(() => facts()), backlogs.add(() => facts())];
    backlogs.whenLeft(() => told.push('two'));
    const forget = backlogs.whenLeft(() => told.push('forgotten'));
    forget();
    const leaveLate = backlogs.add(() => facts());
    expect(backlogs.size).toBe(3);
    leaveOne();
    leaveOne();
    expect(told).toEqual(['nobody']);
    leaveOther();
    expect([told, backlogs.size]).toEqual([['nobody', 'two'], 1]);
    leaveLate();
    expect(told).toEqual(['nobody', 'two']);
  });
});
