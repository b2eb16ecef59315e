import { type BacklogSettings, Backlogs, CountedQueue } from '../../src/queue/backlog.ts';
import { BoundedQueue } from '../../src/queue/boundedQueue.ts';
import { CoalescingQueue } from '../../src/queue/coalescingQueue.ts';
import { addOf, deleteOf, replayedOf } from '../../src/store/notification.ts';
import { type Widget, widget } from '../store/objects.ts';

const SETTINGS: BacklogSettings = { name: 'mine', capacity: 4, highWater: 3, lowWater: 1 };

const entry = (name: string) => widget(name, { uid: name, version: '1' });
const add = (name: string) => addOf(entry(name), 1, false);

function counted(queue = new BoundedQueue<Widget>(Infinity), settings = SETTINGS) {
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

describe('Backlogs', () => {
  it('has what each tells now, until it is removed', () => {
    const backlogs = new Backlogs();
    const { queued } = counted();
    const remove = backlogs.add(() => queued.facts());
    queued.push(add('a'));
    expect([...backlogs]).toMatchObject([{ name: 'mine', length: 1 }]);
    for (const { name } of backlogs) if (name === 'mine') remove();
    remove();
    expect([...backlogs]).toEqual([]);
  });
});
