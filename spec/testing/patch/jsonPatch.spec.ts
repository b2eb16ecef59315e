import type { JsonValue } from '../../../src/testing/json.ts';
import { jsonPatch } from '../../../src/testing/patch/jsonPatch.ts';

type Example = [patch: JsonValue, before: JsonValue, after: JsonValue];

describe('jsonPatch', () => {
  it.each<Example>([
    [{ op: 'add', path: '/b', value: 2 }, { a: 1 }, { a: 1, b: 2 }],
    [{ op: 'add', path: '/a', value: 2 }, { a: 1 }, { a: 2 }],
    [{ op: 'add', path: '/a/1', value: 9 }, { a: [1, 2] }, { a: [1, 9, 2] }],
    [{ op: 'add', path: '/a/2', value: 9 }, { a: [1, 2] }, { a: [1, 2, 9] }],
    [{ op: 'add', path: '/a/-', value: 9 }, { a: [1, 2] }, { a: [1, 2, 9] }],
    [{ op: 'add', path: '/a/-1', value: 9 }, { a: [1, 2] }, { a: [1, 2, 9] }],
    [{ op: 'remove', path: '/a/0' }, { a: [1, 2] }, { a: [2] }],
    [{ op: 'remove', path: '/a/-1' }, { a: [1, 2] }, { a: [1] }],
    [{ op: 'remove', path: '/a' }, { a: null, b: 1 }, { b: 1 }],
    [{ op: 'replace', path: '/a', value: { b: 1 } }, { a: 1 }, { a: { b: 1 } }],
    [{ op: 'replace', path: '/a/1', value: 9 }, { a: [1, 2] }, { a: [1, 9] }],
    [{ op: 'replace', path: '', value: { b: 1 } }, { a: 1 }, { b: 1 }],
    [{ op: 'move', path: '/b', from: '/a' }, { a: { c: 1 } }, { b: { c: 1 } }],
    [{ op: 'move', path: '/a/0', from: '/a/2' }, { a: [1, 2, 3] }, { a: [3, 1, 2] }],
    [{ op: 'move', path: '/a/0/x', from: '/a/0' }, { a: [1, {}] }, { a: [{ x: 1 }] }],
    [{ op: 'copy', path: '/b', from: '/a' }, { a: { c: 1 } }, { a: { c: 1 }, b: { c: 1 } }],
    [{ op: 'test', path: '/a', value: { c: [1], b: 2 } }, { a: { b: 2, c: [1] } }, { a: { b: 2, c: [1] } }],
    [{ op: 'test', path: '/b', value: null }, { a: 1 }, { a: 1 }],
    [{ op: 'test', path: '', value: { a: 1 } }, { a: 1 }, { a: 1 }],
    [{ op: 'add', path: '/a~1b~01', value: 1 }, {}, { 'a/b~1': 1 }],
    [{ op: 'add', path: '/', value: 1 }, {}, { '': 1 }],
  ])('%j makes %j into %j', (operation, before, after) => {
    expect(jsonPatch(before, [operation])).toEqual(after);
  });

  it('creates a field with replace, as kube-apiserver does', () => {
    expect(jsonPatch({}, [{ op: 'replace', path: '/a', value: 1 }])).toEqual({ a: 1 });
  });

  it.each<[JsonValue]>([
    [{ op: 'add', path: '/missing/b', value: 1 }],
    [{ op: 'add', path: '/list/4', value: 1 }],
    [{ op: 'add', path: '/list/-4', value: 1 }],
    [{ op: 'add', path: '/list/x', value: 1 }],
    [{ op: 'add', path: 'list', value: 1 }],
    [{ op: 'add', path: '', value: {} }],
    [{ op: 'add', value: {} }],
    [{ op: 'remove', path: '/missing' }],
    [{ op: 'remove', path: '/list/2' }],
    [{ op: 'replace', path: '/list/2', value: 1 }],
    [{ op: 'replace', path: '', value: 1 }],
    [{ op: 'move', path: '/b', from: '/missing' }],
    [{ op: 'move', path: '/a/b', from: '/a' }],
    [{ op: 'copy', path: '/b', from: '/a/b/c' }],
    [{ op: 'test', path: '/a', value: 2 }],
    [{ op: 'test', path: '/list', value: [1] }],
    [{ op: 'test', path: '', value: {} }],
    [{ op: 'increment', path: '/a' }],
    ['add'],
  ])('refuses %j', (operation) => {
    expect(() => jsonPatch({ a: 1, list: [1, 2] }, [operation])).toThrow();
  });

  it('does all of a patch or nothing', () => {
    const before = { a: { b: 1 } };
    const patch = [
      { op: 'remove', path: '/a/b' },
      { op: 'test', path: '/a', value: 1 },
    ];
    expect(() => jsonPatch(before, patch)).toThrow();
    expect(before).toEqual({ a: { b: 1 } });
  });

  it('copies a value, so that both can differ afterwards', () => {
    const patch = [
      { op: 'copy', path: '/b', from: '/a' },
      { op: 'add', path: '/b/c', value: 1 },
    ];
    expect(jsonPatch({ a: {} }, patch)).toEqual({ a: {}, b: { c: 1 } });
  });
});
