import fc from 'fast-check';
import type { Entry } from '../../src/codec/codec.ts';
import type { UserFunctionError } from '../../src/errors.ts';
import { Membership, type Predicate } from '../../src/store/membership.ts';
import {
  addOf,
  deleteOf,
  type Notification,
  notificationOf,
  replayedOf,
  updateOf,
} from '../../src/store/notification.ts';
import { createStore } from '../../src/store/store.ts';
import { History, happenings, Listener } from './history.ts';
import { damaged, type Widget, widget } from './objects.ts';

const version = (number: number, ...colors: string[]): Entry<Widget> =>
  widget('a', { uid: 'u', version: String(number), colors });
const red = (number: number) => version(number, 'red');
const blue = (number: number) => version(number, 'blue');
const isRed: Predicate<Widget> = ({ object }) => object.colors.includes('red');

const shown = (told: Notification<Widget> | undefined): string => {
  if (told === undefined) return 'nothing';
  const old = told.type === 'update' ? `${told.oldEntry.resourceVersion ?? ''} ` : '';
  return `${told.type} ${old}${told.entry.resourceVersion ?? ''}`;
};

function of(predicate: Predicate<Widget> = isRed) {
  const errors: UserFunctionError[] = [];
  const membership = new Membership(predicate, (error) => errors.push(error));
  const tell = (...all: Notification<Widget>[]) => all.map((told) => shown(membership.told(told)));
  return { membership, tell, errors };
}

const sync = (entry: Entry<Widget>) => notificationOf({ type: 'sync', entry }, 0);

describe('a membership', () => {
  it('passes on what is told of a member, as it came', () => {
    const { membership } = of();
    const all = [
      addOf(red(1), 1, true),
      updateOf(red(2), 2, red(1)),
      sync(red(2)),
      deleteOf(red(2), 3, true),
      replayedOf(red(4), 4, () => () => undefined),
    ];
    for (const told of all) expect(membership.told(told)).toBe(told);
  });

  it('tells nothing of what is none', () => {
    const { tell } = of();
    expect(
      tell(
        addOf(blue(1), 1, true),
        updateOf(blue(2), 2, blue(1)),
        sync(blue(2)),
        deleteOf(blue(3), 3, false),
      ),
    ).toEqual(['nothing', 'nothing', 'nothing', 'nothing']);
  });

  it('tells of one that becomes a member as an add, which was not there before', () => {
    const { membership } = of();
    membership.told(addOf(blue(1), 1, true));
    const told = membership.told(updateOf(red(2), 7, blue(1)));
    expect(told).toMatchObject({ type: 'add', initial: false, revision: 7, object: red(2).object });
    expect(told).not.toHaveProperty('hold');
  });

  it('tells of one that is none any more as a delete, with the last state that was one', () => {
    const { membership } = of();
    membership.told(addOf(red(1), 1, true));
    const last = red(2);
    membership.told(updateOf(last, 2, red(1)));
    const told = membership.told(updateOf(blue(3), 8, last));
    expect(told).toMatchObject({ type: 'delete', finalStateUnknown: false, revision: 8 });
    expect(told?.entry).toBe(last);
  });

  it('passes on the delete of a member, whatever its last state was', () => {
    const { tell } = of();
    expect(tell(addOf(red(1), 1, false), deleteOf(blue(2), 2, true), deleteOf(red(3), 3, false))).toEqual([
      'add 1',
      'delete 2',
      'nothing',
    ]);
  });

  it('asks for each state once, and for none that is deleted', () => {
    const asked: (string | undefined)[] = [];
    const { tell } = of(({ resourceVersion }) => asked.push(resourceVersion) > 0);
    tell(addOf(red(1), 1, false), updateOf(red(2), 2, red(1)), deleteOf(red(3), 3, false));
    expect(asked).toEqual(['1', '2']);
  });

  it('takes another answer about the same state with a resync', () => {
    let answer = true;
    const { tell } = of(() => answer);
    expect(tell(addOf(red(1), 1, false))).toEqual(['add 1']);
    answer = false;
    expect(tell(sync(red(1)), sync(red(1)))).toEqual(['delete 1', 'nothing']);
    answer = true;
    expect(tell(sync(red(1)), sync(red(1)))).toEqual(['add 1', 'sync 1']);
  });

  it('counts a predicate that throws as one that does not match, and says so', () => {
    let answer = (): boolean => true;
    const { tell, errors } = of(() => answer());
    tell(addOf(red(1), 1, false));
    answer = () => {
      throw new Error('no');
    };
    expect(tell(updateOf(red(2), 2, red(1)), updateOf(red(3), 3, red(2)))).toEqual(['delete 1', 'nothing']);
    answer = () => true;
    expect(tell(updateOf(red(4), 4, red(3)))).toEqual(['add 4']);
    const error = { code: 'USER_FUNCTION', where: 'predicate', key: 'a', cause: new Error('no') };
    expect(errors).toEqual([expect.objectContaining(error), expect.objectContaining(error)]);
  });

  it('has no member with a damaged body that is read, and says why', () => {
    const { tell, errors } = of();
    const broken = Object.assign(damaged('a', { uid: 'u', version: '2' }), { error: new Error('damaged') });
    expect(tell(addOf(red(1), 1, false), updateOf(broken, 2, red(1)))).toEqual(['add 1', 'delete 1']);
    expect(errors).toMatchObject([{ key: 'a', cause: { message: 'damaged' } }]);
    const byName = of(({ name }) => name === 'a');
    expect(byName.tell(addOf(broken, 1, false))).toEqual(['add 2']);
    expect(byName.errors).toEqual([]);
  });

  it('leads to the members, step by step, whatever happens and whatever is answered', () => {
    const steps = fc.array(fc.tuple(happenings, fc.constantFrom(true, false, 'throws')), { minLength: 10 });
    fc.assert(
      fc.property(steps, (during) => {
        const store = createStore<Widget>();
        const history = new History(store);
        const listener = new Listener();
        const members = new Map<string, Entry<Widget>>();
        let answer: boolean | string = true;
        const { membership } = of(() => {
          if (typeof answer === 'string') throw new Error(answer);
          return answer;
        });
        for (const [happening, next] of during) {
          answer = next;
          for (const notification of history.happen(happening)) {
            if (notification.type !== 'delete' && answer === true) {
              members.set(notification.key, notification.entry);
            } else members.delete(notification.key);
            const told = membership.told(notification);
            if (told !== undefined) listener.take(told);
            expect(listener.known).toEqual(members);
          }
        }
      }),
    );
  });
});
