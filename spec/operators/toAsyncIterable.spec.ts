import { concat, NEVER, of, Subject, throwError } from 'rxjs';
import { block } from '../../operators/block.ts';
import { coalesce } from '../../operators/coalesce.ts';
import { dropOldest } from '../../operators/dropOldest.ts';
import { throwIfFull } from '../../operators/throwIfFull.ts';
import { toAsyncIterable } from '../../operators/toAsyncIterable.ts';
import type { Notification } from '../../src/store/notification.ts';
import { thrownBy } from '../kubernetes/thrown.ts';
import type { Widget } from '../store/objects.ts';
import { add, update } from './handling.ts';
import { failure, shown, stillContext } from './pipeline.ts';

/** A loop that is asked by hand. */
function loop(iterable: AsyncIterable<Notification<Widget>>) {
  const iterator = iterable[Symbol.asyncIterator]();
  const log: string[] = [];
  const ask = async (): Promise<void> => {
    try {
      const result = await iterator.next();
      log.push(result.done === true ? 'done' : shown(result.value));
    } catch (error) {
      log.push(`error ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return { log, ask, leave: () => iterator.return?.() };
}

describe('toAsyncIterable', () => {
  it('gives one after the other to a loop, until the end', async () => {
    const log: string[] = [];
    for await (const told of toAsyncIterable(of(add('a', 1), update('a', 1, 2), add('b', 1)))) {
      log.push(shown(told));
    }
    expect(log).toEqual(['add a1', 'add b1', 'update a1 a2']);
  });

  it('has what comes meanwhile wait, merged by key', async () => {
    const source$ = new Subject<Notification<Widget>>();
    const { log, ask } = loop(
      toAsyncIterable(source$, (project) => coalesce(project, { context: stillContext() })),
    );
    const first = ask();
    source$.next(add('a', 1));
    await first;
    source$.next(update('a', 1, 2));
    source$.next(update('a', 2, 3));
    await ask();
    expect(log).toEqual(['add a1', 'update a1 a3']);
  });

  it('begins when the loop asks, and ends when it is left', async () => {
    const source$ = new Subject<Notification<Widget>>();
    const { log, ask, leave } = loop(toAsyncIterable(source$));
    expect(source$.observed).toBe(false);
    const asked = ask();
    expect(source$.observed).toBe(true);
    expect(await leave()).toEqual({ done: true, value: undefined });
    await asked;
    expect(source$.observed).toBe(false);
    await ask();
    expect(log).toEqual(['done', 'done']);
  });

  it('never begins where it is left before', async () => {
    const source$ = new Subject<Notification<Widget>>();
    const { log, ask, leave } = loop(toAsyncIterable(source$));
    await leave();
    await ask();
    expect([log, source$.observed]).toEqual([['done'], false]);
  });

  it('unsubscribes when a loop breaks or throws', async () => {
    const source$ = new Subject<Notification<Widget>>();
    const one$ = concat(of(add('a', 1)), source$);
    for await (const told of toAsyncIterable(one$)) {
      expect([told.key, source$.observed]).toEqual(['a', true]);
      break;
    }
    expect(source$.observed).toBe(false);
    const throwing = async (): Promise<void> => {
      for await (const told of toAsyncIterable(one$)) throw new Error(told.key);
    };
    await expect(throwing()).rejects.toThrow('a');
    expect(source$.observed).toBe(false);
  });

  it('throws an error of the stream, once, after what waits', async () => {
    const { log, ask } = loop(
      toAsyncIterable(
        concat(
          of(add('a', 1), add('b', 1)),
          throwError(() => failure),
        ),
      ),
    );
    for (let left = 4; left > 0; left -= 1) await ask();
    expect(log).toEqual(['add a1', 'add b1', 'error x', 'done']);
  });

  it('may be asked several times at once', async () => {
    const source$ = new Subject<Notification<Widget>>();
    const { log, ask } = loop(
      toAsyncIterable(source$, (project) => coalesce(project, { context: stillContext() })),
    );
    const asked = Promise.all([ask(), ask(), ask()]);
    source$.next(add('a', 1));
    source$.next(add('b', 1));
    source$.complete();
    await asked;
    expect(log).toEqual(['add a1', 'add b1', 'done']);
  });

  it('takes the policy and its options', async () => {
    const source$ = new Subject<Notification<Widget>>();
    const context = stillContext();
    const old = loop(
      toAsyncIterable(source$, (project) => dropOldest(project, { capacity: 1, context, name: 'old' })),
    );
    const full = loop(
      toAsyncIterable(source$, (project) => throwIfFull(project, { capacity: 1, context, concurrency: 2 })),
    );
    const blocking = loop(toAsyncIterable(source$, (project) => block(project, { capacity: 1, context })));
    const asked = Promise.all([old.ask(), full.ask(), blocking.ask()]);
    source$.next(add('a', 1));
    await asked;
    for (let version = 1; version < 4; version += 1) source$.next(update('a', version, version + 1));
    expect([...context.backlogs]).toMatchObject([
      { name: 'old', length: 2, lost: 1 },
      { name: 'block', length: 2, lost: 1 },
    ]);
    expect(context.flow.paused).toBe(true);
    await old.ask();
    await full.ask();
    await blocking.leave();
    expect(old.log).toEqual(['add a1', 'update a1 a3']);
    expect(full.log[1]).toContain('error throwIfFull: more than 1 notifications wait');
    expect(context.flow.paused).toBe(false);
    await old.leave();
    expect([...context.backlogs]).toEqual([]);
  });

  it('does not give what was given up', async () => {
    const source$ = new Subject<Notification<Widget>>();
    const options = { capacity: 1, context: stillContext(), concurrency: 2 };
    const { log, ask } = loop(toAsyncIterable(source$, (project) => throwIfFull(project, options)));
    const asked = ask();
    for (const name of ['a', 'b', 'c', 'd']) source$.next(add(name, 1));
    await asked;
    await ask();
    expect(log).toEqual(['add a1', expect.stringContaining('error')]);
  });

  it('is one subscription for each loop', async () => {
    const context = stillContext();
    const iterable = toAsyncIterable<Widget>(NEVER, (project) => coalesce(project, { context }));
    const loops = [loop(iterable), loop(iterable)];
    const asked = loops.map(({ ask }) => ask());
    expect([...context.backlogs]).toHaveLength(2);
    for (const { leave } of loops) await leave();
    await Promise.all(asked);
    expect([...context.backlogs]).toHaveLength(0);
  });

  it('throws at the call for options that cannot be', () => {
    expect(
      thrownBy(() => toAsyncIterable(NEVER, (project) => dropOldest(project, { capacity: 0 }))),
    ).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'capacity',
    });
  });
});
