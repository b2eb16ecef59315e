import { VirtualTimeScheduler } from 'rxjs';
import { createQueries } from '../../operators/createQueries.ts';
import { retryOnConflict } from '../../operators/retryOnConflict.ts';
import type { Entry } from '../../src/codec/codec.ts';
import { createContext } from '../../src/context.ts';
import { mutate } from '../../src/mutation/mutate.ts';
import { allOf, exists, hasLabel, isGone } from '../../src/store/conditions.ts';
import { failure } from '../codec/failure.ts';
import type { Widget } from '../store/objects.ts';
import { added, at, failure as broken, deleted, list, recorded, updated } from './pipeline.ts';
import { queried } from './queried.ts';

const version = (entry: Entry<Widget> | undefined): string => entry?.resourceVersion ?? 'none';

function waiting() {
  const scheduler = new VirtualTimeScheduler();
  scheduler.maxFrames = 60_000;
  return { scheduler, ...queried(createContext({ scheduler, random: () => 0 })) };
}

/** What a wait errors with. */
function errorOf(
  scheduler: VirtualTimeScheduler,
  wait: (observer: { error: (error: unknown) => void }) => void,
): unknown {
  const errors: unknown[] = [];
  wait({ error: (error) => errors.push(error) });
  scheduler.flush();
  expect(errors).toHaveLength(1);
  return errors[0];
}

describe('waitFor', () => {
  it('emits at once where the condition holds, and completes', () => {
    const { waitFor, get$, emit, counts } = waiting();
    const kept = recorded(get$('b'));
    emit(list(1, at('a', 1)));
    expect(recorded(waitFor('a', exists), version).log).toEqual(['1', 'complete']);
    expect(recorded(waitFor('b', isGone), version).log).toEqual(['none', 'complete']);
    kept.subscription.unsubscribe();
    expect(counts).toMatchObject({ subscribed: 1, unsubscribed: 1 });
  });

  it('waits for the first list, then for the state', () => {
    const { waitFor, emit, counts } = waiting();
    const ready = recorded(waitFor('a', allOf(exists, hasLabel('app')), { timeout: 5_000 }), version);
    const gone = recorded(waitFor('a', isGone), version);
    emit(list(1, at('a', 1)));
    emit(updated(at('a', 2)));
    expect([ready.log, gone.log]).toEqual([[], []]);
    emit(updated(at('a', 3, { labels: { app: '' } })), deleted(at('a', 4)));
    expect([ready.log, gone.log]).toEqual([
      ['3', 'complete'],
      ['none', 'complete'],
    ]);
    expect(counts).toMatchObject({ subscribed: 1, unsubscribed: 1 });
  });

  it('leaves no timer behind', () => {
    const { waitFor, emit, scheduler } = waiting();
    recorded(waitFor('a', exists, { timeout: 5_000 }));
    recorded(waitFor('a', isGone, { timeout: 5_000 })).subscription.unsubscribe();
    emit(list(1, at('a', 1)));
    scheduler.flush();
    expect(scheduler.now()).toBe(0);
  });

  it.each([
    [
      'nothing is known of it',
      [],
      undefined,
      /a did not come to hasLabel app in 5 s; nothing is known of it/,
    ],
    ['it is not there', [list(1)], undefined, /it is not there/],
    ['it is otherwise', [list(1, at('a', 1)), updated(at('a', 2))], '2', /it is at version 2/],
  ])('says what was seen last when time is over: %s', (_, deltas, last, message) => {
    const { waitFor, emit, scheduler, counts } = waiting();
    const error = errorOf(scheduler, (observer) => {
      waitFor('a', hasLabel('app'), { timeout: 5_000 }).subscribe(observer);
      emit(...deltas);
    });
    expect(scheduler.now()).toBe(5_000);
    expect(error).toEqual(failure({ code: 'WAIT_TIMEOUT', key: 'a', condition: 'hasLabel app', message }));
    expect((error as { last?: Entry<Widget> }).last?.resourceVersion).toBe(last);
    expect(counts).toMatchObject({ subscribed: 1, unsubscribed: 1 });
  });

  it('says how the informer does', () => {
    const { scheduler, context, store, shared$ } = waiting();
    const readiness = { reason: 'it waits 30 s after failure 4' } as never;
    const { waitFor } = createQueries((options) => shared$.with(options), store, {
      context,
      readiness: () => readiness,
    });
    const error = errorOf(scheduler, (observer) => waitFor('a', exists, { timeout: 1 }).subscribe(observer));
    expect(error).toEqual(
      failure({ code: 'WAIT_TIMEOUT', readiness, message: /it waits 30 s after failure 4/ }),
    );
  });

  it('blames a condition that throws', () => {
    const { waitFor, emit, scheduler } = waiting();
    const isLarge = (): boolean => {
      throw broken;
    };
    const error = errorOf(scheduler, (observer) => {
      waitFor('a', allOf(isLarge)).subscribe(observer);
      emit(list(1));
    });
    expect(error).toEqual(
      failure({ code: 'USER_FUNCTION', where: 'condition allOf(isLarge)', key: 'a', cause: broken }),
    );
  });

  it('completes at a stop, and errors with what ends the informer', () => {
    const { waitFor, source } = waiting();
    const { log } = recorded(waitFor('a', exists));
    source().complete();
    expect(log).toEqual(['complete']);
    const { log: failed } = recorded(waitFor('a', exists));
    source().error(broken);
    expect(failed).toEqual(['error x']);
  });

  it.each([
    ['key', ['', exists]],
    ['condition', ['a', undefined]],
    ['options', ['a', exists, 5]],
    ['timeout', ['a', exists, { timeout: -1 }]],
    ['timeout', ['a', exists, { timeout: Number.NaN }]],
  ])('refuses a bad %s', (option, args) => {
    const { waitFor } = queried();
    expect(() => waitFor(...(args as unknown as Parameters<typeof waitFor>))).toThrow(
      failure({ code: 'INVALID_OPTION', option }),
    );
  });
});

describe('reader', () => {
  const conflict = { kind: 'Status', code: 409, reason: 'Conflict' };
  const label = (object: Widget) =>
    mutate(object as never, (draft: Widget) => ({
      ...draft,
      metadata: { ...draft.metadata, labels: { done: '' } },
    })).patch;

  it('reads again when the store shows a newer state', () => {
    const { reader, emit, context, scheduler, get$ } = waiting();
    recorded(get$('a'));
    emit(list(1, at('a', 1)));
    const written: unknown[] = [];
    const write = (object: Widget): string => {
      written.push(label(object)[0]);
      if (written.length === 1) throw Object.assign(new Error('conflict'), conflict);
      return 'done';
    };
    const { log } = recorded(retryOnConflict(reader('a'), write, { context }));
    scheduler.maxFrames = 100;
    scheduler.flush();
    expect(written).toHaveLength(1);
    emit(updated(at('a', 2)));
    expect(log).toEqual(['done', 'complete']);
    expect(written).toMatchObject([{ value: '1' }, { value: '2' }]);
  });

  it('takes neither the version that was refused nor an older one', () => {
    const { reader, get$, emit } = waiting();
    recorded(get$('a'));
    emit(list(1, at('a', 9)));
    const read = reader('a');
    expect(recorded(read(), ({ metadata }) => metadata.resourceVersion ?? '').log).toEqual(['9', 'complete']);
    const again = recorded(
      read({ version: '10' } as never),
      ({ metadata }) => metadata.resourceVersion ?? '',
    );
    emit(updated(at('a', 10)));
    expect(again.log).toEqual([]);
    emit(updated(at('a', 11)));
    expect(again.log).toEqual(['11', 'complete']);
  });

  it('waits until there is an object, at first and after a conflict', () => {
    const { reader, get$, emit } = waiting();
    recorded(get$('a'));
    const read = reader('a');
    const names = ({ metadata }: Widget): string => metadata.resourceVersion ?? '';
    const first = recorded(read(), names);
    emit(list(1));
    expect(first.log).toEqual([]);
    emit(added(at('a', 2)));
    expect(first.log).toEqual(['2', 'complete']);
    const again = recorded(read({ version: '2' } as never), names);
    emit(deleted(at('a', 3)));
    expect(again.log).toEqual([]);
    emit(added(at('a', 4)));
    expect(again.log).toEqual(['4', 'complete']);
  });

  it('says that nothing came to be there', () => {
    const { reader, emit, scheduler } = waiting();
    const error = errorOf(scheduler, (observer) => {
      reader('a', { timeout: 5 })().subscribe(observer);
      emit(list(1));
    });
    expect(error).toEqual(failure({ code: 'WAIT_TIMEOUT', key: 'a', condition: 'exists' }));
  });

  it('waits 10 s at the most', () => {
    const { reader, emit, scheduler } = waiting();
    const error = errorOf(scheduler, (observer) => {
      reader('a')({ version: '1' } as never).subscribe(observer);
      emit(list(1, at('a', 1)));
    });
    expect(error).toEqual(failure({ code: 'WAIT_TIMEOUT', condition: 'newerThan 1' }));
    expect(scheduler.now()).toBe(10_000);
    expect(() => queried().reader('a', { timeout: -1 })).toThrow(failure({ code: 'INVALID_OPTION' }));
    expect(() => queried().reader('')).toThrow(failure({ code: 'INVALID_OPTION' }));
    emit(added(at('b', 1)));
  });
});
