import { inOurWords, notIn, type ObjectEvent, replay } from './history.ts';

const state = (uid: string, version: number) => ({ key: 'default/a', uid, version: String(version) });
const add = (uid: string, version: number): ObjectEvent => ({ type: 'add', ...state(uid, version) });
const update = (uid: string, old: number, version: number): ObjectEvent => ({
  type: 'update',
  ...state(uid, version),
  old: state(uid, old),
});
const gone = (uid: string, version: number, finalStateUnknown = false): ObjectEvent => ({
  type: 'delete',
  ...state(uid, version),
  finalStateUnknown,
});

describe('notIn', () => {
  const whole = [add('one', 1), update('one', 1, 2), gone('one', 3), add('two', 4), update('two', 4, 5)];

  it.each<[string, ObjectEvent[]]>([
    ['all of it', whole],
    ['nothing', []],
    ['what is left of an update', [add('one', 2), gone('one', 3)]],
    ['what two lists show', [add('one', 1), gone('one', 1, true), add('two', 5)]],
  ])('finds nothing in %s', (_, told) => {
    expect(notIn(whole, told)).toBeUndefined();
  });

  it.each<[string, ObjectEvent[], ObjectEvent]>([
    ['a version that never was', [add('one', 1), update('one', 1, 7)], update('one', 1, 7)],
    ['an event told twice', [add('one', 1), add('one', 1)], add('one', 1)],
    ['another order', [update('one', 1, 2), add('one', 1)], add('one', 1)],
    ['a delete that never was', [add('two', 4), gone('two', 5, true)], gone('two', 5, true)],
    ['a delete of another version', [add('one', 1), gone('one', 2)], gone('one', 2)],
    ['an object that never was', [add('three', 1)], add('three', 1)],
  ])('finds %s', (_, told, wrong) => {
    expect(notIn(whole, told)).toEqual(wrong);
  });
});

it('says in our words what a list of client-go shows', () => {
  const other: ObjectEvent = { type: 'update', ...state('two', 4), old: state('one', 2) };
  const theirs = [update('one', 2, 2), other, update('two', 4, 5)];
  expect(inOurWords(theirs)).toEqual([gone('one', 2, true), add('two', 4), update('two', 4, 5)]);
});

it('replays events to what is there then', () => {
  expect(replay([add('one', 1), gone('one', 2)])).toEqual({});
  expect(replay([add('one', 1), update('one', 1, 2)])).toEqual({ 'default/a': state('one', 2) });
});
