import type { ViewEvent } from '../../../src/cli/view/event.ts';
import { emptyState, rateOf, type ViewState, viewReducer } from '../../../src/cli/view/viewState.ts';
import { ConnectionError } from '../../../src/errors.ts';
import type { InformerStatus } from '../../../src/status.ts';

const after = (events: readonly ViewEvent[], verbose = false): ViewState =>
  events.reduce(viewReducer(verbose), emptyState(0));
const told = (change: 'add' | 'update' | 'delete' | 'sync', at = 0, initial = false): ViewEvent => ({
  type: 'told',
  at,
  change,
  key: `key-${String(at)}`,
  version: '1',
  initial,
});
const said = (status: InformerStatus, at = 0): ViewEvent => ({ type: 'status', at, status });
const cut = new ConnectionError({ verb: 'watch', path: '/' }, 'CUT');

describe('viewReducer', () => {
  it('counts each kind of change, and what the first list brought by itself', () => {
    const state = after([told('add', 0, true), told('add'), told('update'), told('update'), told('sync')]);
    expect(state.counts).toEqual({ add: 1, update: 2, delete: 0, sync: 1 });
    expect(state.initial).toBe(1);
  });

  it('gives rates over the last ten seconds', () => {
    const events = Array.from({ length: 30 }, (_, second): ViewEvent[] => [
      ...(second < 20 ? [] : [told('update'), told('update')]),
      { type: 'second', at: second * 1000 },
    ]).flat();
    expect(rateOf(after(events.slice(0, 20)), 'update')).toBe(0);
    expect(rateOf(after(events), 'update')).toBe(2);
    expect(rateOf(after([]), 'update')).toBe(0);
  });

  it('has the newest first, and a resync or a first list as one', () => {
    const events = [
      told('add', 1, true),
      told('add', 2, true),
      told('sync', 3),
      told('sync', 4),
      told('update', 5),
    ];
    expect(after(events).newest).toMatchObject([
      { change: 'update', key: 'key-5', times: 1 },
      { change: 'sync', key: 'key-4', times: 2 },
      { change: 'add', key: 'key-2', times: 2 },
    ]);
    expect(after([told('update', 1), told('update', 2)]).newest).toHaveLength(2);
  });

  it('bounds what it keeps', () => {
    expect(after(Array.from({ length: 1000 }, (_, at) => told('update', at))).newest).toHaveLength(120);
  });

  it('remembers a failure until it is live again, unless it is a step on the way', () => {
    const failed = (delay: number) => said({ type: 'error', error: cut, attempt: 1, delay }, 5);
    expect(after([failed(0)]).failure).toBeUndefined();
    const waiting = after([failed(800), said({ type: 'wait', reason: 'backoff', delay: 800 })]);
    expect(waiting).toMatchObject({ failures: 1, failure: { at: 5 } });
    expect(after([failed(800), said({ type: 'live', version: '1' })])).toMatchObject({
      failures: 1,
      failure: undefined,
    });
  });

  it('forgets what it said while it waited for the first list', () => {
    const note: ViewEvent = { type: 'note', at: 0, text: 'no answer yet' };
    expect(after([note]).note).toBe('no answer yet');
    expect(after([note, said({ type: 'synced' })]).note).toBeUndefined();
  });

  it('shows each status among the newest to who asked for it', () => {
    const event = said({ type: 'watch', version: '1' });
    expect(after([event]).newest).toEqual([]);
    expect(after([event], true).newest).toMatchObject([{ type: 'status' }]);
    expect(after([said({ type: 'problem', error: cut, count: 3 })])).toMatchObject({
      problems: 3,
      newest: [{ type: 'status' }],
    });
  });
});
