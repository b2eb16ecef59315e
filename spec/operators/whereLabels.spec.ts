import { Subject } from 'rxjs';
import { whereLabels } from '../../operators/whereLabels.ts';
import { jsonCodec } from '../../src/codec/json/jsonCodec.ts';
import { addOf, deleteOf, type Notification, updateOf } from '../../src/store/notification.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import type { Widget } from '../store/objects.ts';
import { at, recorded, shown, testScheduler } from './pipeline.ts';

const web = (version: number) => at('a', version, { labels: { app: 'web' } });
const api = (version: number) => at('a', version, { labels: { app: 'api' } });

const TOLD: Record<string, Notification<Widget>> = {
  a: addOf(api(1), 1, true),
  u: updateOf(web(2), 2, api(1)),
  v: updateOf(web(3), 3, web(2)),
  l: updateOf(api(4), 4, web(3)),
  U: addOf(web(2), 2, false),
  L: deleteOf(web(3), 4, false),
};

afterEach(() => {
  jest.restoreAllMocks();
});

describe('whereLabels', () => {
  it.each(['app=web', { matchLabels: { app: 'web' } }])('tells of the objects with %p', (selector) => {
    testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-u-v-l-|', TOLD);
      const expected = '  ---U-v-L-|';
      expectObservable(source.pipe(whereLabels(selector))).toBe(expected, TOLD);
      expectSubscriptions(source.subscriptions).toBe('^--------!');
    });
  });

  it('decodes metadata only', () => {
    const decoder = jsonCodec.watch<Widget>({ apiVersion: 'example.com/v1', kind: 'Widget' });
    const entries = ['1', '2', '3'].flatMap((resourceVersion) => {
      const metadata = { name: 'a', uid: 'u', resourceVersion, labels: { app: 'web' } };
      const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, colors: [] };
      return decoder.push(Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object })}\n`));
    });
    const [first, second, third] = entries.map((event) => {
      if (event.type !== 'MODIFIED') throw new Error(event.type);
      return event.entry;
    });
    if (first === undefined || second === undefined || third === undefined) throw new Error('unreadable');
    const parse = jest.spyOn(JSON, 'parse');
    const decoded = () => parse.mock.calls.filter(([text]) => text.includes('colors')).length;
    const source$ = new Subject<Notification<Widget>>();
    const seen: Notification<Widget>[] = [];
    source$.pipe(whereLabels('app=web')).subscribe((told) => seen.push(told));
    source$.next(addOf(first, 1, true));
    source$.next(updateOf(second, 2, first));
    source$.next(deleteOf(third, 3, false));
    expect(seen.map(({ type }) => type)).toEqual(['add', 'update', 'delete']);
    expect(decoded()).toBe(0);
    // The counter counts.
    expect(seen[0]?.object).toBeDefined();
    expect(decoded()).toBe(1);
  });

  it('throws at the call for a selector that is none', () => {
    expect(thrownBy(() => whereLabels('app in'))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'labelSelector',
    });
  });

  it('counts no labels as empty ones', () => {
    const source$ = new Subject<Notification<Widget>>();
    const { log } = recorded(source$.pipe(whereLabels('!app')), shown);
    source$.next(addOf(at('a', 1, { labels: {} }), 1, false));
    expect(log).toEqual(['add a1']);
  });
});
