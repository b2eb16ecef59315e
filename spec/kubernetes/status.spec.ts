import fc from 'fast-check';
import {
  apiErrorOf,
  type HttpFailure,
  isExpired,
  isNotWatchable,
  isStatusBody,
  isTooLarge,
  type StatusBody,
} from '../../src/kubernetes/status.ts';

const REQUEST = { verb: 'watch', path: '/api/v1/pods' } as const;
const NOW = Date.UTC(2026, 0, 2);

const http = (httpStatus: number, body: unknown, headers: HttpFailure['headers'] = {}): HttpFailure => ({
  httpStatus,
  headers,
  bodyText: typeof body === 'string' ? body : JSON.stringify(body),
});

const errorOf = (failure: StatusBody | HttpFailure) => apiErrorOf(REQUEST, failure, NOW);

describe('isStatusBody', () => {
  it.each([
    [{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 410 }, true],
    [{ kind: 'Status', code: 401 }, true],
    [{ kind: 'Status', apiVersion: 'example.com/v1' }, false],
    [{ kind: 'Pod', apiVersion: 'v1' }, false],
    [{ code: 410 }, false],
    [null, false],
    [undefined, false],
    ['Status', false],
    [[], false],
  ])('%j: %j', (value, expected) => {
    expect(isStatusBody(value)).toBe(expected);
  });
});

describe('apiErrorOf', () => {
  const status: StatusBody = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: Too large resource version: 9000, current: 100',
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  };

  it('takes all facts from a Status', () => {
    expect(errorOf(status)).toMatchObject({
      code: 'API_STATUS',
      verb: 'watch',
      path: '/api/v1/pods',
      status: 504,
      reason: 'Timeout',
      serverMessage: 'Timeout: Too large resource version: 9000, current: 100',
      retryAfter: 1000,
      causes: ['ResourceVersionTooLarge'],
      terminal: false,
    });
  });

  it('takes them from a Status in an HTTP answer, too, whose code wins', () => {
    expect(errorOf(http(500, status))).toMatchObject({ status: 504, reason: 'Timeout', retryAfter: 1000 });
    expect(errorOf(http(503, { ...status, code: undefined }))).toMatchObject({
      status: 503,
      reason: 'Timeout',
    });
  });

  it.each([
    ['Expired', 410],
    ['Unauthorized', 401],
    ['TooManyRequests', 429],
    ['Unheard', 500],
    ['constructor', 500],
  ])('gives the reason %s without a code the code %i', (reason, code) => {
    expect(errorOf({ kind: 'Status', reason }).status).toBe(code);
  });

  it('gives no reason where there is none', () => {
    expect(errorOf(http(410, ''))).toMatchObject({ status: 410, reason: '', serverMessage: '', causes: [] });
  });

  it.each([
    ['Too many requests, please try again later.\n', 'Too many requests, please try again later.'],
    ['<html><head><title>502</title></head></html>', 'an HTML page'],
    ['', ''],
    ['{"message":"no Status"}', '{"message":"no Status"}'],
    ['{"kind":"Status","co', '{"kind":"Status","co'],
    ['null', 'null'],
    ['x'.repeat(1000), `${'x'.repeat(199)}…`],
  ])('says of the body %j %j', (bodyText, message) => {
    expect(errorOf(http(502, bodyText))).toMatchObject({ status: 502, reason: '', serverMessage: message });
  });

  it('shortens the message of a Status', () => {
    expect(errorOf({ ...status, message: 'x'.repeat(1000) }).serverMessage).toHaveLength(200);
  });

  it('takes the longer of header and detail', () => {
    const limited = { ...status, code: 429, details: { retryAfterSeconds: 3 } };
    expect(errorOf(http(429, limited, { 'retry-after': '2' })).retryAfter).toBe(3000);
    expect(errorOf(http(429, limited, { 'retry-after': '5' })).retryAfter).toBe(5000);
    expect(errorOf(http(429, '', { 'retry-after': ['4'] })).retryAfter).toBe(4000);
    expect(errorOf(http(429, '', { 'retry-after': 'Fri, 02 Jan 2026 00:00:07 GMT' })).retryAfter).toBe(7000);
    expect(errorOf(http(429, '')).retryAfter).toBeUndefined();
  });

  it('survives fields of any type', () => {
    fc.assert(
      fc.property(
        fc.record(
          {
            code: fc.jsonValue(),
            reason: fc.jsonValue(),
            message: fc.jsonValue(),
            details: fc.oneof(
              fc.jsonValue(),
              fc.record({ causes: fc.jsonValue(), retryAfterSeconds: fc.jsonValue() }),
            ),
          },
          { requiredKeys: [] },
        ),
        (fields) => {
          const error = errorOf(http(500, { kind: 'Status', ...fields }));
          expect(Number.isInteger(error.status)).toBe(true);
          expect([typeof error.reason, typeof error.serverMessage]).toEqual(['string', 'string']);
          expect(error.causes.every((cause) => typeof cause === 'string' && cause !== '')).toBe(true);
        },
      ),
    );
  });
});

describe('isExpired', () => {
  it.each<[StatusBody | HttpFailure, boolean]>([
    [http(410, ''), true],
    [{ kind: 'Status', code: 410 }, true],
    [{ kind: 'Status', code: 400, reason: 'Expired' }, true],
    [{ kind: 'Status', code: 400, reason: 'Gone' }, true],
    [{ kind: 'Status', reason: 'Expired' }, true],
    [http(404, ''), false],
    [{ kind: 'Status', code: 504, reason: 'Timeout' }, false],
  ])('%j: %j', (failure, expected) => {
    expect(isExpired(errorOf(failure))).toBe(expected);
  });
});

describe('isTooLarge', () => {
  const timeout: StatusBody = { kind: 'Status', code: 504, reason: 'Timeout' };
  it.each<[StatusBody, boolean]>([
    [{ ...timeout, details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } }, true],
    [{ ...timeout, details: { causes: [{ message: 'Too large resource version' }] } }, true],
    [{ ...timeout, message: 'Too large resource version: 2, current: 1' }, true],
    [{ kind: 'Status', code: 504, message: 'too large resource version: 2, current: 1' }, true],
    [{ kind: 'Status', reason: 'Timeout', message: 'Timeout: Too large resource version: 2' }, true],
    [{ ...timeout, message: 'the server was slow' }, false],
    [{ kind: 'Status', code: 400, message: 'Too large resource version' }, false],
    [{ kind: 'Status', code: 413, reason: 'RequestEntityTooLarge' }, false],
  ])('%j: %j', (status, expected) => {
    expect(isTooLarge(errorOf(status))).toBe(expected);
  });
});

describe('isNotWatchable', () => {
  it('is told by 405', () => {
    expect(isNotWatchable(errorOf(http(405, '')))).toBe(true);
    expect(isNotWatchable(errorOf({ kind: 'Status', reason: 'MethodNotAllowed' }))).toBe(true);
    expect(isNotWatchable(errorOf(http(404, '')))).toBe(false);
  });
});
