export type Labels = Readonly<Record<string, string>>;

export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';

/** One condition of a label selector; a selector matches when all of its conditions do. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted and without duplicates; empty for `Exists` and `DoesNotExist`. */
  readonly values: readonly string[];
}

/** What `In`, `NotIn` and so on require of a label that may not be there: the rules of the API server. */
export function matchesRequirement(
  { key, operator, values }: LabelRequirement,
  labels: Labels | undefined,
): boolean {
  const value = valueOf(key, labels);
  switch (operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Gt':
    case 'Lt': {
      const [actual, limit] = [integerOf(value), integerOf(values[0])];
      if (actual === undefined || limit === undefined) return false;
      return operator === 'Gt' ? actual > limit : actual < limit;
    }
  }
}

/** Some servers write `null` for no labels, or a number for a text: what is no text is no label. */
function valueOf(key: string, labels: Labels | null | undefined): string | undefined {
  // Not `labels[key]` alone: a label may be named `constructor`.
  if (labels === undefined || labels === null || !Object.hasOwn(labels, key)) return undefined;
  const value: unknown = labels[key];
  return typeof value === 'string' ? value : undefined;
}

/** In the query language; one value is written with `=` or `!=`, whatever it was made from. */
export function formatRequirement({ key, operator, values }: LabelRequirement): string {
  const list = values.join(',');
  switch (operator) {
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    case 'In':
      return values.length === 1 ? `${key}=${list}` : `${key} in (${list})`;
    case 'NotIn':
      return values.length === 1 ? `${key}!=${list}` : `${key} notin (${list})`;
    case 'Gt':
      return `${key}>${list}`;
    case 'Lt':
      return `${key}<${list}`;
  }
}

/** What is wrong with it, in words that follow "cannot be used"; `undefined` where nothing is. */
export function problemOf(requirement: LabelRequirement): string | undefined {
  return keyProblemOf(requirement.key) ?? countProblemOf(requirement) ?? valueProblemOf(requirement);
}

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function keyProblemOf(key: unknown): string | undefined {
  if (typeof key !== 'string') return 'the key of a label is a text';
  const [name = '', prefix, ...rest] = key.split('/').reverse();
  const prefixed = prefix === undefined || (prefix.length <= 253 && DNS_SUBDOMAIN.test(prefix));
  if (NAME.test(name) && prefixed && rest.length === 0) return undefined;
  return (
    `${JSON.stringify(key)} is not a label key: at most 63 letters, digits, '-', '_' and '.' ` +
    'with a letter or digit at both ends, optionally after a DNS name and a slash'
  );
}

function countProblemOf({ key, operator, values }: LabelRequirement): string | undefined {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? undefined : `${operator} needs at least one value for ${key}`;
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0 ? undefined : `${operator} takes no values for ${key}`;
    case 'Gt':
    case 'Lt':
      return values.length === 1 && integerOf(values[0]) !== undefined
        ? undefined
        : `${operator} needs one 64-bit integer for ${key}`;
  }
}

function valueProblemOf({ values }: LabelRequirement): string | undefined {
  const wrong = values.find(
    (value: unknown) => value !== '' && !(typeof value === 'string' && NAME.test(value)),
  );
  if (wrong === undefined) return undefined;
  return (
    `${JSON.stringify(wrong)} is not a label value: empty, or at most 63 letters, digits, '-', '_' and '.' ` +
    'with a letter or digit at both ends'
  );
}

/** As the API server reads it: any other text, and what needs more than 64 bits, is no integer. */
function integerOf(value: string | undefined): bigint | undefined {
  if (value === undefined || !/^[-+]?[0-9]+$/.test(value)) return undefined;
  const integer = BigInt(value.replace('+', ''));
  return BigInt.asIntN(64, integer) === integer ? integer : undefined;
}
