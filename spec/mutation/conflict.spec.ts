import { ApiException } from '@kubernetes/client-node';
import { ApiError, ConflictError } from '../../src/errors.ts';
import { apiErrorOf } from '../../src/kubernetes/status.ts';
import { conflictOf, isConflict } from '../../src/mutation/conflict.ts';

const status = (code: number, reason: string, message: string, details?: object) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason,
  code,
  ...(details && { details }),
});
// As kube-apiserver says them.
const modified = status(
  409,
  'Conflict',
  'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  { name: 'a', kind: 'configmaps' },
);
const patchFailed = status(
  422,
  'Invalid',
  'the server rejected our request due to an error in our request',
  {},
);
const invalid = status(422, 'Invalid', 'Pod "a" is invalid: spec: Required value', {
  name: 'a',
  kind: 'Pod',
  causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'spec' }],
});
const exists = status(409, 'AlreadyExists', 'configmaps "a" already exists', {
  name: 'a',
  kind: 'configmaps',
});
const expired = status(410, 'Expired', 'too old resource version: 1 (2)');

const request = { verb: 'get', path: '/api/v1/namespaces/default/configmaps/a' } as const;
const exception = (code: number, body: unknown) =>
  new ApiException(code, 'Unknown API Status Code!', body, {});
const forms: readonly [string, (body: { code: number }) => unknown][] = [
  ['a Status', (body) => body],
  ['an exception of client-node with its text', (body) => exception(body.code, JSON.stringify(body))],
  ['an exception of client-node with its object', (body) => exception(body.code, body)],
  [
    'an ApiError',
    (body) => apiErrorOf(request, { httpStatus: body.code, headers: {}, bodyText: JSON.stringify(body) }),
  ],
];

describe.each(forms)('conflictOf %s', (_, form) => {
  it.each([
    ['of another version', modified, 409],
    ['of a JSON Patch whose test failed', patchFailed, 422],
  ])('knows a conflict %s', (__, body, code) => {
    const error = form(body);
    expect(isConflict(error)).toBe(true);
    const conflict = conflictOf(error, { key: 'default/a', version: '7' });
    expect(conflict).toMatchObject({
      code: 'CONFLICT',
      status: code,
      key: 'default/a',
      version: '7',
      tries: 1,
    });
    expect(conflict?.cause).toBe(error);
    expect(conflict?.message).toContain(body.message.slice(0, 40));
  });

  it.each([
    ['an object that is invalid', invalid],
    ['a name that is taken', exists],
    ['an expired version', expired],
  ])('takes for none %s', (__, body) => {
    expect(isConflict(form(body))).toBe(false);
  });
});

describe('conflictOf', () => {
  it('knows an exception without a Status by its code', () => {
    expect(isConflict(exception(409, '<html>Conflict</html>'))).toBe(true);
    expect(isConflict(exception(409, undefined))).toBe(true);
    expect(isConflict(exception(422, ''))).toBe(false);
    expect(isConflict(exception(500, ''))).toBe(false);
  });

  it('has verb and path where the error has them', () => {
    const conflict = conflictOf(new ApiError(request, { status: 409, reason: 'Conflict' }));
    expect(conflict).toMatchObject(request);
    expect(conflict?.message).toContain('get /api/v1/namespaces/default/configmaps/a: 409 Conflict');
  });

  it('takes a ConflictError as it is, also one of another copy of the package', () => {
    const conflict = new ConflictError({ status: 409, key: 'default/a' });
    expect(conflictOf(conflict)).toBe(conflict);
    const copied = { code: 'CONFLICT', tries: 2 };
    expect(conflictOf(copied)).toBe(copied);
  });

  it.each([
    [undefined],
    [null],
    ['409'],
    [409],
    [new Error('409')],
    [{ code: 'ECONNRESET' }],
    [{ kind: 'Status' }],
  ])('takes %p for none', (error) => {
    expect(conflictOf(error)).toBeUndefined();
  });
});
