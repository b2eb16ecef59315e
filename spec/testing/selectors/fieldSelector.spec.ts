import type { JsonObject } from '../../../src/testing/json.ts';
import { builtinKinds, type ServedKind } from '../../../src/testing/kinds.ts';
import { matchesFields, parseFieldSelector } from '../../../src/testing/selectors/fieldSelector.ts';
import { refusal } from '../refusal.ts';

const builtin = (name: string): ServedKind => {
  const found = builtinKinds.find(({ kind, group }) => kind === name && (group === '' || group === 'apps'));
  if (found === undefined) throw new Error(name);
  return found;
};

const widget: ServedKind = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  namespaced: true,
  custom: true,
};

describe('field selectors', () => {
  it.each<[string, JsonObject, boolean]>([
    ['metadata.name=a', { metadata: { name: 'a' } }, true],
    ['metadata.name==b', { metadata: { name: 'a' } }, false],
    ['metadata.name!=b,metadata.namespace=x', { metadata: { name: 'a', namespace: 'x' } }, true],
    ['spec.nodeName=', { spec: {} }, true],
    ['spec.host=n', { spec: { nodeName: 'n' } }, true],
    ['spec.hostNetwork=false', {}, true],
    ['metadata.name=a\\,b', { metadata: { name: 'a,b' } }, true],
    [',status.phase=Running,', { status: { phase: 'Running' } }, true],
  ])('%j on %j: %s', (selector, pod, expected) => {
    expect(matchesFields(pod, parseFieldSelector(selector, builtin('Pod')))).toBe(expected);
  });

  // As a real server words them.
  it.each([
    [builtin('ConfigMap'), 'foo', "invalid selector: 'foo'; can't understand 'foo'"],
    [
      builtin('ConfigMap'),
      'foo=a',
      '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [builtin('ConfigMap'), 'metadata.name=a=b', 'invalid field selector: unescaped character in value: 61'],
    [builtin('ConfigMap'), 'metadata.name=\\q', 'invalid field selector: invalid escape sequence: \\q'],
    [builtin('Pod'), 'spec.foo=a', 'field label not supported: spec.foo'],
    [builtin('Namespace'), 'metadata.namespace=a', 'field label not supported: metadata.namespace'],
    [widget, 'spec.a=1', 'field label not supported: spec.a'],
  ])('refuses for %o: %j', (kind, selector, message) => {
    expect(refusal(() => parseFieldSelector(selector, kind))).toMatchObject({ code: 400, message });
  });
});
