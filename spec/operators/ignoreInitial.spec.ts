import { ignoreInitial } from '../../operators/ignoreInitial.ts';
import { replayedOf } from '../../src/store/notification.ts';
import { add, gone, resync, update } from './handling.ts';
import { at, testScheduler } from './pipeline.ts';

const TOLD = {
  i: add('a', 1, true),
  p: replayedOf(at('a', 1), 1, () => {
    throw new Error('held');
  }),
  a: add('b', 1),
  u: update('a', 1, 2),
  s: resync('a', 2),
  d: gone('a', 3),
};

describe('ignoreInitial', () => {
  it('leaves out what was there before, and holds nothing of it', () => {
    testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-i-p-a-u-s-d-|', TOLD);
      const expected = '  -----a-u-s-d-|';
      expectObservable(source.pipe(ignoreInitial())).toBe(expected, TOLD);
      expectSubscriptions(source.subscriptions).toBe('^------------!');
    });
  });

  it('passes an error, and leaves the source when unsubscribed', () => {
    testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('-i-#', TOLD).pipe(ignoreInitial())).toBe('---#', TOLD);
      const source = hot('-i-a-u', TOLD);
      expectObservable(source.pipe(ignoreInitial()), '^---!').toBe('---a-', TOLD);
      expectSubscriptions(source.subscriptions).toBe('^---!');
    });
  });
});
