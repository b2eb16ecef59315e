import fc from 'fast-check';
import { addOf, deleteOf, notificationOf, updateOf } from '../../src/store/notification.ts';
import { Replay } from '../../src/store/replay.ts';
import { createStore } from '../../src/store/store.ts';
import { type Happening, History, happenings, Listener } from './history.ts';
import { type Widget, widget } from './objects.ts';

const a1 = widget('a', { uid: 'a', version: '1' });
const a2 = widget('a', { uid: 'a', version: '2' });
const b1 = widget('b', { uid: 'b', version: '1' });
const c1 = widget('c', { uid: 'c', version: '1' });

function replayOf(...entries: ReturnType<typeof widget>[]): Replay<Widget> {
  const store = createStore<Widget>();
  for (const entry of entries) store.apply({ type: 'Added', key: entry.key, entry });
  return new Replay(store.snapshot());
}

const rest = (replay: Replay<Widget>) => {
  const entries = [];
  for (let entry = replay.pull(); entry !== undefined; entry = replay.pull()) entries.push(entry);
  return entries;
};

describe('Replay', () => {
  it('gives each object once, in the order of the snapshot', () => {
    expect(rest(replayOf(a1, b1, c1))).toEqual([a1, b1, c1]);
  });

  it('has nothing of an empty store, however often it is asked', () => {
    const replay = replayOf();
    expect([replay.pull(), replay.pull()]).toEqual([undefined, undefined]);
  });

  it('folds a change of what is still to be told into it, and keeps its place', () => {
    const replay = replayOf(a1, b1);
    expect(replay.absorb(updateOf(a2, 2, a1))).toBe(true);
    expect(rest(replay)).toEqual([a2, b1]);
  });

  it('leaves out what was deleted before it was told', () => {
    const replay = replayOf(a1, b1, c1);
    expect(replay.absorb(deleteOf(b1, 2, false))).toBe(true);
    expect(rest(replay)).toEqual([a1, c1]);
  });

  it('tells what was deleted and added again before it was told', () => {
    const replay = replayOf(a1);
    const anew = widget('a', { uid: 'another', version: '3' });
    replay.absorb(deleteOf(a1, 2, false));
    expect(replay.absorb(addOf(anew, 3, false))).toBe(true);
    expect(rest(replay)).toEqual([anew]);
  });

  it('lets changes of what was told pass', () => {
    const replay = replayOf(a1, b1);
    replay.pull();
    expect(replay.absorb(updateOf(a2, 2, a1))).toBe(false);
    expect(replay.absorb(deleteOf(a2, 3, false))).toBe(false);
  });

  it('lets what was left out pass when it comes back', () => {
    const replay = replayOf(a1, b1);
    replay.absorb(deleteOf(a1, 2, false));
    expect(replay.pull()).toBe(b1);
    expect(replay.absorb(addOf(a2, 3, false))).toBe(false);
  });

  it('lets pass what was not there when it began', () => {
    expect(replayOf(a1).absorb(addOf(b1, 2, false))).toBe(false);
  });

  it('takes a resync of what is still to be told for told', () => {
    const replay = replayOf(a1, b1);
    expect(replay.absorb(notificationOf({ type: 'sync', entry: b1 }, 1))).toBe(true);
    expect(rest(replay)).toEqual([a1, b1]);
  });

  it('leads from nothing to the store as it is, telling nothing twice, whatever happens meanwhile', () => {
    const steps = fc.oneof(happenings, fc.constant('pull' as const));
    fc.assert(
      fc.property(fc.array(happenings), fc.array(steps), (before, during) => {
        const store = createStore<Widget>();
        const history = new History(store);
        for (const happening of before) history.happen(happening);

        const replay = new Replay(store.snapshot());
        const listener = new Listener();
        const pull = (): boolean => {
          const entry = replay.pull();
          if (entry !== undefined) listener.take(addOf(entry, store.revision, true));
          return entry !== undefined;
        };
        const happen = (happening: Happening): void => {
          for (const told of history.happen(happening)) if (!replay.absorb(told)) listener.take(told);
        };
        for (const step of during) {
          if (step === 'pull') pull();
          else happen(step);
        }
        while (pull());
        expect(new Map([...listener.known].sort())).toEqual(
          new Map(
            store
              .list()
              .map((entry) => [entry.key, entry] as const)
              .sort(),
          ),
        );
      }),
    );
  });
});
