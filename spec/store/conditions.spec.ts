import type { Entry } from '../../src/codec/codec.ts';
import { entryOf } from '../../src/codec/entry.ts';
import {
  allOf,
  anyOf,
  type Condition,
  exists,
  hasCondition,
  hasLabel,
  isGone,
  nameOf,
  not,
} from '../../src/store/conditions.ts';
import { failure } from '../codec/failure.ts';
import { damaged } from './objects.ts';

const thing = (status?: object, metadata: object = {}): Entry<unknown> =>
  entryOf<unknown>({ metadata: { name: 'a', ...metadata }, ...(status && { status }) });
const ready = (facts: object = {}) => ({
  conditions: [{ type: 'Other' }, { type: 'Ready', status: 'True', ...facts }],
});

describe('a condition', () => {
  it.each<[Condition<unknown>, Entry<unknown> | undefined, boolean]>([
    [exists, thing(), true],
    [exists, undefined, false],
    [isGone, thing(), false],
    [isGone, undefined, true],
    [hasCondition('Ready'), undefined, false],
    [hasCondition('Ready'), thing(), false],
    [hasCondition('Ready'), thing({}), false],
    [hasCondition('Ready'), thing(ready()), true],
    [hasCondition('Ready'), thing(ready({ status: 'False' })), false],
    [hasCondition('Ready', 'False'), thing(ready({ status: 'False' })), true],
    [hasCondition('Ready'), thing(ready({ observedGeneration: 1 }), { generation: 2 }), false],
    [hasCondition('Ready'), thing(ready({ observedGeneration: 2 }), { generation: 2 }), true],
    [hasCondition('Ready'), thing({ ...ready(), observedGeneration: 1 }, { generation: 2 }), false],
    [
      hasCondition('Ready'),
      thing({ ...ready({ observedGeneration: 2 }), observedGeneration: 1 }, { generation: 2 }),
      true,
    ],
    [hasCondition('Ready'), damaged('a'), false],
    [hasLabel('app'), undefined, false],
    [hasLabel('app'), thing(), false],
    [hasLabel('app'), thing(undefined, { labels: { app: '' } }), true],
    [hasLabel('app', 'web'), thing(undefined, { labels: { app: 'web' } }), true],
    [hasLabel('app', 'web'), thing(undefined, { labels: { app: 'api' } }), false],
    [hasLabel('toString'), thing(undefined, { labels: {} }), false],
    [hasLabel('app'), damaged('a'), false],
    [not(exists), undefined, true],
    [allOf(), undefined, true],
    [allOf(exists, hasLabel('app')), thing(), false],
    [allOf(exists, not(isGone)), thing(), true],
    [anyOf(), undefined, false],
    [anyOf(isGone, hasLabel('app')), thing(), false],
    [anyOf(isGone, hasLabel('app')), undefined, true],
  ])('%p of %p is %p', (condition, entry, holds) => {
    expect(condition(entry)).toBe(holds);
  });

  it('is called by its name', () => {
    const isLarge: Condition<unknown> = (entry) => entry !== undefined;
    const all = allOf(
      isLarge,
      anyOf(hasCondition('Ready'), not(hasLabel('app', 'web'))),
      hasLabel('x'),
      (entry) => !entry,
    );
    expect(nameOf(all)).toBe(
      'allOf(isLarge, anyOf(hasCondition Ready=True, not(hasLabel app=web)), hasLabel x, a condition)',
    );
  });

  it.each([
    ['type', () => hasCondition('')],
    ['state', () => hasCondition('Ready', true as never)],
    ['label', () => hasLabel(undefined as never)],
    ['condition', () => allOf(exists, 'Ready' as never)],
    ['condition', () => not(undefined as never)],
  ])('refuses a bad %s', (option, make) => {
    expect(make).toThrow(failure({ code: 'INVALID_OPTION', option }));
  });
});
