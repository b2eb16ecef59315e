import { concat, EMPTY, NEVER, of, throwError, VirtualTimeScheduler } from 'rxjs';
import { retryOnConflict } from '../../operators/retryOnConflict.ts';
import { createContext } from '../../src/context.ts';
import type { ConflictError } from '../../src/errors.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import { failure } from '../codec/failure.ts';
import { recorded, testScheduler } from './pipeline.ts';

const conflict = { kind: 'Status', code: 409, reason: 'Conflict', message: 'modified' };
const patchFailed = {
  kind: 'Status',
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
};

const object = (version: number): KubernetesObject => ({
  metadata: { name: 'a', namespace: 'default', resourceVersion: String(version) },
});

/** A server whose object changes with each failed write, so often. */
function server(failures: number, error: unknown = conflict) {
  const told: (ConflictError | undefined)[] = [];
  const written: (string | undefined)[] = [];
  let version = 0;
  return {
    told,
    written,
    read: (before: ConflictError | undefined) => {
      told.push(before);
      version += 1;
      return of(object(version));
    },
    write: ({ metadata }: KubernetesObject) => {
      written.push(metadata?.resourceVersion);
      return written.length <= failures ? throwError(() => error) : of(`done ${written.length}`);
    },
  };
}

const virtual = (random = 0) => {
  const scheduler = new VirtualTimeScheduler();
  return { scheduler, context: createContext({ scheduler, random: () => random }) };
};

describe('retryOnConflict', () => {
  it('writes once where nobody was faster', () => {
    const { read, write, told } = server(0);
    const { scheduler, context } = virtual();
    const { log } = recorded(retryOnConflict(read, write, { context }));
    expect(log).toEqual(['done 1', 'complete']);
    expect(told).toEqual([undefined]);
    scheduler.flush();
    expect(scheduler.now()).toBe(0);
  });

  it.each([
    ['409', conflict],
    ['422 of a failed patch', patchFailed],
  ])('reads and writes again after a %s, 10 ms later', (_, error) => {
    const { read, write, told, written } = server(2, error);
    const { scheduler, context } = virtual();
    const { log } = recorded(retryOnConflict(read, write, { context }));
    expect(log).toEqual([]);
    scheduler.flush();
    expect(log).toEqual(['done 3', 'complete']);
    expect(scheduler.now()).toBe(20);
    expect(written).toEqual(['1', '2', '3']);
    expect(told.map((each) => each?.version)).toEqual([undefined, '1', '2']);
  });

  it('gives up after five tries, with the conflict', () => {
    const { read, write, written } = server(Infinity);
    const { scheduler, context } = virtual();
    const errors: unknown[] = [];
    retryOnConflict(read, write, { context }).subscribe({ error: (error: unknown) => errors.push(error) });
    scheduler.flush();
    expect(written).toHaveLength(5);
    expect(errors).toEqual([
      failure({
        code: 'CONFLICT',
        key: 'default/a',
        version: '5',
        tries: 5,
        cause: conflict,
        message: /5 times/,
      }),
    ]);
  });

  it('waits as it is told to', () => {
    const { read, write } = server(3);
    const { scheduler, context } = virtual(0.5);
    const options = { delay: 100, factor: 2, jitter: 0.2, tries: 4, context };
    const { log } = recorded(retryOnConflict(read, write, options));
    scheduler.flush();
    expect(log).toEqual(['done 4', 'complete']);
    expect(scheduler.now()).toBeCloseTo(110 + 220 + 440);
  });

  it.each<[string, unknown]>([
    [
      'another failure of the server',
      { kind: 'Status', code: 422, reason: 'Invalid', message: 'it is invalid' },
    ],
    ['anything else', new Error('mine')],
  ])('does not try again after %s', (_, error) => {
    const { read, write, written } = server(1, error);
    const errors: unknown[] = [];
    retryOnConflict(read, write).subscribe({ error: (thrown: unknown) => errors.push(thrown) });
    expect(errors).toEqual([error]);
    expect(written).toHaveLength(1);
  });

  it('says what is wrong with a patch that fails on the version that it is for', () => {
    const { write, written } = server(Infinity, patchFailed);
    const { scheduler, context } = virtual();
    const errors: unknown[] = [];
    retryOnConflict(() => object(1), write, { context }).subscribe({
      error: (error: unknown) => errors.push(error),
    });
    scheduler.flush();
    expect(errors).toEqual([patchFailed]);
    expect(written).toEqual(['1', '1']);
  });

  it('goes on after conflicts on one version, which whoever reads may not have got past yet', () => {
    const { write } = server(2);
    const { scheduler, context } = virtual();
    const { log } = recorded(retryOnConflict(() => object(1), write, { context }));
    scheduler.flush();
    expect(log).toEqual(['done 3', 'complete']);
  });

  it('goes on after failed patches of what has no version, as nobody knows what they failed on', () => {
    const { write } = server(2, patchFailed);
    const { scheduler, context } = virtual();
    const { log } = recorded(retryOnConflict(() => ({ metadata: { name: 'a' } }), write, { context }));
    scheduler.flush();
    expect(log).toEqual(['done 3', 'complete']);
  });

  it.each([
    ['in no namespace', { name: 'a', resourceVersion: '1' }, { key: 'a', version: '1' }],
    ['without a name', { resourceVersion: '1' }, { key: undefined, version: '1' }],
    ['without metadata', undefined, { key: undefined, version: undefined }],
  ])('names what it can of an object %s', (_, metadata, facts) => {
    const { write } = server(Infinity);
    const errors: unknown[] = [];
    const error = (thrown: unknown) => errors.push(thrown);
    retryOnConflict(() => ({ metadata }) as KubernetesObject, write, { tries: 1 }).subscribe({ error });
    expect(errors).toEqual([failure({ code: 'CONFLICT', ...facts })]);
  });

  it('takes plain results and promises, and what throws', async () => {
    let writes = 0;
    const written = new Promise((resolve, reject) => {
      retryOnConflict(
        () => Promise.resolve(object(writes)),
        () => {
          writes += 1;
          // eslint-disable-next-line @typescript-eslint/only-throw-error -- as a Status is
          if (writes === 1) throw conflict;
          return 'plain';
        },
        { delay: 0 },
      ).subscribe({ next: resolve, error: reject });
    });
    expect(await written).toBe('plain');
  });

  it('needs an object from the reading, and takes its first', () => {
    const { log } = recorded(retryOnConflict(() => EMPTY, String));
    expect(log).toEqual(['error read failed: it completed without an object']);
    const first = recorded(retryOnConflict(() => concat(of(1), NEVER), String));
    expect(first.log).toEqual(['1', 'complete']);
  });

  it('begins anew with each subscription', () => {
    const { read, write, told } = server(0);
    const written$ = retryOnConflict(read, write);
    expect(told).toEqual([]);
    recorded(written$);
    recorded(written$);
    expect(told).toEqual([undefined, undefined]);
  });

  it('leaves nothing behind, in whatever it is left', () => {
    testScheduler().run(({ cold, expectObservable, expectSubscriptions, time }) => {
      const context = createContext({ random: () => 0 });
      const write$ = cold('   --#', {}, conflict);
      const read$ = cold('            -a', { a: object(1) });
      const written$ = retryOnConflict(
        () => read$,
        () => write$,
        { delay: time('             --|'), context },
      );
      expectObservable(written$, '    ------------!').toBe('');
      expectSubscriptions(read$.subscriptions).toBe(['^!', '-----^!', '----------^!']);
      expectSubscriptions(write$.subscriptions).toBe(['-^-!', '------^-!', '-----------^!']);
    });
    const { read, write, told } = server(Infinity);
    const { scheduler, context } = virtual();
    const { subscription } = recorded(retryOnConflict(read, write, { context }));
    subscription.unsubscribe();
    scheduler.flush();
    expect(scheduler.now()).toBe(0);
    expect(told).toHaveLength(1);
  });

  it.each([
    ['read', [5, String, {}]],
    ['write', [String, undefined, {}]],
    ['options', [String, String, 5]],
    ['tries', [String, String, { tries: 0 }]],
    ['tries', [String, String, { tries: Number.NaN }]],
    ['delay', [String, String, { delay: -1 }]],
    ['factor', [String, String, { factor: 0.5 }]],
    ['jitter', [String, String, { jitter: -1 }]],
  ])('refuses a bad %s', (option, args) => {
    const call = () => retryOnConflict(...(args as unknown as Parameters<typeof retryOnConflict>));
    expect(call).toThrow(failure({ code: 'INVALID_OPTION', option }));
  });
});
