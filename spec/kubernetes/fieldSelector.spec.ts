import fc from 'fast-check';
import {
  type FieldRequirement,
  formatFieldSelector,
  matchesFields,
  parseFieldSelector,
} from '../../src/kubernetes/fieldSelector.ts';
import { thrownBy } from './thrown.ts';

const name = fc.constantFrom('metadata', 'name', 'spec', 'nodeName', 'constructor', 'a');
const field = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.'));
const value = fc.oneof(
  fc.string({ unit: fc.constantFrom('\\', ',', '=', '!', 'a', ' ', '\n', '𝄞') }),
  fc.string({ unit: 'grapheme' }),
);
const requirements: fc.Arbitrary<FieldRequirement[]> = fc.array(
  fc.record({ field, operator: fc.constantFrom('=', '!='), value }),
  { maxLength: 4 },
);

describe('parseFieldSelector', () => {
  it('reads what is formatted, whatever the values hold', () => {
    fc.assert(
      fc.property(requirements, (selector) => {
        const byField = parseFieldSelector(formatFieldSelector(selector));
        expect(byField).toHaveLength(selector.length);
        expect(byField).toEqual(expect.arrayContaining(selector));
      }),
    );
  });

  it.each<[string, FieldRequirement[]]>([
    ['', []],
    [',,', []],
    ['metadata.name=a', [{ field: 'metadata.name', operator: '=', value: 'a' }]],
    ['metadata.name==a', [{ field: 'metadata.name', operator: '=', value: 'a' }]],
    ['status.phase!=Running', [{ field: 'status.phase', operator: '!=', value: 'Running' }]],
    ['spec.nodeName=', [{ field: 'spec.nodeName', operator: '=', value: '' }]],
    ['a= x ', [{ field: 'a', operator: '=', value: ' x ' }]],
    ['a=x!', [{ field: 'a', operator: '=', value: 'x!' }]],
    [
      String.raw`a=x\,y,b!=\=\\,`,
      [
        { field: 'a', operator: '=', value: 'x,y' },
        { field: 'b', operator: '!=', value: String.raw`=\ `.trim() },
      ],
    ],
  ])('reads %j', (text, expected) => {
    expect(parseFieldSelector(text)).toEqual(expected);
  });

  it.each([
    'a',
    '=x',
    'a =x',
    'a..b=x',
    '.a=x',
    '!a',
    'a=x=y',
    'a!==x',
    'a===x',
    String.raw`a=\x`,
    'a=x\\',
    String.raw`a\,b=x`,
    'a in (x)',
  ])('refuses %j', (text) => {
    expect(thrownBy(() => parseFieldSelector(text))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'fieldSelector',
      value: text,
    });
  });
});

describe('formatFieldSelector', () => {
  it('is the same for any order', () => {
    fc.assert(
      fc.property(requirements, (selector) => {
        expect(formatFieldSelector([...selector].reverse())).toBe(formatFieldSelector(selector));
      }),
    );
  });

  it.each(['', 'a=b', 'a,b', 'a b'])('refuses the field %j', (wrong) => {
    const selector = [{ field: wrong, operator: '=', value: 'x' }] as const;
    expect(thrownBy(() => formatFieldSelector(selector))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'fieldSelector',
      value: selector,
    });
  });

  it.each([null, 5, {}])('refuses %j, which is no text', (selector) => {
    expect(thrownBy(() => formatFieldSelector(selector as never))).toMatchObject({
      code: 'INVALID_OPTION',
      option: 'fieldSelector',
      value: selector,
    });
  });

  it('writes a text anew', () => {
    expect(formatFieldSelector('status.phase!=Running,metadata.name==a,')).toBe(
      'metadata.name=a,status.phase!=Running',
    );
  });
});

describe('matchesFields', () => {
  const pod = {
    metadata: { name: 'a', labels: { app: 'web' } },
    spec: { nodeName: 'node-1', hostNetwork: true, priority: 7, nothing: null, containers: [] },
  };

  it.each([
    ['', true],
    ['metadata.name=a', true],
    ['metadata.name=b', false],
    ['metadata.name!=b', true],
    ['metadata.name!=a', false],
    ['metadata.name=a,spec.nodeName=node-2', false],
    ['spec.hostNetwork=true,spec.priority=7', true],
    // What is missing, null or no single value counts as empty.
    ['spec.absent=', true],
    ['spec.absent!=x', true],
    ['spec.nothing=', true],
    ['spec.containers=', true],
    ['spec.nodeName.deeper=', true],
    ['constructor.name=', true],
  ])('%j: %j', (text, expected) => {
    expect(matchesFields(pod, parseFieldSelector(text))).toBe(expected);
  });

  it('finds any field by its path', () => {
    fc.assert(
      fc.property(field, value, value, (path, actual, asked) => {
        const object = path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), actual);
        expect(matchesFields(object, [{ field: path, operator: '=', value: asked }])).toBe(actual === asked);
        expect(matchesFields(object, [{ field: path, operator: '!=', value: asked }])).toBe(actual !== asked);
      }),
    );
  });

  it.each([undefined, null, 'text', 1])('takes %j for an object without fields', (object) => {
    expect(matchesFields(object, parseFieldSelector('a='))).toBe(true);
    expect(matchesFields(object, parseFieldSelector('a=x'))).toBe(false);
  });
});
