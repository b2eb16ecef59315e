import { EMPTY, of, repeat, Subject, take, throwError } from 'rxjs';
import { toDeltas } from '../../operators/toDeltas.ts';
import type { Delta } from '../../src/queue/delta.ts';
import type { Signal } from '../../src/reflector/signal.ts';
import type { Widget } from '../store/objects.ts';
import { at, failure, recorded, testScheduler } from './pipeline.ts';

const a1 = at('a', 1);
const a2 = at('a', 2);
const b1 = at('b', 1);
const c1 = at('c', 1);

const SIGNALS: Record<string, Signal<Widget>> = {
  '[': { type: 'LIST' },
  a: { type: 'ITEMS', entries: [a1, b1] },
  c: { type: 'ITEMS', entries: [c1] },
  ']': { type: 'LISTED', version: '10' },
  '1': { type: 'ADDED', entry: a1 },
  '2': { type: 'MODIFIED', entry: a2 },
  '3': { type: 'DELETED', entry: a2 },
  m: { type: 'BOOKMARK', version: '20' },
};

const DELTAS: Record<string, Delta<Widget>> = {
  '1': { type: 'Added', key: 'a', entry: a1 },
  '2': { type: 'Updated', key: 'a', entry: a2 },
  '3': { type: 'Deleted', key: 'a', entry: a2 },
  m: { type: 'Bookmark', version: '20' },
  '0': { type: 'Replaced', version: '10', entries: [] },
  A: { type: 'Replaced', version: '10', entries: [a1, b1] },
  C: { type: 'Replaced', version: '10', entries: [c1] },
  S: { type: 'Replaced', version: '10', entries: [a1, b1, c1] },
  U: { type: 'Replaced', version: '10', entries: [a2, b1] },
  D: { type: 'Replaced', version: '10', entries: [b1] },
};

/** Expects these deltas of these signals, and that the source is subscribed all the time until `unsub`. */
function expectDeltas(signals: string, expected: string, sub: string, unsub?: string): void {
  testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
    const source = hot(signals, SIGNALS);
    expectObservable(source.pipe(toDeltas()), unsub).toBe(expected, DELTAS);
    expectSubscriptions(source.subscriptions).toBe(sub);
  });
}

describe('toDeltas', () => {
  it('makes one Replaced of a list, and a delta of each event after it', () => {
    expectDeltas(
      '--[-a-c-]-1-2-3-m-|', //
      '--------S-1-2-3-m-|',
      '^-----------------!',
    );
  });

  it('makes an empty list of a list without items', () => {
    expectDeltas(
      '--[-]-|', //
      '----0-|',
      '^-----!',
    );
  });

  it('lets events between the beginning and the end of a list change it', () => {
    expectDeltas(
      '--[-a-2-]-|', //
      '--------U-|',
      '^---------!',
    );
    expectDeltas(
      '--[-a-3-]-|', //
      '--------D-|',
      '^---------!',
    );
    expectDeltas(
      '--[-1-3-]-|', //
      '--------0-|',
      '^---------!',
    );
  });

  it('keeps one state of an object that comes in two pages, the later one', () => {
    testScheduler().run(({ cold, expectObservable }) => {
      const source = cold<Signal<Widget>>('[xy]', {
        ...SIGNALS,
        x: { type: 'ITEMS', entries: [a1, b1] },
        y: { type: 'ITEMS', entries: [a2] },
      });
      expectObservable(source.pipe(toDeltas())).toBe('---U', DELTAS);
    });
  });

  it('drops what an unfinished list brought when another one begins', () => {
    expectDeltas(
      '--[-a-[-c-]-|', //
      '----------C-|',
      '^-----------!',
    );
  });

  it('takes no end without a beginning for an empty list', () => {
    expectDeltas(
      '--]-1-[-a-]-]-|', //
      '----1-----A---|',
      '^-------------!',
    );
  });

  it('emits nothing of an unfinished list when the source completes or errors', () => {
    expectDeltas(
      '--[-a-|', //
      '------|',
      '^-----!',
    );
    expectDeltas(
      '--[-a-#', //
      '------#',
      '^-----!',
    );
  });

  it('passes an error after events, and leaves the source when unsubscribed', () => {
    expectDeltas(
      '--1-#', //
      '--1-#',
      '^---!',
    );
    expectDeltas(
      '--1-2-1-|', //
      '--1-2----',
      '^----!   ',
      '-----!   ',
    );
    expectDeltas(
      '--[-a-c-]-|', //
      '-----------',
      '^----!     ',
      '-----!     ',
    );
  });

  it('has no memory of an earlier subscription', () => {
    testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('   [-a-]-1-|', SIGNALS);
      const deltas$ = source.pipe(toDeltas());
      expectObservable(deltas$).toBe('----A-1-|', DELTAS);
      // In the middle of a list that it did not see begin.
      expectObservable(deltas$, '--^------').toBe('------1-|', DELTAS);
      expectObservable(deltas$, '-----^---').toBe('------1-|', DELTAS);
      expectSubscriptions(source.subscriptions).toBe(['^-------!', '--^-----!', '-----^--!']);
    });
  });

  it('leaves a synchronous endless source when it has enough', () => {
    const endless$ = of<Signal<Widget>>({ type: 'BOOKMARK', version: '20' }).pipe(repeat());
    const { log } = recorded(endless$.pipe(toDeltas(), take(2)), ({ type }) => type);
    expect(log).toEqual(['Bookmark', 'Bookmark', 'complete']);
  });

  it('lets a handler unsubscribe, and make the source emit, in the middle', () => {
    const source$ = new Subject<Signal<Widget>>();
    const log: string[] = [];
    const subscription = source$.pipe(toDeltas()).subscribe(({ type }) => {
      log.push(type);
      if (type === 'Replaced') source$.next({ type: 'ADDED', entry: a1 });
      else subscription.unsubscribe();
    });
    for (const signal of ['[', 'a', ']', '2']) source$.next(SIGNALS[signal] as Signal<Widget>);
    expect(log).toEqual(['Replaced', 'Added']);
    expect(source$.observed).toBe(false);
  });

  it('passes an error at once from a source that only has one', () => {
    const failed$ = throwError(() => failure).pipe(toDeltas<Widget>());
    expect(recorded(failed$, ({ type }) => type).log).toEqual(['error x']);
    expect(recorded(EMPTY.pipe(toDeltas<Widget>()), ({ type }) => type).log).toEqual(['complete']);
  });
});
