import { NEVER, Subject } from 'rxjs';
import { block } from '../../operators/block.ts';
import { coalesce } from '../../operators/coalesce.ts';
import { dropNewest } from '../../operators/dropNewest.ts';
import { dropOldest } from '../../operators/dropOldest.ts';
import { throwIfFull } from '../../operators/throwIfFull.ts';
import type { Notification } from '../../src/store/notification.ts';
import type { Widget } from '../store/objects.ts';
import { add, update } from './handling.ts';
import { recorded, stillContext } from './pipeline.ts';

const COUNT = 1_000_000;
const KEYS = 1000;
const CAPACITY = 1024;

it('1,000,000 notifications: what waits for a stuck handler is bounded with each policy, and others are on time', () => {
  const context = stillContext();
  const source$ = new Subject<Notification<Widget>>();
  let begun = 0;
  const stuck = () => {
    begun += 1;
    return NEVER;
  };
  const options = { capacity: CAPACITY, context };
  const failed = recorded(source$.pipe(throwIfFull(stuck, options)));
  for (const policy of [coalesce, dropOldest, dropNewest, block]) {
    source$.pipe(policy(stuck, options)).subscribe();
  }
  let handled = 0;
  source$.pipe(coalesce(() => (handled += 1), { context, name: 'on time' })).subscribe();

  // Each of these goes on where the one before ended.
  const rounds = [1, 2, 3].map((version) =>
    Array.from({ length: KEYS }, (_, key) => update(`w${key}`, version, (version % 3) + 1)),
  );
  let late = 0;
  for (let told = 0; told < COUNT; ) {
    for (const notification of rounds[(told / KEYS) % 3] ?? [add('', 1)]) {
      source$.next(notification);
      told += 1;
      if (handled !== told) late += 1;
    }
  }

  expect([handled, late, begun]).toEqual([COUNT, 0, 5]);
  expect(failed.log).toEqual([expect.stringContaining('throwIfFull: more than 1024 notifications wait')]);
  const merged = KEYS;
  expect([...context.backlogs]).toMatchObject([
    { name: 'coalesce', length: merged, handed: 1, lost: COUNT - 1 - merged },
    { name: 'dropOldest', length: CAPACITY + merged, handed: 1, lost: COUNT - 1 - CAPACITY - merged },
    { name: 'dropNewest', length: CAPACITY + merged, handed: 1, lost: COUNT - 1 - CAPACITY - merged },
    { name: 'block', length: CAPACITY + merged, handed: 1, lost: COUNT - 1 - CAPACITY - merged },
    { name: 'on time', length: 0, handed: COUNT, lost: 0 },
  ]);
});
