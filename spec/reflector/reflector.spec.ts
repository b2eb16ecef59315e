import fc from 'fast-check';
import {
  ApiError,
  ConnectionError,
  CredentialsError,
  DecodeError,
  type InformerError,
  InvalidOptionError,
  type RequestFacts,
  ShortWatchError,
  SleptError,
  StalledError,
} from '../../src/errors.ts';
import { terminalOf } from '../../src/reflector/failures.ts';
import { checkReflectorOptions, type ReflectorOptions } from '../../src/reflector/options.ts';
import type { Plan, Verdict } from '../../src/reflector/plan.ts';
import { Reflector } from '../../src/reflector/reflector.ts';

const listing: RequestFacts = { verb: 'list', path: '/api/v1/pods' };
const watching: RequestFacts = { verb: 'watch', path: '/api/v1/pods' };

const status = (code: number, reason = '', causes: string[] = []) =>
  new ApiError(watching, { status: code, reason, causes });
const expired = status(410, 'Expired');
const tooLarge = status(504, 'Timeout', ['ResourceVersionTooLarge']);
const refused = new ConnectionError(watching, 'ECONNREFUSED');
const cut = new ConnectionError(watching, 'CUT');
const slept = new SleptError(watching, 60_000);
const unreadable = new DecodeError('it is not JSON', 0);

const create = (options: ReflectorOptions = {}, random = () => 0) => new Reflector(options, random);
const paging = (options: ReflectorOptions = {}) => create({ streamingList: false, ...options });

/** Reads a whole set in one page. */
const listAt = (reflector: Reflector, version: string | undefined) => {
  reflector.next();
  return reflector.listed(reflector.page(version, undefined));
};
/** One that watches from here. */
const watchingAt = (version: string, options: ReflectorOptions = {}) => {
  const reflector = paging(options);
  listAt(reflector, version);
  expect(reflector.next()).toMatchObject({ type: 'watch', version });
  return reflector;
};
/** Two pages in, at the second. */
const onPageTwo = (reflector: Reflector) => {
  reflector.next();
  reflector.page('100', 'two');
  expect(reflector.next()).toMatchObject({ type: 'page', first: false, query: { continue: 'two' } });
};
const queryOf = (plan: Plan) => ('query' in plan ? plan.query : {});

describe('the streaming list', () => {
  it('is asked for first, with no version, and goes on as the watch from its mark', () => {
    const reflector = create();
    expect(reflector.next()).toEqual({
      type: 'stream',
      reason: 'first',
      timeout: 300,
      query: {
        watch: 'true',
        allowWatchBookmarks: 'true',
        timeoutSeconds: '300',
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
      },
    });
    expect(reflector.listed('100')).toBe('now');
    reflector.saw('105');
    expect(reflector.ended(true, false)).toBe('now');
    expect(reflector.next()).toMatchObject({ type: 'watch', version: '105' });
  });

  it('of a relist asks for nothing older than what is held', () => {
    const reflector = create();
    reflector.next();
    reflector.listed('100');
    reflector.relist('expired');
    expect(reflector.next()).toMatchObject({ type: 'stream', query: { resourceVersion: '100' } });
  });

  it.each([400, 405, 406, 415, 422, 501])('refused with %d is a paged list at once, for ever', (code) => {
    const reflector = create();
    reflector.next();
    expect(reflector.failed(status(code))).toBe('fallback');
    expect(reflector.next()).toMatchObject({ type: 'page', query: { resourceVersion: '0' } });
    reflector.listed('100');
    reflector.relist('expired');
    expect(reflector.next().type).toBe('page');
  });

  it('without the end mark in time is a paged list, for ever', () => {
    const reflector = create();
    reflector.next();
    reflector.unmarked();
    expect(reflector.next().type).toBe('page');
    reflector.listed('100');
    reflector.relist('expired');
    expect(reflector.next().type).toBe('page');
  });

  it('that ends before its mark is a paged list this time; the second time in a row, for ever', () => {
    const reflector = create();
    for (const expected of ['stream', 'page']) {
      expect(reflector.next().type).toBe('stream');
      expect(reflector.ended(false, true)).toBe('now');
      expect(listAt(reflector, '100')).toBe('now');
      reflector.relist('expired');
      expect(reflector.next().type).toBe(expected);
    }
  });

  it.each([
    ['a server error', status(500), 'later'],
    ['silence', new StalledError(watching, 10_000), 'later'],
    ['a cut line', cut, 'later'],
    ['an event that cannot be read', unreadable, 'later'],
    ['a role that allows only lists', status(403), 'now'],
  ] as const)('that fails for %s is a paged list this time', (_, error, verdict) => {
    const reflector = create();
    reflector.next();
    expect(reflector.failed(error)).toBe(verdict);
    expect(reflector.next().type).toBe('page');
    reflector.listed('100');
    reflector.relist('expired');
    expect(reflector.next().type).toBe('stream');
  });

  it.each([
    ['too busy', status(429)],
    ['away', refused],
  ])('is asked for again of a server that is %s', (_, error) => {
    const reflector = create();
    reflector.next();
    expect(reflector.failed(error)).toBe('later');
    expect(reflector.next().type).toBe('stream');
  });

  it('refused for its version comes once more with none, then as a paged list', () => {
    const reflector = create();
    reflector.next();
    reflector.listed('100');
    reflector.relist('expired');
    reflector.next();
    expect(reflector.failed(tooLarge)).toBe('now');
    const again = reflector.next();
    expect(again.type).toBe('stream');
    expect(queryOf(again)).not.toHaveProperty('resourceVersion');
    expect(reflector.failed(tooLarge)).toBe('later');
    expect(reflector.next()).toMatchObject({ type: 'page', query: { limit: '500' } });
  });
});

describe('a paged list', () => {
  it.each([
    [undefined, '500'],
    [50, '50'],
  ])('comes first at version 0, with pageSize %p', (pageSize, limit) => {
    expect(paging({ pageSize }).next()).toEqual({
      type: 'page',
      first: true,
      reason: 'first',
      query: { limit, resourceVersion: '0' },
    });
  });

  it('follows its token, without a version, to the watch', () => {
    const reflector = paging();
    onPageTwo(reflector);
    reflector.page('100', 'three');
    expect(reflector.next()).toMatchObject({ first: false, query: { limit: '500', continue: 'three' } });
    expect(reflector.listed(reflector.page('100', undefined))).toBe('now');
    expect(reflector.next()).toMatchObject({ type: 'watch', version: '100' });
  });

  it('has the version of its first page, so that a watch from there misses nothing', () => {
    const reflector = paging();
    onPageTwo(reflector);
    expect(reflector.page('120', undefined)).toBe('100');
  });

  it('of a relist asks for nothing older than what is held, never at 0', () => {
    const reflector = watchingAt('100');
    reflector.relist('expired');
    expect(reflector.next()).toEqual({
      type: 'page',
      first: true,
      reason: 'expired',
      query: { limit: '500', resourceVersion: '100', resourceVersionMatch: 'NotOlderThan' },
    });
  });

  it.each([
    ['expired', expired],
    ['too large', tooLarge],
    ['not valid', status(400)],
  ])('refused since its version is %s comes once more at once with none', (_, error) => {
    const reflector = watchingAt('100');
    reflector.relist('watch keeps failing');
    reflector.next();
    expect(reflector.failed(error)).toBe('now');
    expect(queryOf(reflector.next())).toEqual({ limit: '500' });
  });

  it.each([
    ['expired', expired, 'later'],
    ['too large', tooLarge, 'later'],
    ['not valid', status(400), 'never'],
    ['not valid', status(422), 'never'],
  ] as const)('refused as %s with no version either waits, or ends it', (_, error, verdict) => {
    const reflector = paging();
    reflector.next();
    reflector.failed(error);
    reflector.next();
    expect(reflector.failed(error)).toBe(verdict);
  });

  it('has a version again after one without', () => {
    const reflector = watchingAt('200');
    reflector.relist('expired');
    reflector.next();
    reflector.failed(tooLarge);
    listAt(reflector, '150');
    expect(reflector.next()).toMatchObject({ type: 'watch', version: '150' });
    reflector.relist('expired');
    expect(queryOf(reflector.next())).toMatchObject({ resourceVersion: '150' });
  });

  it.each([
    ['expired', expired],
    ['refused', status(400)],
  ])(
    'whose token is %s starts from page one; the second time without a limit, then after a wait',
    (_, error) => {
      const reflector = paging();
      onPageTwo(reflector);
      expect(reflector.failed(error)).toBe('now');
      onPageTwo(reflector);
      expect(reflector.failed(error)).toBe('now');
      const whole = reflector.next();
      expect(whole).toMatchObject({ first: true });
      expect(queryOf(whole)).not.toHaveProperty('limit');
      reflector.page('100', 'two');
      reflector.next();
      expect(reflector.failed(error)).toBe('later');
    },
  );

  it.each([status(500), cut, slept, unreadable])(
    'broken at a later page (%p) starts from page one',
    (error) => {
      const reflector = paging();
      onPageTwo(reflector);
      reflector.failed(error);
      expect(reflector.next()).toMatchObject({ type: 'page', first: true, query: { limit: '500' } });
    },
  );

  it('keeps its place while credentials are renewed', () => {
    const reflector = paging();
    onPageTwo(reflector);
    expect(reflector.failed(status(401))).toBe('renew');
    expect(reflector.next()).toMatchObject({ query: { continue: 'two' } });
  });

  it.each([403, 404, 429, 500, 503])('that fails with %d is asked for again after a wait', (code) => {
    const reflector = paging();
    const plan = reflector.next();
    expect(reflector.failed(status(code))).toBe('later');
    expect(reflector.next()).toEqual(plan);
  });

  it.each([status(429), status(503), refused])(
    'keeps its place while the server is busy or away',
    (error) => {
      const reflector = paging();
      onPageTwo(reflector);
      expect(reflector.failed(error)).toBe('later');
      expect(reflector.next()).toMatchObject({ type: 'page', query: { continue: 'two' } });
    },
  );

  it.each([status(500), status(504, 'Timeout'), new StalledError(listing, 65_000)])(
    'that fails three times in a row, in a way that may be about its version, has none until it is complete',
    (error) => {
      const reflector = watchingAt('100');
      reflector.relist('poll');
      for (const version of ['100', '100', '100', undefined]) {
        expect(queryOf(reflector.next())['resourceVersion']).toBe(version);
        expect(reflector.failed(error)).toBe('later');
      }
      listAt(reflector, '50');
      reflector.relist('poll');
      expect(queryOf(reflector.next())['resourceVersion']).toBe('50');
    },
  );

  it('that the server does not do at all ends it, and no polling is offered', () => {
    const reflector = paging({ poll: 1_000 });
    reflector.next();
    const error = status(405);
    expect(reflector.failed(error)).toBe('never');
    expect(terminalOf(listing, error).code).toBe('BAD_REQUEST');
  });

  it('after an event that could not be read, with the same in it, gives way to the watch', () => {
    const reflector = watchingAt('100');
    reflector.relist('unreadable event');
    reflector.next();
    expect(reflector.failed(unreadable)).toBe('later');
    expect(reflector.next()).toMatchObject({ type: 'watch', version: '100' });
  });

  it('for any other reason goes on until it can be read', () => {
    const reflector = watchingAt('100');
    reflector.relist('expired');
    reflector.next();
    expect(reflector.failed(unreadable)).toBe('later');
    expect(reflector.next().type).toBe('page');
  });
});

describe('a watch', () => {
  it.each([
    [undefined, 0, 300],
    [undefined, 0.999, 599],
    [10, 0.5, 15],
  ])('with watchTimeout %p ends by itself, at random in [it, 2 × it)', (watchTimeout, random, timeout) => {
    const reflector = create({ streamingList: false, watchTimeout }, () => random);
    listAt(reflector, '100');
    expect(reflector.next()).toEqual({
      type: 'watch',
      timeout,
      version: '100',
      query: {
        watch: 'true',
        allowWatchBookmarks: 'true',
        timeoutSeconds: String(timeout),
        resourceVersion: '100',
      },
    });
  });

  it.each([
    ['the last event or bookmark', '105', '105'],
    ['the list, if nothing came', undefined, '100'],
    ['the last with a version', '', '100'],
  ])('starts at the version of %s', (_, seen, version) => {
    const reflector = watchingAt('100');
    reflector.saw(seen);
    expect(reflector.version).toBe(version);
    expect(reflector.ended(true, false)).toBe('now');
    expect(reflector.next()).toMatchObject({ type: 'watch', version });
  });

  it.each([
    ['newer events that came before an older one', ['105', '103', '99'], '105'],
    ['a longer version, which is newer', ['105', '1000', '999'], '1000'],
    ['the last one, of versions that have no order', ['b', 'a'], 'a'],
  ])('starts at the version of %s', (_, seen, version) => {
    const reflector = watchingAt('100');
    for (const one of seen) reflector.saw(one);
    expect(reflector.version).toBe(version);
  });

  it('that ended within a second is a failure', () => {
    expect(watchingAt('100').ended(false, true)).toBe('later');
  });

  it.each([
    ['a server error', status(500)],
    ['a reset', new ConnectionError(watching, 'ECONNRESET')],
    ['a cut line', cut],
    ['silence', new StalledError(watching, 305_000)],
    ['an end within a second', new ShortWatchError(watching)],
  ])('that failed for %s is asked for after a wait, and relists after three in a row', (_, error) => {
    const reflector = watchingAt('100');
    for (let n = 1; n < 3; n++) {
      expect(reflector.failed(error)).toBe('later');
      expect(reflector.next()).toMatchObject({ type: 'watch', version: '100' });
    }
    expect(reflector.failed(error)).toBe('later');
    expect(reflector.next()).toMatchObject({ type: 'page', reason: 'watch keeps failing' });
  });

  it('that is healthy in between starts the count anew', () => {
    const reflector = watchingAt('100');
    for (let n = 1; n <= 10; n++) {
      reflector.failed(cut);
      reflector.next();
      if (n % 2 === 0) reflector.healthy();
      expect(reflector.listing).toBe(false);
    }
  });

  it.each([
    ['too busy', status(429)],
    ['away', refused],
    ['not found by its name', new ConnectionError(watching, 'ENOTFOUND')],
    ['out of reach', new ConnectionError(watching, 'ENETUNREACH')],
    ['without our role', status(403)],
    ['without our credentials', status(401)],
  ])('of a server that is %s never relists, since nothing is wrong with the version', (_, error) => {
    const reflector = watchingAt('100');
    for (let n = 1; n <= 10; n++) {
      reflector.failed(error);
      expect(reflector.next()).toMatchObject({ type: 'watch', version: '100' });
    }
  });

  it('of a kind that is gone is a list, once it is back', () => {
    const reflector = watchingAt('100');
    expect(reflector.failed(status(404))).toBe('later');
    expect(reflector.next()).toMatchObject({ type: 'page', reason: 'kind was gone' });
  });

  it('whose version is expired relists at once; right after that list, once more with no version, after a wait', () => {
    const reflector = watchingAt('100');
    expect(reflector.failed(expired)).toBe('now');
    expect(reflector.next()).toMatchObject({ reason: 'expired', query: { resourceVersion: '100' } });
    reflector.listed('120');
    reflector.next();
    expect(reflector.failed(expired)).toBe('later');
    expect(queryOf(reflector.next())).toEqual({ limit: '500' });
  });

  it('that is refused as a bad request is a list with no version at once; again, it ends', () => {
    const reflector = watchingAt('100');
    expect(reflector.failed(status(400))).toBe('now');
    expect(queryOf(reflector.next())).toEqual({ limit: '500' });
    reflector.listed('120');
    reflector.next();
    const error = status(400);
    expect(reflector.failed(error)).toBe('never');
    expect(terminalOf(watching, error).code).toBe('BAD_REQUEST');
  });

  it('is opened again at once after the machine slept', () => {
    const reflector = watchingAt('100');
    reflector.saw('105');
    expect(reflector.failed(slept)).toBe('now');
    expect(reflector.next()).toMatchObject({ type: 'watch', version: '105' });
  });
});

describe('credentials', () => {
  it('that are refused are renewed and tried at once, once; then after a wait', () => {
    const reflector = watchingAt('100');
    const verdicts = Array.from({ length: 4 }, () => {
      const verdict = reflector.failed(status(401));
      reflector.next();
      return verdict;
    });
    expect(verdicts).toEqual(['renew', 'later', 'renew', 'later']);
  });

  it.each<[string, (reflector: Reflector) => void]>([
    ['a healthy watch', (reflector) => reflector.healthy()],
    ['a complete list', (reflector) => reflector.listed('100')],
    ['a page', (reflector) => reflector.page('100', 'two')],
  ])('are renewed at once again after %s', (_, progress) => {
    const reflector = paging();
    reflector.next();
    expect(reflector.failed(status(401))).toBe('renew');
    reflector.next();
    progress(reflector);
    expect(reflector.failed(status(401))).toBe('renew');
  });
});

describe('discovery', () => {
  it.each([400, 404, 405, 410, 422, 500])(
    'that fails with %d is done again, whatever the next request is',
    (code) => {
      const reflector = create();
      expect(reflector.failed(status(code))).toBe('later');
      expect(reflector.next().type).toBe('stream');
    },
  );

  it('renews credentials', () => {
    expect(create().failed(status(401))).toBe('renew');
  });
});

describe('a watch without one byte', () => {
  const silentAt = (version: string) => {
    const reflector = watchingAt(version);
    expect(reflector.ended(true, true)).toBe('now');
    expect(reflector.next()).toEqual({ type: 'probe', query: { limit: '1' } });
    return reflector;
  };

  it.each(['100', '101', undefined, 'opaque'])('goes on if the server is at %p', (version) => {
    const reflector = silentAt('100');
    reflector.probed(version);
    expect(reflector.next()).toMatchObject({ type: 'watch', version: '100' });
  });

  it('relists with no version if the server is behind', () => {
    const reflector = silentAt('100');
    reflector.probed('99');
    const plan = reflector.next();
    expect(plan).toMatchObject({ type: 'page', reason: 'server went back' });
    expect(queryOf(plan)).toEqual({ limit: '500' });
    reflector.listed('99');
    expect(reflector.next()).toMatchObject({ type: 'watch', version: '99' });
  });

  it.each([status(410), status(400), status(405), cut])('watches on if the question fails (%p)', (error) => {
    const reflector = silentAt('100');
    expect(reflector.failed(error)).toBe('later');
    expect(reflector.next()).toMatchObject({ type: 'watch', version: '100' });
  });
});

describe('a kind that cannot be watched', () => {
  it('is an error where its lists have no version', () => {
    const reflector = paging();
    expect(listAt(reflector, undefined)).toBe('never');
    expect(terminalOf(listing, undefined).code).toBe('WATCH_NOT_SUPPORTED');
  });

  it('is an error where the watch is answered with 405', () => {
    const reflector = watchingAt('100');
    const error = status(405);
    expect(reflector.failed(error)).toBe('never');
    expect(terminalOf(watching, error).code).toBe('WATCH_NOT_SUPPORTED');
  });

  it('is polled, if that is asked for, with no version', () => {
    const reflector = create({ poll: 5_000 });
    reflector.next();
    reflector.failed(status(422));
    for (let n = 1; n <= 3; n++) {
      expect(listAt(reflector, undefined)).toBe('now');
      expect(reflector.next()).toEqual({ type: 'poll', delay: 5_000 });
    }
    expect(reflector.next()).toEqual({ type: 'page', first: true, reason: 'poll', query: { limit: '500' } });
  });

  it('is polled after a 405 too, and not asked for a watch again', () => {
    const reflector = watchingAt('100', { poll: 5_000 });
    expect(reflector.failed(status(405))).toBe('now');
    for (const version of ['101', '102']) {
      expect(reflector.next()).toEqual({ type: 'poll', delay: 5_000 });
      listAt(reflector, version);
    }
    expect(reflector.next().type).toBe('poll');
  });

  it('is asked for again after a wait when a poll fails', () => {
    const reflector = paging({ poll: 5_000 });
    listAt(reflector, undefined);
    reflector.next();
    reflector.next();
    expect(reflector.failed(status(500))).toBe('later');
    expect(reflector.next().type).toBe('page');
  });
});

describe('failures', () => {
  it('are counted until a watch is healthy', () => {
    const reflector = watchingAt('100');
    reflector.failed(cut);
    reflector.failed(refused);
    expect(reflector.failures).toBe(2);
    reflector.healthy();
    expect(reflector.failures).toBe(0);
  });

  it('that are terminal end it as they are', () => {
    const reflector = create();
    const error = new InvalidOptionError('namespace', 'x', 'it has none');
    expect(reflector.failed(error)).toBe('never');
    expect(terminalOf(listing, error)).toBe(error);
  });
});

describe('options', () => {
  it.each<ReflectorOptions>([
    { pageSize: 0 },
    { pageSize: 1.5 },
    { pageSize: Number.NaN },
    { poll: 0 },
    { poll: Infinity },
    { poll: '1000' as never },
    { watchTimeout: 0 },
    { watchTimeout: Number.NaN },
    { watchTimeout: '300' as never },
    { streamingList: 'no' as never },
  ])('%p is refused by its name', (options) => {
    const [option] = Object.keys(options);
    const error = expect.objectContaining({ code: 'INVALID_OPTION', option }) as Error;
    expect(() => checkReflectorOptions(options)).toThrow(error);
  });

  it.each<ReflectorOptions>([{}, { pageSize: 1, poll: 1, watchTimeout: 1 }])('%p is fine', (options) => {
    expect(() => checkReflectorOptions(options)).not.toThrow();
  });
});

describe('whatever happens', () => {
  const errors: InformerError[] = [
    ...[400, 401, 403, 404, 405, 406, 410, 422, 429, 500, 503].map((code) => status(code)),
    expired,
    tooLarge,
    refused,
    cut,
    unreadable,
    slept,
    new StalledError(watching, 1),
    new CredentialsError(watching, 'none'),
  ];
  /** How the request that is planned turns out; what does not fit its kind is taken for a cut. */
  type Outcome =
    | { readonly type: 'failed'; readonly error: InformerError }
    | { readonly type: 'complete'; readonly more: boolean }
    | { readonly type: 'ended'; readonly lived: boolean; readonly silent: boolean };
  const outcome: fc.Arbitrary<Outcome> = fc.oneof(
    fc.record({ type: fc.constant('failed' as const), error: fc.constantFrom(...errors) }),
    fc.record({ type: fc.constant('complete' as const), more: fc.boolean() }),
    fc.record({ type: fc.constant('ended' as const), lived: fc.boolean(), silent: fc.boolean() }),
  );
  const options: fc.Arbitrary<ReflectorOptions> = fc.record(
    { streamingList: fc.boolean(), poll: fc.constant(1_000) },
    { requiredKeys: [] },
  );

  const checkVersions = (plan: Plan, held: string | undefined) => {
    const { resourceVersion, resourceVersionMatch, limit } = queryOf(plan);
    // Never a watch without a version, never anything at a version that is not held, never 0 once one is.
    const allowed = plan.type === 'watch' ? [held] : [held, held === undefined ? '0' : undefined, undefined];
    expect(allowed).toContain(resourceVersion);
    if (plan.type === 'watch') expect(resourceVersion).toBeDefined();
    // With a limit and no match it would mean Exact.
    if (resourceVersion !== undefined && resourceVersion !== '0' && limit !== undefined) {
      expect(resourceVersionMatch).toBe('NotOlderThan');
    }
  };

  /** What follows, and whether it brought anything, be it only that time went by. */
  const resultOf = (
    reflector: Reflector,
    plan: Plan,
    happens: Outcome,
    at: { version: string; token: string | undefined },
  ): { verdict: Verdict; progress: boolean } => {
    if (happens.type === 'failed') {
      // That it slept is found out every few seconds.
      return { verdict: reflector.failed(happens.error), progress: happens.error === slept };
    }
    switch (plan.type) {
      case 'page': {
        if (happens.type !== 'complete') break;
        const whole = reflector.page(at.version, at.token);
        return { verdict: at.token === undefined ? reflector.listed(whole) : 'now', progress: true };
      }
      case 'probe':
        if (happens.type !== 'complete') break;
        reflector.probed(at.version);
        return { verdict: 'now', progress: true };
      case 'stream':
      case 'watch': {
        const listed = reflector.listing && happens.type === 'complete';
        if (listed) reflector.listed(at.version);
        const { lived, silent } = happens.type === 'ended' ? happens : { lived: false, silent: false };
        const lives = lived && !reflector.listing;
        if (lives) reflector.healthy();
        if (lives && !silent) reflector.saw(at.version);
        const verdict = reflector.ended(lives, silent);
        if (verdict === 'later') reflector.failed(new ShortWatchError(watching));
        return { verdict, progress: lives || listed };
      }
    }
    return { verdict: reflector.failed(cut), progress: false };
  };

  it('it asks for what the rules allow, and never in a hot loop', () => {
    fc.assert(
      fc.property(options, fc.array(outcome, { maxLength: 60 }), (given, outcomes) => {
        const reflector = new Reflector(given, () => 0.5);
        let token: string | undefined;
        let inARow = 0;
        for (const [n, happens] of outcomes.entries()) {
          const plan = reflector.next();
          checkVersions(plan, reflector.version);
          if (plan.type === 'poll') {
            expect(given.poll).toBe(plan.delay);
            inARow = 0;
            continue;
          }
          // A token follows the page that gave it, with no version.
          const isLaterPage = plan.type === 'page' && !plan.first;
          expect(queryOf(plan).continue).toBe(isLaterPage ? token : undefined);
          if (isLaterPage) expect(queryOf(plan).resourceVersion).toBeUndefined();
          if (plan.type === 'page' && happens.type === 'complete')
            token = happens.more ? `token-${n}` : undefined;
          const at = { version: String(1_000 + n), token };
          const { verdict, progress } = resultOf(reflector, plan, happens, at);
          if (verdict === 'never') return;
          inARow = progress || verdict === 'later' ? 0 : inARow + 1;
          expect(inARow).toBeLessThan(6);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  const failing = errors.filter((error) => error !== slept).map((error) => [error.message, error] as const);
  it.each(failing)('the same failure again and again waits in between: %s', (_, error) => {
    for (const version of [undefined, '100']) {
      const reflector = create();
      if (version !== undefined) {
        reflector.next();
        reflector.listed(version);
      }
      const verdicts = Array.from({ length: 30 }, () => {
        reflector.next();
        return reflector.failed(error);
      });
      if (!verdicts.includes('never')) {
        expect(verdicts.filter((verdict) => verdict === 'later').length).toBeGreaterThan(10);
      }
    }
  });
});
