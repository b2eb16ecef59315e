import fc from 'fast-check';
import {
  formatRequirement,
  type LabelRequirement,
  matchesRequirement,
  problemOf,
} from '../../src/kubernetes/labelRequirement.ts';
import { labels, modelMatches, requirements } from './labels.ts';

describe('matchesRequirement', () => {
  it('agrees with the model', () => {
    fc.assert(
      fc.property(requirements, labels, (requirement, given) => {
        expect(matchesRequirement(requirement, given)).toBe(modelMatches(requirement, given));
      }),
      { numRuns: 1000 },
    );
  });

  it('takes no labels for empty ones', () => {
    fc.assert(
      fc.property(requirements, (requirement) => {
        expect(matchesRequirement(requirement, undefined)).toBe(matchesRequirement(requirement, {}));
      }),
    );
  });

  it.each([null, 5, 'x', [], { a: null }, { a: 1 }, { a: ['1'] }])(
    'takes what is no label, such as %j, for none',
    (given) => {
      fc.assert(
        fc.property(requirements, (requirement) => {
          const none = matchesRequirement(requirement, {});
          expect(matchesRequirement(requirement, given as never)).toBe(none);
        }),
      );
    },
  );

  it.each([
    ['-1', true],
    ['+7', true],
    ['007', true],
    ['9', true],
    ['9223372036854775807', false],
    ['-9223372036854775808', true],
    // Beyond 64 bits, and what other parsers would take.
    ['-9223372036854775809', false],
    ['1_0', false],
    ['1e1', false],
    ['0x1', false],
    ['', false],
    [' 1', false],
  ])('reads the label %j as the API server reads integers', (value, less) => {
    expect(matchesRequirement({ key: 'n', operator: 'Lt', values: ['10'] }, { n: value })).toBe(less);
  });
});

describe('formatRequirement', () => {
  it.each<[LabelRequirement, string]>([
    [{ key: 'a', operator: 'In', values: ['x'] }, 'a=x'],
    [{ key: 'a', operator: 'In', values: [''] }, 'a='],
    [{ key: 'a', operator: 'In', values: ['x', 'y'] }, 'a in (x,y)'],
    [{ key: 'a', operator: 'NotIn', values: ['x'] }, 'a!=x'],
    [{ key: 'a', operator: 'NotIn', values: ['', 'x'] }, 'a notin (,x)'],
    [{ key: 'a', operator: 'Exists', values: [] }, 'a'],
    [{ key: 'a', operator: 'DoesNotExist', values: [] }, '!a'],
    [{ key: 'a', operator: 'Gt', values: ['1'] }, 'a>1'],
    [{ key: 'a', operator: 'Lt', values: ['1'] }, 'a<1'],
  ])('%j is %s', (requirement, text) => {
    expect(formatRequirement(requirement)).toBe(text);
  });
});

describe('problemOf', () => {
  it('finds nothing wrong with good ones', () => {
    fc.assert(
      fc.property(requirements, (requirement) => {
        expect(problemOf(requirement)).toBeUndefined();
      }),
    );
  });

  it.each([
    '',
    '-a',
    'a-',
    'a b',
    'ä',
    '/a',
    'a/',
    'a/b/c',
    'Example.com/a',
    'example..com/a',
    'a'.repeat(64),
    `${'a'.repeat(254)}/b`,
  ])('names the key %j', (key) => {
    expect(problemOf({ key, operator: 'Exists', values: [] })).toContain(
      `${JSON.stringify(key)} is not a label key`,
    );
  });

  it.each(['a'.repeat(63), `${'a'.repeat(253)}/b`, '9', 'a.b_c-D'])('accepts the key %j', (key) => {
    expect(problemOf({ key, operator: 'Exists', values: [] })).toBeUndefined();
  });

  it.each(['-x', 'x-', 'x y', 'x/y', 'ü', 'x'.repeat(64)])('names the value %j', (value) => {
    expect(problemOf({ key: 'a', operator: 'In', values: ['x', value] })).toContain(
      `${JSON.stringify(value)} is not a label value`,
    );
  });

  it.each<[LabelRequirement['operator'], string[]]>([
    ['In', []],
    ['NotIn', []],
    ['Exists', ['x']],
    ['DoesNotExist', ['x']],
    ['Gt', []],
    ['Gt', ['1', '2']],
    ['Lt', ['x']],
    ['Lt', ['9223372036854775808']],
  ])('%s does not go with the values %j', (operator, values) => {
    expect(problemOf({ key: 'a', operator, values })).toMatch(new RegExp(`^${operator} .* for a$`));
  });
});
