import { Subject } from 'rxjs';
import { applyToStore } from '../../operators/applyToStore.ts';
import { coalesce } from '../../operators/coalesce.ts';
import { mergeByKey } from '../../operators/mergeByKey.ts';
import { shareNotifications } from '../../operators/shareNotifications.ts';
import { where } from '../../operators/where.ts';
import type { Delta } from '../../src/queue/delta.ts';
import type { Notification } from '../../src/store/notification.ts';
import { addOf, deleteOf, updateOf } from '../../src/store/notification.ts';
import { createStore } from '../../src/store/store.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import type { Widget } from '../store/objects.ts';
import { add } from './handling.ts';
import { at, list, many, recorded, shown, statusesOf, stillContext, testScheduler } from './pipeline.ts';

const red = (version: number) => at('a', version, { colors: ['red'] });
const blue = (version: number) => at('a', version);
const isRed = ({ object }: { readonly object: Widget }) => object.colors.includes('red');

const TOLD: Record<string, Notification<Widget>> = {
  r: addOf(red(1), 1, true),
  u: updateOf(red(2), 2, red(1)),
  l: updateOf(blue(3), 3, red(2)),
  m: updateOf(blue(4), 4, blue(3)),
  e: updateOf(red(5), 5, blue(4)),
  d: deleteOf(red(5), 6, true),
  b: addOf(blue(7), 7, false),
  L: deleteOf(red(2), 3, false),
  E: addOf(red(5), 5, false),
};

describe('where', () => {
  it('tells of objects that enter and leave as adds and deletes', () => {
    testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-r-u-l-m-e-d-b-|', TOLD);
      const expected = '  -r-u-L---E-d---|';
      expectObservable(source.pipe(where(isRed))).toBe(expected, TOLD);
      expectSubscriptions(source.subscriptions).toBe('^--------------!');
    });
  });

  it('passes an error, and leaves the source when unsubscribed', () => {
    testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const failing = hot('-r-#', TOLD);
      expectObservable(failing.pipe(where(isRed))).toBe('-r-#', TOLD);
      const source = hot('-r-u-l', TOLD);
      expectObservable(source.pipe(where(isRed)), '^--!').toBe('-r--', TOLD);
      expectSubscriptions(source.subscriptions).toBe('^--!');
    });
  });

  it('remembers for each subscription by itself', () => {
    const source$ = new Subject<Notification<Widget>>();
    const red$ = source$.pipe(where(isRed));
    const early = recorded(red$, shown);
    source$.next(addOf(red(1), 1, false));
    const late = recorded(red$, shown);
    source$.next(updateOf(red(2), 2, red(1)));
    expect([early.log, late.log]).toEqual([['add a1', 'update a1 a2'], ['add a2']]);
  });

  it('says what its predicate throws, and goes on', () => {
    const context = stillContext();
    const statuses = statusesOf(context);
    const source$ = new Subject<Notification<Widget>>();
    const failing = ({ key }: { readonly key: string }) => {
      if (key === 'a') throw new Error('no');
      return true;
    };
    const { log } = recorded(source$.pipe(where(failing, { context })), shown);
    source$.next(add('a', 1));
    source$.next(add('b', 1));
    expect(log).toEqual(['add b1']);
    expect(statuses.slice(1)).toMatchObject([
      { type: 'problem', error: { code: 'USER_FUNCTION', where: 'predicate', key: 'a' } },
    ]);
  });

  it('lets those behind it pull what the store holds, past what does not match', () => {
    const context = stillContext();
    const store = createStore<Widget>();
    const deltas$ = new Subject<Delta<Widget>>();
    const handled: Subject<never>[] = [];
    const begun: string[] = [];
    deltas$
      .pipe(
        mergeByKey({ context }),
        applyToStore(store, { context }),
        shareNotifications(store, { context }),
        where(({ name }) => Number(name.slice(1)) % 10 === 0),
        coalesce(
          (told) => {
            begun.push(shown(told));
            const end$ = new Subject<never>();
            handled.push(end$);
            return end$;
          },
          { context },
        ),
      )
      .subscribe();
    deltas$.next(list(1, ...many(50)));
    expect([begun, [...context.backlogs]]).toMatchObject([['add w01 initial'], [{ length: 1, handed: 1 }]]);
    while (handled.length > 0) handled.shift()?.complete();
    expect(begun).toEqual(['0', '10', '20', '30', '40'].map((number) => `add w${number}1 initial`));
  });

  it.each([undefined, 'app=web', null])('throws at the call for %p', (predicate) => {
    expect(thrownBy(() => where(predicate as never))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'predicate',
    });
  });
});
