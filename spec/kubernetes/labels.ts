import fc from 'fast-check';
import type { LabelOperator, LabelRequirement, Labels } from '../../src/kubernetes/labelRequirement.ts';

/** Few, so that selectors and labels meet; among them the words of the grammar and of Object.prototype. */
export const keys = fc.constantFrom('a', 'b', 'in', 'notin', 'constructor', 'example.com/app', 'A_b.c-d');
export const values = fc.constantFrom('', 'x', 'y', 'in', 'notin', '1', '2', '10', 'X-y_z.0');

/** Own properties, also by names like `constructor`. */
export const labels: fc.Arbitrary<Labels> = fc.dictionary(keys, values, { noNullPrototype: true });

const integers = fc.constantFrom('0', '1', '2', '9007199254740993', '9223372036854775807');

const requirement = (
  operators: readonly LabelOperator[],
  operands: fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<LabelRequirement> =>
  fc.record({ key: keys, operator: fc.constantFrom(...operators), values: operands });

export const requirements = fc.oneof(
  requirement(
    ['In', 'NotIn'],
    fc.uniqueArray(values, { minLength: 1, maxLength: 4 }).map((list) => list.sort()),
  ),
  requirement(['Exists', 'DoesNotExist'], fc.constant([])),
  requirement(
    ['Gt', 'Lt'],
    integers.map((integer) => [integer]),
  ),
);

/** What the requirement means, written down as the API documentation has it, without any short cut. */
export function modelMatches({ key, operator, values: operands }: LabelRequirement, given: Labels): boolean {
  const entry = Object.entries(given).find(([name]) => name === key);
  const present = entry !== undefined;
  const value = entry?.[1] ?? '';
  const among = operands.some((operand) => operand === value);
  const numeric = /^\d+$/.test(value) && present;
  const [limit = ''] = operands;
  switch (operator) {
    case 'In':
      return present && among;
    case 'NotIn':
      return !(present && among);
    case 'Exists':
      return present;
    case 'DoesNotExist':
      return !present;
    case 'Gt':
      return numeric && BigInt(value) > BigInt(limit);
    case 'Lt':
      return numeric && BigInt(value) < BigInt(limit);
  }
}
