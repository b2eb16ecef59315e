import { InvalidOptionError } from '../errors.ts';
import type { LabelOperator, LabelRequirement } from './labelRequirement.ts';

interface Token {
  /** A symbol, a key or value, or empty at the end of the text. */
  readonly text: string;
  readonly position: number;
}

const TOKEN = /[ \t\r\n]*(==|!=|[=!(),<>]|[^ \t\r\n=!(),<>]+|$)/gy;
const SYMBOLS = new Set(['', '==', '!=', '=', '!', '(', ')', ',', '<', '>']);

const OPERATORS: ReadonlyMap<string, LabelOperator> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['!=', 'NotIn'],
  ['in', 'In'],
  ['notin', 'NotIn'],
  ['>', 'Gt'],
  ['<', 'Lt'],
]);

/**
 * The grammar of label selectors, with the API server's leniencies: `a=` and `a in ()` mean the empty value,
 * `a in (,b)` the empty one and b, and `in` and `notin` may be keys and values. Keys and values themselves
 * are not checked. Throws InvalidOptionError.
 */
export function parseRequirements(text: string): LabelRequirement[] {
  const parser = new Parser(text);
  const requirements: LabelRequirement[] = [];
  if (parser.next === '') return requirements;
  do requirements.push(requirement(parser));
  while (parser.skip(','));
  if (parser.next !== '') throw parser.expected("',' or the end");
  return requirements;
}

function requirement(parser: Parser): LabelRequirement {
  if (parser.skip('!')) return { key: parser.word('a key'), operator: 'DoesNotExist', values: [] };

  const key = parser.word("a key or '!'");
  if (parser.next === ',' || parser.next === '') return { key, operator: 'Exists', values: [] };

  const symbol = parser.next;
  const operator = OPERATORS.get(symbol);
  if (operator === undefined) throw parser.expected('=, ==, !=, in, notin, > or <');
  parser.skip(symbol);
  const values = symbol === 'in' || symbol === 'notin' ? valueSet(parser) : [value(parser)];
  return { key, operator, values };
}

function valueSet(parser: Parser): string[] {
  if (!parser.skip('(')) throw parser.expected("'('");
  const values = new Set<string>();
  do values.add(value(parser));
  while (parser.skip(','));
  if (!parser.skip(')')) throw parser.expected("',' or ')'");
  return [...values].sort();
}

/** A value may be empty, so it is empty where something else comes instead of one. */
function value(parser: Parser): string {
  return parser.atWord ? parser.word('a value') : '';
}

/** Walks over the tokens; what it does not find where it has to be is an error that names the place. */
class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokensOf(text);
  }

  /** Empty at the end. */
  get next(): string {
    return this.#token.text;
  }

  get atWord(): boolean {
    return !SYMBOLS.has(this.next);
  }

  /** Whether the next token was `text`; it is passed then. */
  skip(text: string): boolean {
    if (this.next !== text) return false;
    this.#position += 1;
    return true;
  }

  word(expected: string): string {
    if (!this.atWord) throw this.expected(expected);
    const word = this.next;
    this.#position += 1;
    return word;
  }

  expected(what: string): InvalidOptionError {
    const { text, position } = this.#token;
    const found = text === '' ? 'the end' : `'${text}'`;
    const place = String(position + 1);
    return new InvalidOptionError(
      'labelSelector',
      this.#text,
      `at character ${place} ${what} is expected, not ${found}`,
    );
  }

  get #token(): Token {
    return this.#tokens[this.#position] ?? { text: '', position: this.#text.length };
  }
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map((match) => {
    const [whole, token = ''] = match;
    return { text: token, position: match.index + whole.length - token.length };
  });
}
