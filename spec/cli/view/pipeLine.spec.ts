import type { ViewEvent } from '../../../src/cli/view/event.ts';
import { pipeLine } from '../../../src/cli/view/pipeLine.ts';
import { ConnectionError } from '../../../src/errors.ts';
import type { BacklogFacts } from '../../../src/queue/backlog.ts';
import type { InformerStatus } from '../../../src/status.ts';

const told = { type: 'told', at: 0, key: 'default/a', version: '7' } as const;
const of = (status: InformerStatus): ViewEvent => ({ type: 'status', at: 0, status });
const error = new ConnectionError({ verb: 'watch', path: '/api/v1/pods' }, 'CUT');

const backlog: BacklogFacts = {
  name: 'billing',
  capacity: 1024,
  highWater: 768,
  lowWater: 384,
  level: 'high',
  length: 800,
  lag: 2000,
  handed: 12,
  lost: 7,
  overdue: 0,
  failing: 0,
  running: 0,
};

describe('pipeLine', () => {
  it.each(['update', 'delete', 'sync', 'add'] as const)('is one line for %s', (change) => {
    const line = pipeLine({ ...told, change, initial: false }, false);
    expect(line).toBe(`${change.toUpperCase().padEnd(7)}default/a 7`);
  });

  it('marks what the first list brought', () => {
    expect(pipeLine({ ...told, change: 'add', initial: true }, false)).toBe('ADD    default/a 7 initial');
  });

  it.each<[InformerStatus, string]>([
    [
      { type: 'list', reason: 'expired', mode: 'paged' },
      'STATUS listing (paged) since the server forgot the version held',
    ],
    [{ type: 'page', items: 500, remaining: 1200 }, 'STATUS 500 objects so far, 1,200 to come'],
    [{ type: 'page', items: 500, remaining: undefined }, 'STATUS 500 objects so far'],
    [{ type: 'live', version: '9' }, 'STATUS live from version 9'],
    [
      { type: 'error', error, attempt: 1, delay: 1500 },
      'STATUS watch /api/v1/pods: the connection failed (CUT); trying again in 1.5 s',
    ],
    [
      { type: 'blocked', limit: 30_000, backlog },
      'STATUS billing is 800 notifications and 2.0 s behind, 7 lost, so nothing is read for up to 30 s',
    ],
    [{ type: 'problem', error, count: 2 }, `STATUS problem 2: ${error.message}`],
  ])('says %j to everybody', (status, line) => {
    expect(pipeLine(of(status), false)).toBe(line);
  });

  it.each<[InformerStatus, string]>([
    [
      { type: 'end', reason: 'server closed it', lasted: 303_000 },
      'STATUS the watch ended after 5 m 3 s: server closed it',
    ],
    [{ type: 'backlog', backlog }, 'STATUS billing is 800 notifications and 2.0 s behind, 7 lost: high'],
    [
      { type: 'unblocked', reason: 'time is over', lasted: 30_000, backlog },
      'STATUS reading again after 30 s: billing may stop it no longer',
    ],
    [{ type: 'watch', version: '9' }, 'STATUS asking for a watch from version 9'],
    [{ type: 'wait', reason: 'backoff', delay: 800 }, 'STATUS waiting 0.8 s: backoff'],
    [{ type: 'error', error, attempt: 1, delay: 0 }, `STATUS ${error.message}; trying again at once`],
    [
      { type: 'listed', items: 1, version: undefined },
      'STATUS the list is complete: 1 object at version unknown',
    ],
  ])('says %j to who asked for every step', (status, line) => {
    expect(pipeLine(of(status), false)).toBeUndefined();
    expect(pipeLine(of(status), true)).toBe(line);
  });

  it('says notes, and nothing of the time', () => {
    expect(pipeLine({ type: 'note', at: 0, text: 'a\nb' }, false)).toBe('STATUS a b');
    expect(pipeLine({ type: 'second', at: 0 }, true)).toBeUndefined();
  });
});
