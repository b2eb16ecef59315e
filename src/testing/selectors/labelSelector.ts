import { labelKeyErrors, labelValueErrors } from '../names.ts';
import { badRequest, quote } from '../status.ts';
import { type Token, tokensOf } from './labelLexer.ts';

export type Labels = Readonly<Record<string, unknown>>;
export type LabelTest = (labels: Labels) => boolean;

const operators = ['in', 'notin', '=', '==', '!=', '>', '<'] as const;
type Operator = (typeof operators)[number];

interface Requirement {
  readonly key: string;
  readonly operator: Operator | 'exists' | '!';
  readonly values: readonly string[];
}

/**
 * The test that a label selector is; `undefined` for one that selects everything.
 *
 * Errors: StatusError 400 with the words of kube-apiserver. This parser is the server's own, so that the client's is
 * not tested against itself.
 */
export function parseLabelSelector(text: string): LabelTest | undefined {
  const tests = new Parser(text).requirements().map(testOf);
  return tests.length === 0 ? undefined : (labels) => tests.every((test) => test(labels));
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  requirements(): Requirement[] {
    const requirements: Requirement[] = [];
    while (this.#next.type !== 'end') {
      if (!this.#beginsRequirement) throw expected(this.#next, "!, identifier, or 'end of string'");
      requirements.push(this.#requirement());
      if (!this.#continues()) break;
    }
    return requirements;
  }

  /** Whether another requirement follows. */
  #continues(): boolean {
    const separator = this.#take();
    if (separator.type === 'end') return false;
    if (!isSymbol(separator, ',')) throw expected(separator, "',' or 'end of string'");
    if (!this.#beginsRequirement) throw expected(this.#next, "identifier after ','");
    return true;
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { type: 'end', text: '' };
  }

  get #beginsRequirement(): boolean {
    return this.#next.type === 'word' || isSymbol(this.#next, '!');
  }

  get #atEndOfRequirement(): boolean {
    return this.#next.type === 'end' || isSymbol(this.#next, ',');
  }

  #take(): Token {
    const token = this.#next;
    this.#at += 1;
    return token;
  }

  #requirement(): Requirement {
    const negated = isSymbol(this.#next, '!');
    if (negated) this.#take();
    const key = this.#take();
    if (key.type !== 'word') throw inRequirement(expected(key, 'identifier'));
    const [wrong] = joined(labelKeyErrors(key.text));
    if (wrong !== undefined) throw invalidValue('<nil>', key.text, wrong);
    if (negated) return { key: key.text, operator: '!', values: [] };
    if (this.#atEndOfRequirement) return { key: key.text, operator: 'exists', values: [] };
    return checked({ key: key.text, ...this.#comparison() });
  }

  #comparison(): Pick<Requirement, 'operator' | 'values'> {
    const token = this.#take();
    const operator = operators.find((known) => known === token.text);
    if (operator === undefined) {
      throw inRequirement(expected(token, 'in, notin, =, ==, !=, gt, lt'));
    }
    const isSet = operator === 'in' || operator === 'notin';
    return { operator, values: isSet ? this.#set() : [this.#value()] };
  }

  #value(): string {
    if (this.#atEndOfRequirement) return '';
    const token = this.#take();
    if (token.type !== 'word') throw inRequirement(expected(token, 'identifier'));
    return token.text;
  }

  /** An empty place, as in `(,a)` and `()`, is the empty value. */
  #set(): string[] {
    const open = this.#take();
    if (!isSymbol(open, '(')) throw requirementError(`found '${open.text}' expected: '('`);
    if (this.#next.type !== 'word' && !isSymbol(this.#next, ',') && !isSymbol(this.#next, ')')) {
      throw inRequirement(expected(this.#next, "',', ')' or identifier"));
    }
    const values = new Set<string>();
    let afterComma = true;
    for (let token = this.#take(); !isSymbol(token, ')'); token = this.#take()) {
      if (isSymbol(token, ',')) {
        if (afterComma) values.add('');
        afterComma = true;
      } else if (token.type !== 'word') {
        throw inRequirement(expected(token, afterComma ? "',', or identifier" : "',' or ')'"));
      } else if (!afterComma) {
        throw inRequirement(expected(token, "',' or ')'"));
      } else {
        values.add(token.text);
        afterComma = false;
      }
    }
    if (afterComma) values.add('');
    return [...values].sort();
  }
}

function checked(requirement: Requirement): Requirement {
  const { key, operator, values } = requirement;
  values.forEach((value, i) => {
    if ((operator === '>' || operator === '<') && integer(value) === undefined) {
      throw invalidValue(
        `values[${String(i)}]`,
        value,
        "for 'Gt', 'Lt' operators, the value must be an integer",
      );
    }
    const [wrong] = joined(labelValueErrors(value));
    if (wrong !== undefined) throw invalidValue(`values[${String(i)}][${key}]`, value, wrong);
  });
  return requirement;
}

function testOf({ key, operator, values }: Requirement): LabelTest {
  const [first = ''] = values;
  const bound = integer(first) ?? 0n;
  const compare = (is: (value: bigint) => boolean): LabelTest => {
    return (labels) => {
      const value = integer(labels[key]);
      return value !== undefined && is(value);
    };
  };
  const among: LabelTest = (labels) => values.some((value) => labels[key] === value);
  switch (operator) {
    case 'exists':
      return (labels) => Object.hasOwn(labels, key);
    case '!':
      return (labels) => !Object.hasOwn(labels, key);
    case '!=':
    case 'notin':
      return (labels) => !among(labels);
    case '>':
      return compare((value) => value > bound);
    case '<':
      return compare((value) => value < bound);
    default:
      return among;
  }
}

const integer = (value: unknown): bigint | undefined =>
  typeof value === 'string' && /^[-+]?\d+$/.test(value) ? BigInt(value.replace('+', '')) : undefined;

const isSymbol = (token: Token, text: string): boolean => token.type === 'symbol' && token.text === text;

const joined = (errors: readonly string[]): string[] => (errors.length === 0 ? [] : [errors.join('; ')]);

const expected = (found: Token, what: string) => badRequest(`found '${found.text}', expected: ${what}`);

const inRequirement = (error: Error) => requirementError(error.message);

const requirementError = (message: string) => badRequest(`unable to parse requirement: ${message}`);

const invalidValue = (field: string, value: string, why: string) =>
  requirementError(`${field}: Invalid value: ${quote(value)}: ${why}`);
