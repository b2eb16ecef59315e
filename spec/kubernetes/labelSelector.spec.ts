import fc from 'fast-check';
import { formatRequirement } from '../../src/kubernetes/labelRequirement.ts';
import {
  formatLabelSelector,
  type LabelSelector,
  labelPredicate,
  matchesLabels,
  parseLabelSelector,
} from '../../src/kubernetes/labelSelector.ts';
import { keys, labels, modelMatches, requirements, values } from './labels.ts';
import { thrownBy } from './thrown.ts';

const selectors = fc.array(requirements, { maxLength: 5 });

const objectSelectors: fc.Arbitrary<LabelSelector> = fc.record(
  {
    matchLabels: fc.dictionary(keys, values, { noNullPrototype: true }),
    matchExpressions: fc.array(requirements.filter(({ operator }) => operator !== 'Gt' && operator !== 'Lt')),
  },
  { requiredKeys: [] },
);

const INVALID = { code: 'INVALID_OPTION', option: 'labelSelector' };

describe('parseLabelSelector', () => {
  it('reads what is formatted', () => {
    fc.assert(
      fc.property(selectors, (selector) => {
        expect(parseLabelSelector(selector.map(formatRequirement).join(','))).toEqual(selector);
      }),
    );
  });

  it('reads any text or says that it cannot be used', () => {
    const pieces = fc.constantFrom(
      'a',
      'b',
      ' ',
      ',',
      '=',
      '!',
      '(',
      ')',
      '<',
      '>',
      'in',
      'notin',
      '1',
      '/',
      '-',
      'ä',
    );
    fc.assert(
      fc.property(
        fc.array(pieces).map((list) => list.join('')),
        (text) => {
          let format: string;
          try {
            format = formatLabelSelector(text);
          } catch (error) {
            expect(error).toMatchObject({ ...INVALID, value: text });
            return;
          }
          expect(formatLabelSelector(format)).toBe(format);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['-a=x', 'is not a label key'],
    ['a=-x', 'is not a label value'],
    ['a>x', '64-bit integer'],
    ['a>', '64-bit integer'],
    ['a=x,b c', 'is expected'],
  ])('refuses %j', (text, message) => {
    expect(thrownBy(() => parseLabelSelector(text))).toMatchObject({ ...INVALID, value: text });
    expect(() => parseLabelSelector(text)).toThrow(message);
  });
});

describe('matchesLabels', () => {
  it('is the model of all requirements', () => {
    fc.assert(
      fc.property(selectors, labels, (selector, given) => {
        expect(matchesLabels(selector, given)).toBe(selector.every((one) => modelMatches(one, given)));
      }),
    );
  });

  it('matches everything with no requirement', () => {
    expect(matchesLabels([], undefined)).toBe(true);
  });
});

describe('labelPredicate', () => {
  it('means the same as text and as object', () => {
    fc.assert(
      fc.property(objectSelectors, labels, (selector, given) => {
        expect(labelPredicate(selector)(given)).toBe(labelPredicate(formatLabelSelector(selector))(given));
      }),
    );
  });

  it('joins labels and expressions', () => {
    const matches = labelPredicate({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'NotIn', values: ['test'] },
        { key: 'canary', operator: 'DoesNotExist' },
      ],
    });
    expect(matches({ app: 'web' })).toBe(true);
    expect(matches({ app: 'web', tier: 'test' })).toBe(false);
    expect(matches({ app: 'web', canary: '' })).toBe(false);
    expect(matches({ tier: 'live' })).toBe(false);
    expect(matches(undefined)).toBe(false);
  });

  it.each<[LabelSelector, string]>([
    [{ matchLabels: { 'a b': 'x' } }, 'is not a label key'],
    [{ matchLabels: { a: 'x y' } }, 'is not a label value'],
    [{ matchExpressions: [{ key: 'a', operator: 'In' }] }, 'In needs at least one value'],
    [{ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] }, 'Exists takes no values'],
    [
      { matchExpressions: [{ key: 'a', operator: 'in', values: ['x'] }] },
      'operators are In, NotIn, Exists, DoesNotExist',
    ],
    [{ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] }, 'not Gt'],
    // What says nothing would select everything.
    [{ app: 'web' } as never, 'app is neither'],
    [null as never, 'give a text or an object'],
    [5 as never, 'give a text or an object'],
    [['app=web'] as never, 'give a text or an object'],
    [{ matchLabels: null as never }, 'matchLabels is an object'],
    [{ matchLabels: ['app=web'] as never }, 'matchLabels is an object'],
    [{ matchLabels: { a: null as never } }, 'null is not a label value'],
    [{ matchLabels: { a: 1 as never } }, '1 is not a label value'],
    [{ matchExpressions: {} as never }, 'matchExpressions is an array'],
    [{ matchExpressions: [null as never] }, 'matchExpressions is an array'],
    [{ matchExpressions: [{ key: 5 as never, operator: 'Exists' }] }, 'the key of a label is a text'],
    [
      { matchExpressions: [{ key: 'a', operator: 'In', values: 'xy' as never }] },
      'the values for a are an array',
    ],
  ])('refuses %j', (selector, message) => {
    expect(thrownBy(() => labelPredicate(selector))).toMatchObject({ ...INVALID, value: selector });
    expect(() => labelPredicate(selector)).toThrow(message);
  });
});

describe('formatLabelSelector', () => {
  it('is the same for any order of requirements and values', () => {
    fc.assert(
      fc.property(objectSelectors, (selector) => {
        const { matchLabels = {}, matchExpressions = [] } = selector;
        const reversed = {
          matchLabels: Object.fromEntries(Object.entries(matchLabels).reverse()),
          matchExpressions: matchExpressions
            .map((one) => ({ ...one, values: [...(one.values ?? []), ...(one.values ?? [])].reverse() }))
            .reverse(),
        };
        expect(formatLabelSelector(reversed)).toBe(formatLabelSelector(selector));
      }),
    );
  });

  it.each([
    ['', ''],
    [' b , a == x,c notin(z, y) ', 'a=x,b,c notin (y,z)'],
    [{}, ''],
    [
      { matchLabels: { b: 'y', a: 'x' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['z'] }] },
      'a=x,b=y,c=z',
    ],
  ])('makes of %j %j', (selector, text) => {
    expect(formatLabelSelector(selector)).toBe(text);
  });
});
