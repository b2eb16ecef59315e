import { Subject } from 'rxjs';
import { onlyWhenChanged } from '../operators/onlyWhenChanged.ts';
import { where } from '../operators/where.ts';
import { keyFor } from '../src/codec/keyFor.ts';
import { transformed } from '../src/codec/transform.ts';
import { atOnce } from '../src/promises.ts';
import { allOf, anyOf, type Condition, not } from '../src/store/conditions.ts';
import { addOf, type Notification, updateOf } from '../src/store/notification.ts';
import { createStore } from '../src/store/store.ts';
import { failure } from './codec/failure.ts';
import { thrownBy } from './kubernetes/thrown.ts';
import { at, list, recorded, shown, statusesOf, stillContext } from './operators/pipeline.ts';
import { queried } from './operators/queried.ts';
import type { Widget } from './store/objects.ts';

const ASYNC = /it is async, and its answer is needed at once/;

/** What an async function returns, to somebody who does not know. */
const promised = (): never => Promise.resolve(true) as never;

describe('where an answer is needed at once', () => {
  it('anything but a promise is one', () => {
    for (const answer of [true, 0, null, undefined, 'then', { then: true }]) {
      expect(atOnce(answer)).toBe(answer);
    }
  });

  it('a promise is an error, once: what it rejects with is heard, too', () => {
    const heard: unknown[] = [];
    const refused = () => atOnce({ then: (_: unknown, rejected: unknown) => heard.push(rejected) });
    expect(refused).toThrow(ASYNC);
    expect(heard).toEqual([expect.any(Function)]);
  });

  it('an async predicate matches nothing, and that is a problem', () => {
    const context = stillContext();
    const statuses = statusesOf(context);
    const source$ = new Subject<Notification<Widget>>();
    const { log } = recorded(source$.pipe(where(promised, { context })), shown);
    source$.next(addOf(at('a', 1), 1, false));
    expect(log).toEqual([]);
    expect(statuses[1]).toMatchObject({
      error: failure({ code: 'USER_FUNCTION', where: 'predicate', key: 'a', message: ASYNC }),
    });
  });

  it('an async selector leaves out nothing, and that is a problem', () => {
    const context = stillContext();
    const statuses = statusesOf(context);
    const source$ = new Subject<Notification<Widget>>();
    const { log } = recorded(source$.pipe(onlyWhenChanged(promised, { context })), shown);
    source$.next(updateOf(at('a', 2), 2, at('a', 1)));
    expect(log).toEqual(['update a1 a2']);
    expect(statuses[1]).toMatchObject({
      error: failure({ code: 'USER_FUNCTION', where: 'selector', message: ASYNC }),
    });
  });

  it.each<[string, Condition<Widget>]>([
    ['alone', promised],
    ['in allOf', allOf(promised)],
    ['in anyOf', anyOf(promised)],
    ['in not', not(promised)],
  ])('an async condition holds for nothing: %s', (_, condition) => {
    const { waitFor, emit } = queried();
    const errors: unknown[] = [];
    waitFor('a', condition).subscribe({ error: (error: unknown) => errors.push(error) });
    emit(list(1, at('a', 1)));
    expect(errors).toEqual([failure({ code: 'USER_FUNCTION', message: ASYNC })]);
  });

  it('an async index function gives no values, and that is a problem', () => {
    const errors: unknown[] = [];
    const store = createStore<Widget>({
      indexers: { color: promised },
      onError: (error) => errors.push(error),
    });
    store.apply({ type: 'Added', key: 'a', entry: at('a', 1) });
    expect(store.byIndex('color', 'red')).toEqual([]);
    expect(errors).toEqual([failure({ code: 'USER_FUNCTION', where: 'index color', message: ASYNC })]);
  });

  it('an async key function and an async transform give no entry', () => {
    const { object, meta } = at('a', 1);
    const keyed = { object, meta, error: undefined };
    const identity = { name: 'a', namespace: undefined };
    expect(thrownBy(() => keyFor(identity, keyed, promised))).toEqual(
      failure({ code: 'USER_FUNCTION', where: 'key', message: ASYNC }),
    );
    expect(thrownBy(() => transformed(object, promised, 'a'))).toEqual(
      failure({ code: 'USER_FUNCTION', where: 'transform', message: ASYNC }),
    );
  });
});
