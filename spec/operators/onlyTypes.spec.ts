import { onlyTypes } from '../../operators/onlyTypes.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import { add, gone, resync, update } from './handling.ts';
import { testScheduler } from './pipeline.ts';

const TOLD = { a: add('a', 1, true), u: update('a', 1, 2), s: resync('a', 2), d: gone('a', 3) };

describe('onlyTypes', () => {
  it.each([
    [['add'], '   -a-------|'],
    [['update'], '---u-----|'],
    [['delete'], '-------d-|'],
    [['sync'], '  -----s---|'],
    [['add', 'delete'], '-a-----d-|'],
  ] as const)('passes %p on', (types, expected) => {
    testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-u-s-d-|', TOLD);
      expectObservable(source.pipe(onlyTypes(...types))).toBe(expected, TOLD);
      expectSubscriptions(source.subscriptions).toBe('^--------!');
    });
  });

  it('passes an error, and leaves the source when unsubscribed', () => {
    testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('-a-u-#', TOLD).pipe(onlyTypes('update'))).toBe('---u-#', TOLD);
      const source = hot('-a-u-d', TOLD);
      expectObservable(source.pipe(onlyTypes('add')), '^--!').toBe('-a--', TOLD);
      expectSubscriptions(source.subscriptions).toBe('^--!');
    });
  });

  it.each([[[]], [['added']], [['add', undefined]]])('throws at the call for %p', (types) => {
    expect(thrownBy(() => onlyTypes(...(types as 'add'[])))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'types',
      message: expect.stringContaining('give some of add, update, delete, sync') as string,
    });
  });
});
