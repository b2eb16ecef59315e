import { Observable, type Subscriber, VirtualTimeScheduler } from 'rxjs';
import { Cursor } from '../../../operators/internal/cursor.ts';
import type { CodecOptions, Entry } from '../../../src/codec/codec.ts';
import { entryOf } from '../../../src/codec/entry.ts';
import { createContext } from '../../../src/context.ts';
import type { Verdict } from '../../../src/reflector/plan.ts';
import type { Signal } from '../../../src/reflector/signal.ts';
import type { Widget } from '../../store/objects.ts';
import { advance, at, statusesOf } from '../pipeline.ts';

const PAGE = { type: 'page', reason: 'first', first: true, query: {} } as const;
const STREAM = { type: 'stream', reason: 'expired', query: {}, timeout: 300 } as const;
const END = { type: 'LIST', version: '9', next: undefined, remaining: undefined } as const;

function cursorOf(options: Partial<CodecOptions<Widget>> = {}, verdict: Verdict = 'now') {
  const scheduler = new VirtualTimeScheduler();
  const context = createContext({ scheduler, random: () => 0 });
  const statuses = statusesOf(context);
  const reflector = { listed: () => verdict, page: () => '9' };
  const cursor = new Cursor<Widget>({ codecOptions: options } as never, reflector as never, context);
  const log: string[] = [];
  let subscriber!: Subscriber<Signal<Widget>>;
  new Observable<Signal<Widget>>((opened) => {
    subscriber = opened;
  }).subscribe((signal) => {
    if (signal.type === 'ITEMS') log.push(`ITEMS ${signal.entries.map(({ key }) => key).join(' ')}`);
    else log.push('entry' in signal ? `${signal.type} ${signal.entry.key}` : signal.type);
  });
  return {
    cursor,
    log,
    subscriber,
    statuses,
    advance: (milliseconds: number) => {
      advance(scheduler, milliseconds);
    },
    reported: (type: string) => statuses.filter((status) => status.type === type),
  };
}

/** Who gives its color as its key. */
const byColor = (name: string, color: string): Entry<Widget> =>
  entryOf(at(name, 1, { colors: [color] }).object, { key: ({ object }) => object.colors[0] ?? 'none' });
const key = (): string => 'asked elsewhere';

describe('isBehind', () => {
  const held = at('a', 90, { uid: 'u' });
  const behind = (entry: Entry<Widget>, start = '100') =>
    cursorOf({ known: (name) => (name === held.key ? held : undefined) }).cursor.isBehind(entry, start);

  it('is so of what is older than the start of the watch and than what is held', () => {
    expect(behind(at('a', 80, { uid: 'u' }))).toBe(true);
  });

  it.each([
    ['as new as the start', at('a', 100, { uid: 'u' })],
    ['newer than the start', at('a', 101, { uid: 'u' })],
    ['as new as what is held', at('a', 90, { uid: 'u' })],
    ['newer than what is held', at('a', 95, { uid: 'u' })],
    ['of another object of that name', at('a', 80, { uid: 'v' })],
    ['of one that is not held', at('b', 80, { uid: 'u' })],
    ['without a version', entryOf({ ...held.object, metadata: { name: 'a', uid: 'u' } })],
  ])('is not so of one %s', (_, entry) => {
    expect(behind(entry)).toBe(false);
  });

  it('is not so where nobody says what is held, or that has no version', () => {
    expect(cursorOf().cursor.isBehind(at('a', 80), '100')).toBe(false);
    const known = () => entryOf({ ...held.object, metadata: { name: 'a', uid: 'u' } });
    expect(cursorOf({ known }).cursor.isBehind(at('a', 80, { uid: 'u' }), '100')).toBe(false);
  });
});

describe('a relist that is due', () => {
  it('stays at its time and reason until a list begins, and is ever rarer until one is complete', () => {
    const { cursor, subscriber, advance } = cursorOf();
    expect(cursor.relistAt).toBeUndefined();
    cursor.relistSoon('server went back');
    advance(10_000);
    cursor.relistSoon('unreadable event');
    expect([cursor.relistAt, cursor.relistReason]).toEqual([30_000, 'server went back']);
    cursor.begin(PAGE, subscriber);
    expect(cursor.relistAt).toBeUndefined();
    cursor.relistSoon('unreadable event');
    expect([cursor.relistAt, cursor.relistReason]).toEqual([70_000, 'unreadable event']);
    cursor.listed('9', subscriber);
    cursor.begin(PAGE, subscriber);
    cursor.relistSoon('unreadable event');
    expect(cursor.relistAt).toBe(40_000);
  });
});

describe('silence', () => {
  it('of watches one after the other adds up, until a byte comes or a list begins', () => {
    const { cursor, subscriber } = cursorOf();
    expect(cursor.silentFor(60, 100)).toBe(false);
    expect(cursor.silentFor(40, 100)).toBe(true);
    cursor.heard();
    expect(cursor.silentFor(60, 100)).toBe(false);
    cursor.begin(PAGE, subscriber);
    expect(cursor.silentFor(99, 100)).toBe(false);
    expect(cursor.silentFor(1, 100)).toBe(true);
  });

  it('is told how long a watch lasted that ended', () => {
    const { cursor, advance, statuses } = cursorOf();
    advance(500);
    const begun = 100;
    expect(cursor.ended('relist due', begun)).toBe(400);
    expect(statuses).toContainEqual({ type: 'end', reason: 'relist due', lasted: 400 });
  });
});

describe('a set', () => {
  it('is told as it is read: how, why, how far, how large', () => {
    const { cursor, subscriber, log, reported } = cursorOf();
    cursor.begin(PAGE, subscriber);
    cursor.items([at('a', 1), at('b', 1)], subscriber);
    expect(cursor.pageEnd({ ...END, remaining: 5 })).toBe('9');
    expect(cursor.listed('9', subscriber)).toBe('now');
    expect(log).toEqual(['LIST', 'ITEMS a b', 'LISTED']);
    expect(reported('list')).toEqual([{ type: 'list', reason: 'first', mode: 'paged' }]);
    expect(reported('page')).toEqual([{ type: 'page', items: 2, remaining: 5 }]);
    expect(reported('listed')).toEqual([{ type: 'listed', items: 2, version: '9' }]);
  });

  it('of a streaming list is told each 500 objects, and counted anew', () => {
    const { cursor, subscriber, reported } = cursorOf();
    for (const size of [1_001, 499, 500]) {
      cursor.begin(STREAM, subscriber);
      for (let i = 0; i < size; i += 1) cursor.item();
    }
    expect(reported('list')).toContainEqual({ type: 'list', reason: 'expired', mode: 'streaming' });
    expect(reported('page')).toEqual(
      [500, 1_000, 500].map((items) => ({ type: 'page', items, remaining: undefined })),
    );
  });

  it('is not complete where the informer has to end', () => {
    const { cursor, subscriber, log, reported } = cursorOf({}, 'never');
    cursor.begin(PAGE, subscriber);
    expect(cursor.listed('9', subscriber)).toBe('never');
    expect([log, reported('listed')]).toEqual([['LIST'], []]);
  });

  it('is abandoned by a watch that goes on from the one before, once', () => {
    const { cursor, subscriber, log } = cursorOf();
    cursor.resume(subscriber);
    expect(log).toEqual([]);
    cursor.begin(PAGE, subscriber);
    cursor.resume(subscriber);
    cursor.resume(subscriber);
    expect(log).toEqual(['LIST', 'ABANDONED']);
    cursor.begin(PAGE, subscriber);
    cursor.listed('9', subscriber);
    cursor.resume(subscriber);
    expect(log.slice(2)).toEqual(['LIST', 'LISTED']);
  });
});

describe('keys', () => {
  it.each<[string, Partial<CodecOptions<Widget>>]>([
    ['without a function', {}],
    ['with a lazy transform', { transform: () => undefined, lazyTransform: true }],
  ])('%s are each of one object: nothing is kept of it', (_, options) => {
    const { cursor, subscriber, reported } = cursorOf(options);
    cursor.begin(PAGE, subscriber);
    cursor.listed('9', subscriber);
    const entries = [byColor('a', 'red'), byColor('b', 'red')];
    for (const entry of entries) expect(cursor.keyed('ADDED', entry)).toEqual([{ type: 'ADDED', entry }]);
    expect(reported('problem')).toEqual([]);
  });

  it.each<[string, Partial<CodecOptions<Widget>>]>([
    ['by a function', { key }],
    ['by a transform', { transform: () => undefined }],
    ['by both', { key, transform: () => undefined, lazyTransform: true }],
  ])('%s may be those of two: the first has it, in the set and behind it', (_, options) => {
    const { cursor, subscriber, log, reported } = cursorOf(options);
    cursor.begin(PAGE, subscriber);
    cursor.items([byColor('a', 'red'), byColor('b', 'red'), byColor('c', 'blue')], subscriber);
    cursor.listed('9', subscriber);
    expect(log).toEqual(['LIST', 'ADDED red', 'ADDED blue', 'LISTED']);
    expect(reported('problem')).toHaveLength(1);
    expect(cursor.keyed('MODIFIED', byColor('b', 'red'))).toEqual([]);
    expect(cursor.keyed('DELETED', byColor('a', 'red')).map(({ type }) => type)).toEqual([
      'DELETED',
      'ADDED',
    ]);
  });

  it('of the set before count until the next is complete, and for who had them in that', () => {
    const { cursor, subscriber, log } = cursorOf({ key });
    cursor.begin(PAGE, subscriber);
    cursor.items([byColor('a', 'red')], subscriber);
    cursor.listed('9', subscriber);
    cursor.begin(PAGE, subscriber);
    cursor.items([byColor('b', 'red')], subscriber);
    cursor.resume(subscriber);
    expect(cursor.keyed('MODIFIED', byColor('b', 'red'))).toEqual([]);
    cursor.begin(PAGE, subscriber);
    cursor.items([byColor('b', 'red')], subscriber);
    expect(log.slice(3)).toEqual(['LIST', 'ABANDONED', 'LIST']);
    cursor.listed('9', subscriber);
    expect(log.slice(6)).toEqual(['ADDED red', 'LISTED']);
  });
});
