import { map, of, repeat, Subject, take } from 'rxjs';
import { mergeByKey } from '../../operators/mergeByKey.ts';
import type { Batch, Delta, Holdable } from '../../src/queue/delta.ts';
import type { Widget } from '../store/objects.ts';
import {
  added,
  at,
  deleted,
  failure,
  list,
  many,
  recorded,
  slowContext,
  sync,
  testScheduler,
  updated,
} from './pipeline.ts';

const DELTAS: Record<string, Delta<Widget>> = {
  a: added(at('a', 1)),
  A: updated(at('a', 2)),
  d: deleted(at('a', 3)),
  b: added(at('b', 1)),
  B: updated(at('b', 2)),
  l: list(9, at('a', 1), at('b', 1)),
  m: { type: 'Bookmark', version: '9' },
  s: sync('a'),
};

/** `a: Added 1, Updated 2`, `list 9`, `bookmark 9`. */
function shown(batch: Batch<Widget>): string {
  if (batch.type === 'Replaced') return `list ${String(batch.version)}`;
  if (batch.type === 'Bookmark') return `bookmark ${batch.version}`;
  const deltas = batch.deltas.map((delta) =>
    delta.type === 'Sync' ? 'Sync' : `${delta.type} ${String(delta.entry.resourceVersion)}`,
  );
  return `${batch.key}: ${deltas.join(', ')}`;
}

/** A pipeline whose consumer is busy as long as the spec says. */
function held() {
  const source$ = new Subject<Delta<Widget>>();
  const log: string[] = [];
  let busy = false;
  let release = (): void => undefined;
  const subscription = source$.pipe(mergeByKey()).subscribe({
    next(batch: Batch<Widget> & Holdable) {
      log.push(shown(batch));
      if (busy) release = batch.hold();
    },
    error: (error: unknown) => log.push(`error ${String(error)}`),
    complete: () => log.push('complete'),
  });
  return {
    source$,
    log,
    subscription,
    push: (letters: string): void => {
      for (const letter of letters) source$.next(DELTAS[letter] as Delta<Widget>);
    },
    hold: (): void => {
      busy = true;
    },
    release: (): void => {
      busy = false;
      release();
    },
    /** Lets one more through, which holds again. */
    one: (): void => {
      release();
    },
  };
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('mergeByKey', () => {
  it('lets everything through at once while nobody holds', () => {
    testScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('   --l-(ab)-m-A-s-|', DELTAS);
      const sub = '          ^--------------!';
      const expected = '     --l-(ab)-m-A-s-|';
      const batches$ = source.pipe(mergeByKey(), map(shown));
      expectObservable(batches$).toBe(expected, {
        l: 'list 9',
        a: 'a: Added 1',
        b: 'b: Added 1',
        m: 'bookmark 9',
        A: 'a: Updated 2',
        s: 'a: Sync',
      });
      expectSubscriptions(source.subscriptions).toBe(sub);
    });
  });

  it('keeps what comes while it is held, those of one key together and merged', () => {
    const { hold, push, release, log } = held();
    hold();
    push('l');
    push('abABA');
    expect(log).toEqual(['list 9']);
    release();
    expect(log).toEqual(['list 9', 'a: Added 2', 'b: Added 2']);
  });

  it('goes on one by one with a consumer that holds each', () => {
    const { hold, push, one, log } = held();
    hold();
    push('ab');
    expect(log).toEqual(['a: Added 1']);
    push('AB');
    one();
    expect(log).toEqual(['a: Added 1', 'b: Added 2']);
    one();
    expect(log).toEqual(['a: Added 1', 'b: Added 2', 'a: Updated 2']);
    one();
    expect(log).toHaveLength(3);
  });

  it('waits until the last of several holders has released', () => {
    const source$ = new Subject<Delta<Widget>>();
    const log: string[] = [];
    const releases: (() => void)[] = [];
    source$.pipe(mergeByKey()).subscribe((batch) => {
      log.push(shown(batch));
      releases.push(batch.hold(), batch.hold());
    });
    source$.next(added(at('a', 1)));
    source$.next(added(at('b', 1)));
    const [first, second] = releases;
    first?.();
    first?.();
    expect(log).toEqual(['a: Added 1']);
    second?.();
    expect(log).toEqual(['a: Added 1', 'b: Added 1']);
  });

  it.each([
    ['completion', 'complete'],
    ['error', 'error Error: x'],
  ])('emits what waits before the %s of the source', (_, end) => {
    const { hold, push, release, log, source$ } = held();
    hold();
    push('lab');
    if (end === 'complete') source$.complete();
    else source$.error(failure);
    expect(log).toEqual(['list 9']);
    release();
    expect(log).toEqual(['list 9', 'a: Added 1', 'b: Added 1', end]);
  });

  it('does not end while the last one is held', () => {
    const { hold, push, release, log, source$ } = held();
    hold();
    push('a');
    source$.complete();
    expect(log).toEqual(['a: Added 1']);
    release();
    expect(log).toEqual(['a: Added 1', 'complete']);
  });

  it('does not end before what is held, where a handler ends the source', () => {
    const source$ = new Subject<Delta<Widget>>();
    const log: string[] = [];
    let release = (): void => undefined;
    source$.pipe(mergeByKey()).subscribe({
      next(batch) {
        log.push(shown(batch));
        release = batch.hold();
        source$.complete();
      },
      complete: () => log.push('complete'),
    });
    source$.next(added(at('a', 1)));
    expect(log).toEqual(['a: Added 1']);
    release();
    expect(log).toEqual(['a: Added 1', 'complete']);
  });

  it('passes errors and completions at once where nothing waits', () => {
    testScheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
      const failing = cold('  --#', DELTAS);
      const complete = cold(' --|', DELTAS);
      expectObservable(failing.pipe(mergeByKey())).toBe('--#');
      expectObservable(complete.pipe(mergeByKey())).toBe('--|');
      expectSubscriptions(failing.subscriptions).toBe('^-!');
      expectSubscriptions(complete.subscriptions).toBe('^-!');
    });
  });

  it('emits nothing after it was unsubscribed, though it was held and is released', () => {
    const { hold, push, release, log, source$, subscription } = held();
    hold();
    push('lab');
    subscription.unsubscribe();
    expect(source$.observed).toBe(false);
    release();
    expect(log).toEqual(['list 9']);
  });

  it('stops in the middle when a handler unsubscribes', () => {
    const source$ = new Subject<Delta<Widget>>();
    const log: string[] = [];
    let release = (): void => undefined;
    const subscription = source$.pipe(mergeByKey()).subscribe((batch) => {
      log.push(shown(batch));
      if (log.length === 1) release = batch.hold();
      else subscription.unsubscribe();
    });
    for (const letter of 'lab') source$.next(DELTAS[letter] as Delta<Widget>);
    release();
    expect(log).toEqual(['list 9', 'a: Added 1']);
  });

  it('keeps the order when a handler makes the source emit', () => {
    const source$ = new Subject<Delta<Widget>>();
    const log: string[] = [];
    let depth = 0;
    source$.pipe(mergeByKey()).subscribe((batch) => {
      depth += 1;
      log.push(`${depth} ${shown(batch)}`);
      if (log.length === 1) for (const letter of 'bAm') source$.next(DELTAS[letter] as Delta<Widget>);
      depth -= 1;
    });
    source$.next(added(at('a', 1)));
    expect(log).toEqual(['1 a: Added 1', '1 b: Added 1', '1 a: Updated 2', '1 bookmark 9']);
  });

  it('goes on after a handler that releases what it holds at once', () => {
    const log: string[] = [];
    of(added(at('a', 1)), added(at('b', 1)))
      .pipe(mergeByKey())
      .subscribe((batch) => {
        batch.hold()();
        log.push(shown(batch));
      });
    expect(log).toEqual(['a: Added 1', 'b: Added 1']);
  });

  it('leaves a synchronous endless source when it has enough', () => {
    const endless$ = of(added(at('a', 1))).pipe(repeat());
    const { log } = recorded(endless$.pipe(mergeByKey(), take(2)), shown);
    expect(log).toEqual(['a: Added 1', 'a: Added 1', 'complete']);
  });

  it('has a queue for each subscription', () => {
    const source$ = new Subject<Delta<Widget>>();
    const batches$ = source$.pipe(mergeByKey());
    let release = (): void => undefined;
    const slow: string[] = [];
    batches$.subscribe((batch) => {
      slow.push(shown(batch));
      release = batch.hold();
    });
    const quick = recorded(batches$, shown);
    for (const letter of 'aA') source$.next(DELTAS[letter] as Delta<Widget>);
    expect([slow, quick.log]).toEqual([['a: Added 1'], ['a: Added 1', 'a: Updated 2']]);
    release();
    expect(slow).toEqual(['a: Added 1', 'a: Updated 2']);
  });

  describe('with much that waits', () => {
    /** Forty keys that waited for one release. */
    function released() {
      const { context, turn, settle, turns } = slowContext();
      const source$ = new Subject<Delta<Widget>>();
      const log: string[] = [];
      const releases: (() => void)[] = [];
      let holding = true;
      const subscription = source$.pipe(mergeByKey({ context })).subscribe({
        next(batch) {
          log.push(shown(batch));
          if (holding) releases.push(batch.hold());
        },
        complete: () => log.push('complete'),
      });
      source$.next(list(1));
      for (const entry of many(40)) source$.next(added(entry));
      const release = (): void => {
        holding = false;
        for (const free of releases.splice(0)) free();
      };
      const hold = (): void => {
        holding = true;
      };
      return { source$, log, release, hold, turn, settle, turns, subscription };
    }

    it('gives way between slices', () => {
      const { log, release, turn } = released();
      release();
      expect(log).toHaveLength(1 + 16);
      turn();
      expect(log).toHaveLength(1 + 32);
      turn();
      expect(log).toHaveLength(1 + 40);
      expect(turn()).toBe(false);
    });

    it('merges into what still waits between slices, and keeps the order', () => {
      const { source$, log, release, settle } = released();
      release();
      source$.next(updated(at('w30', 2)));
      source$.next(updated(at('w0', 2)));
      settle();
      expect(log.filter((batch) => batch.startsWith('w30:'))).toEqual(['w30: Added 2']);
      expect(log.at(-1)).toBe('w0: Updated 2');
    });

    it('is held between slices, too', () => {
      const { log, release, hold, settle } = released();
      release();
      hold();
      settle();
      expect(log).toHaveLength(1 + 17);
      release();
      settle();
      expect(log).toHaveLength(1 + 40);
    });

    it('completes after the last slice only', () => {
      const { source$, log, release, settle } = released();
      release();
      source$.complete();
      expect(log).not.toContain('complete');
      settle();
      expect(log.slice(-2)).toEqual(['w39: Added 1', 'complete']);
    });

    it('calls nobody after it was unsubscribed between slices', () => {
      const { log, release, turn, turns, subscription } = released();
      release();
      subscription.unsubscribe();
      turn();
      expect(log).toHaveLength(1 + 16);
      expect(turns).toEqual([]);
    });
  });
});
