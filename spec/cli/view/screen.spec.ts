import fc from 'fast-check';
import type { ViewEvent } from '../../../src/cli/view/event.ts';
import type { Line } from '../../../src/cli/view/line.ts';
import { type Facts, screenOf } from '../../../src/cli/view/screen.ts';
import { emptyState, type ViewState, viewReducer } from '../../../src/cli/view/viewState.ts';
import { ConnectionError } from '../../../src/errors.ts';

const FACTS: Facts = {
  title: 'Pod in all namespaces of somewhere',
  size: 3000,
  version: '42',
  readiness: { state: 'live', reason: 'it is live', synced: true, staleSince: undefined },
};
const textOf = (line: Line): string => line.map(({ text }) => text).join('');
const textsOf = (state: ViewState, columns: number, rows: number, facts = FACTS): string[] =>
  screenOf(state, facts, { columns, rows }).map(textOf);

const after = (...events: ViewEvent[]): ViewState => events.reduce(viewReducer(true), emptyState(0));
const update = (at: number): ViewEvent => ({
  type: 'told',
  at,
  change: 'update',
  key: `default/web-${String(at)}`,
  version: String(at),
  initial: false,
});
const busy = after(...Array.from({ length: 200 }, (_, at) => update(at)));
const failing = after({
  type: 'status',
  at: 1000,
  status: {
    type: 'error',
    error: new ConnectionError({ verb: 'watch', path: '/api' }, 'CUT'),
    attempt: 1,
    delay: 3000,
  },
});

describe('screenOf', () => {
  it('fits into any window', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(busy, failing, after({ type: 'note', at: 0, text: 'a note' })),
        fc.nat(200),
        fc.nat(80),
        (state, columns, rows) => {
          const lines = textsOf(state, columns, rows);
          expect(lines.length).toBeLessThanOrEqual(rows);
          for (const line of lines) expect(Array.from(line).length).toBeLessThanOrEqual(columns);
        },
      ),
    );
  });

  it('fills a window to its last line with the newest', () => {
    const lines = textsOf(busy, 100, 30);
    expect(lines).toHaveLength(30);
    expect(lines.find((line) => line.includes('web-'))).toMatch(/UPDATE {2}default\/web-199 {2}199$/);
  });

  it('has a table of counts where there is room, else a line', () => {
    expect(textsOf(busy, 100, 30)).toContainEqual(expect.stringMatching(/^UPDATE +200 +0\.0$/));
    expect(textsOf(busy, 100, 10)[3]).toBe(
      'ADD 0 (0.0/s)  UPDATE 200 (0.0/s)  DELETE 0 (0.0/s)  SYNC 0 (0.0/s)  ',
    );
    expect(textsOf(busy, 60, 10)[3]).toBe('ADD 0  UPDATE 200  DELETE 0  SYNC 0  ');
  });

  it('says how far the first list is', () => {
    const listing = after({ type: 'status', at: 0, status: { type: 'page', items: 500, remaining: 500 } });
    expect(textsOf(listing, 100, 30)[1]).toBe(
      'listing [##########----------] 500 objects so far, 500 to come',
    );
  });

  it('counts down to the next try, and says that the cache may be out of date', () => {
    const stale: Facts = { ...FACTS, readiness: { ...FACTS.readiness, state: 'waiting', staleSince: 1000 } };
    const later = viewReducer(true)(failing, { type: 'second', at: 2500 });
    const [, status, cache] = textsOf(later, 100, 30, stale);
    expect(status).toBe('trying again in 1.5 s: watch /api: the connection failed (CUT)');
    expect(cache).toBe('3,000 objects   version 42   up 2.5 s   1 failure  perhaps out of date, for 1.5 s');
    const [, , first] = textsOf(later, 100, 30, {
      ...stale,
      readiness: { ...stale.readiness, synced: false },
    });
    expect(first).toBe('3,000 objects   version 42   up 2.5 s   1 failure');
  });

  it('says what no phase does: that somebody stops the reading', () => {
    const reason = 'its reading is stopped by billing';
    const [, status] = textsOf(busy, 100, 30, {
      ...FACTS,
      readiness: { ...FACTS.readiness, state: 'blocked', reason },
    });
    expect(status).toBe(reason);
  });
});
