import fc from 'fast-check';
import { Subject } from 'rxjs';
import { onlyWhenChanged } from '../../operators/onlyWhenChanged.ts';
import type { Entry } from '../../src/codec/codec.ts';
import {
  addOf,
  deleteOf,
  type Notification,
  notificationOf,
  updateOf,
} from '../../src/store/notification.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import { damaged, type Widget } from '../store/objects.ts';
import { at, recorded, shown, statusesOf, stillContext, testScheduler } from './pipeline.ts';

const state = (version: number, ...colors: string[]) => at('a', version, { colors });

const TOLD: Record<string, Notification<Widget>> = {
  a: addOf(state(1, 'red'), 1, true),
  s: updateOf(state(2, 'red'), 2, state(1, 'red')),
  c: updateOf(state(3, 'red', 'blue'), 3, state(2, 'red')),
  y: notificationOf({ type: 'sync', entry: state(3, 'red', 'blue') }, 3),
  d: deleteOf(state(4), 4, false),
};
const colors = ({ object }: Entry<Widget>) => ({ all: object.colors });

describe('onlyWhenChanged', () => {
  it('leaves out updates in which what is selected is the same in depth', () => {
    testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-s-c-y-d-|', TOLD);
      const expected = '  -a---c-y-d-|';
      expectObservable(source.pipe(onlyWhenChanged(colors))).toBe(expected, TOLD);
      expectSubscriptions(source.subscriptions).toBe('^----------!');
    });
  });

  it('passes an error, and leaves the source when unsubscribed', () => {
    testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('-s-#', TOLD).pipe(onlyWhenChanged(colors))).toBe('---#', TOLD);
      const source = hot('-a-c', TOLD);
      expectObservable(source.pipe(onlyWhenChanged(colors)), '^-!').toBe('-a-', TOLD);
      expectSubscriptions(source.subscriptions).toBe('^-!');
    });
  });

  it('counts nothing and nothing as the same', () => {
    const source$ = new Subject<Notification<Widget>>();
    const { log } = recorded(source$.pipe(onlyWhenChanged(() => undefined)), shown);
    source$.next(updateOf(state(2), 2, state(1)));
    expect(log).toEqual([]);
  });

  it('passes an update that its selector fails for, and says so', () => {
    const context = stillContext();
    const statuses = statusesOf(context);
    const source$ = new Subject<Notification<Widget>>();
    const { log } = recorded(source$.pipe(onlyWhenChanged(colors, { context })), shown);
    const broken = damaged('a', { uid: 'uid of a', version: '2' });
    source$.next(updateOf(broken, 2, state(1)));
    source$.next(
      updateOf(state(3), 3, Object.assign({ ...broken }, { error: new Error('damaged') as never })),
    );
    expect(log).toEqual(['update a1 a2', 'update a2 a3']);
    expect(statuses.slice(1)).toMatchObject([
      { type: 'problem', error: { code: 'USER_FUNCTION', where: 'selector', key: 'a' } },
      { type: 'problem', error: { cause: { message: 'damaged' } } },
    ]);
  });

  it('tells whenever what is selected is not what was told before, and only then', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('red', 'blue')), (all) => {
        const source$ = new Subject<Notification<Widget>>();
        let told: string | undefined;
        source$.pipe(onlyWhenChanged(colors)).subscribe((notification) => {
          const [color] = notification.object.colors;
          if (notification.type === 'update') {
            expect(notification.old.colors[0]).toBe(told);
            expect(color).not.toBe(told);
          }
          told = color;
        });
        let last = state(0, 'red');
        source$.next(addOf(last, 0, false));
        all.forEach((color, index) => {
          const next = state(index + 1, color);
          source$.next(updateOf(next, index + 1, last));
          last = next;
          expect(told).toBe(color);
        });
      }),
    );
  });

  it.each([undefined, 'spec', null])('throws at the call for %p', (selector) => {
    expect(thrownBy(() => onlyWhenChanged(selector as never))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'selector',
    });
  });
});
