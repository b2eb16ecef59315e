import { InvalidOptionError } from '../errors.ts';

/** One condition of a field selector; a selector matches when all of its conditions do. */
export interface FieldRequirement {
  /** Names joined by dots, such as `spec.nodeName`. */
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/**
 * Reads `metadata.name=a,status.phase!=Running`. In values a backslash goes before `,`, `=` and itself; blanks
 * belong to the value. The empty text selects everything. Throws InvalidOptionError.
 */
export function parseFieldSelector(text: string): FieldRequirement[] {
  return termsOf(text)
    .filter((term) => term !== '')
    .map((term) => requirementOf(term, text));
}

/**
 * Whether the fields of the object have the required values. As on the API server a missing field counts as
 * the empty value; what the server makes of it for some fields (`spec.unschedulable` is `false` then), or calls
 * otherwise than the object does (`status.successful` of a Job), is not known here.
 */
export function matchesFields(object: unknown, selector: readonly FieldRequirement[]): boolean {
  return selector.every(
    ({ field, operator, value }) => (fieldOf(object, field) === value) === (operator === '='),
  );
}

/**
 * The text for the `fieldSelector` of a request; equal for selectors that differ only in order and in `=` or
 * `==`. Throws InvalidOptionError.
 */
export function formatFieldSelector(selector: string | readonly FieldRequirement[]): string {
  if (typeof selector !== 'string' && !isArray(selector)) {
    throw invalid(selector, 'give a text such as metadata.name=a');
  }
  const requirements = typeof selector === 'string' ? parseFieldSelector(selector) : selector;
  const wrong = requirements.find(({ field }) => !FIELD.test(field));
  if (wrong !== undefined) {
    throw invalid(selector, `${JSON.stringify(wrong.field)} is not a field such as metadata.name`);
  }
  return requirements
    .map(({ field, operator, value }) => `${field}${operator}${value.replace(/[\\,=]/g, '\\$&')}`)
    .sort()
    .join(',');
}

const isArray = (value: unknown): boolean => Array.isArray(value);

const FIELD = /^[^\s.,=!\\]+(\.[^\s.,=!\\]+)*$/;

/** Cut at commas, except escaped ones. */
function termsOf(text: string): string[] {
  return [...text.matchAll(/(?:\\.|[^\\,]|\\$)+/gsu)].map(([term]) => term);
}

function requirementOf(term: string, text: string): FieldRequirement {
  const [, field = '', symbol, escaped = ''] = /^(.*?)(!=|==|=)(.*)$/s.exec(term) ?? [];
  if (!FIELD.test(field)) {
    throw invalid(
      text,
      `${JSON.stringify(term)} is not field=value or field!=value, with a field such as metadata.name`,
    );
  }
  return { field, operator: symbol === '!=' ? '!=' : '=', value: unescaped(escaped, text) };
}

function unescaped(value: string, text: string): string {
  if (!/^(?:\\[\\,=]|[^\\,=])*$/.test(value)) {
    throw invalid(
      text,
      `in the value ${JSON.stringify(value)} a backslash goes before each '\\', ',' and '=', and nowhere else`,
    );
  }
  return value.replace(/\\(.)/g, '$1');
}

function fieldOf(object: unknown, field: string): string {
  let value = object;
  for (const name of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return '';
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

const invalid = (selector: string | readonly FieldRequirement[], why: string): InvalidOptionError =>
  new InvalidOptionError('fieldSelector', selector, why);
