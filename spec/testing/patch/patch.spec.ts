import { applyPatch } from '../../../src/testing/patch/patch.ts';
import { StatusError } from '../../../src/testing/status.ts';

const configMap = { group: '', version: 'v1', kind: 'ConfigMap' };
const widget = { group: 'example.com', version: 'v1', kind: 'Widget', custom: true };

const statusOf = (patch: () => unknown) => {
  try {
    patch();
  } catch (error) {
    if (error instanceof StatusError) return error.body;
    throw error;
  }
  throw new Error('it was applied');
};

describe('applyPatch', () => {
  it.each([
    ['application/merge-patch+json', { data: { a: '2' } }],
    ['application/merge-patch+json; charset=utf-8', { data: { a: '2' } }],
    ['application/json-patch+json', [{ op: 'replace', path: '/data/a', value: '2' }]],
    ['application/strategic-merge-patch+json', { data: { a: '2' } }],
  ])('applies %s', (type, patch) => {
    expect(applyPatch(type, { data: { a: '1', b: '1' } }, patch, configMap)).toEqual({
      data: { a: '2', b: '1' },
    });
  });

  it.each([
    ['application/json', configMap],
    ['application/apply-patch+yaml', configMap],
    ['', configMap],
    ['application/strategic-merge-patch+json', widget],
  ])('answers 415 to %j for %j', (type, kind) => {
    expect(statusOf(() => applyPatch(type, {}, {}, kind))).toMatchObject({
      code: 415,
      reason: 'UnsupportedMediaType',
    });
  });

  it('answers 422 to an operation that fails, without details', () => {
    const patch = [{ op: 'test', path: '/data/a', value: '2' }];
    expect(statusOf(() => applyPatch('application/json-patch+json', {}, patch, configMap))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    });
  });

  it.each([
    ['application/merge-patch+json', 'text', 400],
    ['application/merge-patch+json', null, 400],
    ['application/merge-patch+json', [], 400],
    ['application/json-patch+json', {}, 400],
    ['application/json-patch+json', [{ op: 'replace', path: '', value: [] }], 422],
    ['application/strategic-merge-patch+json', [], 400],
  ])('refuses %s with %j', (type, patch, code) => {
    expect(statusOf(() => applyPatch(type, {}, patch, configMap)).code).toBe(code);
  });
});
