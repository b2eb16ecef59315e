import { block } from '../operators/block.ts';
import { coalesce } from '../operators/coalesce.ts';
import { createQueries } from '../operators/createQueries.ts';
import { dropOldest } from '../operators/dropOldest.ts';
import { handle } from '../operators/handle.ts';
import { onlyWhenChanged } from '../operators/onlyWhenChanged.ts';
import { retryOnConflict } from '../operators/retryOnConflict.ts';
import { shareNotifications } from '../operators/shareNotifications.ts';
import { syncedWithin } from '../operators/syncedWithin.ts';
import { where } from '../operators/where.ts';
import { createInformerFactory } from '../src/informer/factory.ts';
import { hasLabel } from '../src/store/conditions.ts';
import { createStore } from '../src/store/store.ts';
import { failure } from './codec/failure.ts';

const nothing = (): undefined => undefined;
const store = createStore();
const cluster = { server: 'http://127.0.0.1:1', credentials: nothing, renew: nothing } as never;
const { select, reader } = createQueries(nothing as never, store);
const handlers = { onAdd: nothing };

/** What a program without types may call: the option that is blamed, the call, and what it cannot take. */
const CALLS: readonly (readonly [string, string, (given: never) => unknown, readonly unknown[]])[] = [
  ['coalesce', 'options', (given) => coalesce(nothing, given), [null, 5, 'x', []]],
  ['dropOldest', 'options', (given) => dropOldest(nothing, given), [null, 5]],
  ['block', 'options', (given) => block(nothing, given), [undefined, null, 5]],
  ['handle', 'options', (given) => handle(handlers, given), [null, 5, []]],
  ['shareNotifications', 'options', (given) => shareNotifications(store, given), [null, 5]],
  ['syncedWithin', 'options', (given) => syncedWithin(1, {}, given), [null, 5]],
  ['createQueries', 'options', (given) => createQueries(nothing as never, store, given), [null, 5]],
  ['where', 'options', (given) => where(nothing as never, given), [null, 5]],
  ['onlyWhenChanged', 'options', (given) => onlyWhenChanged(nothing, given), [null, 5]],
  ['reader', 'options', (given) => reader('a', given), [null, 5]],
  ['a name', 'name', (name) => coalesce(nothing, { name }), [null, 5, '']],
  ['a name in a factory', 'name', named, [null, 5, {}]],
  [
    'the informer as a context',
    'context',
    (context) => handle(handlers, { context }),
    [null, 5, { context: {} }],
  ],
  ['a context of where', 'context', (context) => where(nothing as never, { context }), [null, 'x']],
  ['a context of a write', 'context', (context) => retryOnConflict(nothing, nothing, { context }), [{}]],
  ['select', 'query', select, [undefined, null, 5, []]],
  ['syncedWithin', 'informers', (given) => syncedWithin(1, given), [undefined, null, 5]],
  ['hasLabel', 'value', (value) => hasLabel('app', value), [null, 5]],
];

function named(name: never): unknown {
  return createInformerFactory(cluster).for('v1', 'Pod', { name });
}

describe.each(CALLS)('%s: the option %s', (_, option, call, given) => {
  it.each(given.map((one) => [one]))('cannot be %p, and that is said at the call', (one) => {
    expect(() => call(one as never)).toThrow(failure({ code: 'INVALID_OPTION', option }));
  });
});
