import { isRecord } from '../checks.ts';
import { InvalidOptionError } from '../errors.ts';
import {
  formatRequirement,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
  matchesRequirement,
  problemOf,
} from './labelRequirement.ts';
import { parseRequirements } from './labelSelectorParser.ts';

/** As the API has it, for instance in the spec of a Deployment; an empty one selects everything. */
export interface LabelSelector {
  readonly matchLabels?: Labels | undefined;
  readonly matchExpressions?: readonly LabelSelectorRequirement[] | undefined;
}

export interface LabelSelectorRequirement {
  readonly key: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`; the API declares no more than a string. */
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

/**
 * Reads what `kubectl -l` takes: `a=b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`, `a>1` and `a<1`,
 * joined by commas. The empty text has no requirements and selects everything. Throws InvalidOptionError.
 */
export function parseLabelSelector(text: string): LabelRequirement[] {
  return checked(parseRequirements(text), text);
}

/** Whether all of the requirements are met. No labels are the same as empty ones. */
export function matchesLabels(selector: readonly LabelRequirement[], labels: Labels | undefined): boolean {
  return selector.every((requirement) => matchesRequirement(requirement, labels));
}

/** The selector as a function of the labels. Throws InvalidOptionError. */
export function labelPredicate(selector: string | LabelSelector): (labels: Labels | undefined) => boolean {
  const requirements = requirementsOf(selector);
  return (labels) => matchesLabels(requirements, labels);
}

/**
 * The text for the `labelSelector` of a request; equal for selectors that differ only in order, blanks and
 * ways of writing the same. Throws InvalidOptionError.
 */
export function formatLabelSelector(selector: string | LabelSelector): string {
  return requirementsOf(selector).map(formatRequirement).sort().join(',');
}

const SET_OPERATORS: readonly LabelOperator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

function requirementsOf(selector: string | LabelSelector): LabelRequirement[] {
  if (typeof selector === 'string') return parseLabelSelector(selector);
  const { matchLabels = {}, matchExpressions = [] } = checkedMembers(selector);
  const equalities = Object.entries(matchLabels).map(
    ([key, value]): LabelRequirement => ({ key, operator: 'In', values: [value] }),
  );
  const expressions = matchExpressions.map(({ key, operator: name, values = [] }): LabelRequirement => {
    if (!Array.isArray(values)) throw unusable(selector, `the values for ${key} are an array`);
    const operator = SET_OPERATORS.find((known) => known === name);
    if (operator === undefined) {
      throw unusable(selector, `operators are ${SET_OPERATORS.join(', ')}, not ${name}`);
    }
    return { key, operator, values: [...new Set(values)].sort() };
  });
  return checked([...equalities, ...expressions], selector);
}

/** What it is not made of would count as no requirement, and then it selects everything. */
function checkedMembers(selector: LabelSelector): LabelSelector {
  if (!isRecord(selector)) throw unusable(selector, 'give a text or an object');
  const { matchLabels = {}, matchExpressions = [], ...others } = selector;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw unusable(selector, `labels go into matchLabels or matchExpressions, and ${other} is neither`);
  }
  if (!isRecord(matchLabels)) throw unusable(selector, 'matchLabels is an object of labels');
  if (!Array.isArray(matchExpressions) || !matchExpressions.every(isRecord)) {
    throw unusable(selector, 'matchExpressions is an array of requirements');
  }
  return selector;
}

function checked(requirements: LabelRequirement[], selector: string | LabelSelector): LabelRequirement[] {
  const problem = requirements.map(problemOf).find((found) => found !== undefined);
  if (problem !== undefined) throw unusable(selector, problem);
  return requirements;
}

const unusable = (selector: string | LabelSelector, why: string): InvalidOptionError =>
  new InvalidOptionError('labelSelector', selector, why);
