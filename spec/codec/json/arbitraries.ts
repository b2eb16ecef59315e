import * as fc from 'fast-check';

/** JSON as a tree whose objects keep the order of their members. */
export type Tree = string | number | boolean | null | Tree[] | Members;
export class Members {
  readonly members: readonly (readonly [string, Tree])[];

  constructor(members: readonly (readonly [string, Tree])[]) {
    this.members = members;
  }
}

/** How a tree is written: blanks between tokens and escapes in strings, by turns. */
export interface Style {
  readonly blanks: readonly string[];
  readonly escapes: readonly boolean[];
}

const NAMES_WITH_A_MEANING = [
  'metadata',
  'items',
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'object',
  'type',
  'managedFields',
];
const AWKWARD = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '/',
  '\n',
  '\u2028',
  'é',
  '日',
  '😀',
  '\ud800',
  '\ufffd',
];

/** Put in the place of another byte, these do the most damage. */
export const STRUCTURE = ['{', '}', '[', ']', ',', ':', '"', ' ', '0', 'x'] as const;

export const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.array(fc.constantFrom(...AWKWARD), { maxLength: 6 }).map((parts) => parts.join('')),
);
/** What can be a name, in Unicode and with awkward characters all the same. */
export const namePart = text.map((value) => `n${value.replaceAll('/', '')}`);

const memberName = fc.oneof(fc.constantFrom(...NAMES_WITH_A_MEANING), text);
const leaf = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec<{ value: Tree; list: Tree[]; object: Members }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc
    .uniqueArray(fc.tuple(memberName, tie('value')), { maxLength: 4, selector: ([name]) => name })
    .map((members) => new Members(members)),
}));
export const tree: fc.Arbitrary<Tree> = value;

/** An object of these members and others of any other name, in any order. */
export function objectOf(required: Record<string, fc.Arbitrary<Tree | undefined>>): fc.Arbitrary<Members> {
  const others = fc.uniqueArray(fc.tuple(memberName, tree), { maxLength: 3, selector: ([name]) => name });
  const places = fc.array(fc.nat(), { minLength: 1, maxLength: 8 });
  return fc.tuple(fc.record(required), others, places).map(([known, unknown, places]) => {
    const members = [
      ...Object.entries(known).filter((member): member is [string, Tree] => member[1] !== undefined),
      ...unknown.filter(([name]) => !(name in required)),
    ];
    const placed = members.map((member, i) => ({ member, place: places[i % places.length] ?? 0 }));
    return new Members(placed.sort((a, b) => a.place - b.place).map(({ member }) => member));
  });
}

const optional = (arbitrary: fc.Arbitrary<Tree>) => fc.option(arbitrary, { nil: undefined });

export const kubernetesObject = objectOf({
  metadata: objectOf({
    name: namePart,
    namespace: optional(namePart),
    uid: optional(text),
    resourceVersion: optional(text),
    labels: optional(tree),
    managedFields: optional(fc.array(tree, { maxLength: 3 })),
  }),
  kind: optional(fc.constant('Thing')),
  apiVersion: optional(fc.constant('example.com/v1')),
  spec: optional(tree),
});

export const list = objectOf({
  kind: fc.constant('ThingList'),
  apiVersion: fc.constant('example.com/v1'),
  metadata: optional(objectOf({ resourceVersion: optional(text), continue: optional(text) })),
  items: fc.array(kubernetesObject, { maxLength: 4 }),
});

const styleWith = (blanks: readonly string[]): fc.Arbitrary<Style> =>
  fc.record({
    blanks: fc.array(fc.constantFrom(...blanks), { minLength: 1, maxLength: 7 }),
    escapes: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
  });
export const style = styleWith(['', '', ' ', '\n', '\r\n', '\t  ']);
export const styleOfOneLine = styleWith(['', '', ' ', '\t']);

/** Sizes of the pieces a body is cut into, by turns. */
export const pieceSizes = fc.oneof(
  fc.constant([1]),
  fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
  fc.constant([1 << 20]),
);

export function write(tree: Tree, { blanks, escapes }: Style): string {
  let blank = 0;
  let escape = 0;
  const token = (text: string) => (blanks[blank++ % blanks.length] ?? '') + text;
  const char = (char: string) =>
    escapes[escape++ % escapes.length] && char.length === 1
      ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
      : JSON.stringify(char).slice(1, -1);
  const string = (text: string) => token(`"${Array.from(text, char).join('')}"`);
  const joined = (parts: string[]) => parts.join(token(','));
  const any = (tree: Tree): string => {
    if (typeof tree === 'string') return string(tree);
    if (Array.isArray(tree)) return token('[') + joined(tree.map(any)) + token(']');
    if (!(tree instanceof Members)) return token(JSON.stringify(tree));
    const members = tree.members.map(([name, value]) => string(name) + token(':') + any(value));
    return token('{') + joined(members) + token('}');
  };
  return any(tree) + token('');
}

/** Hands out the bytes in pieces and spoils each one afterwards, since it is valid during the call only. */
export function feed(bytes: Uint8Array, sizes: readonly number[], push: (piece: Buffer) => void): void {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const end = at + (sizes[i % sizes.length] ?? 1);
    const piece = Buffer.from(bytes.subarray(at, end));
    push(piece);
    piece.fill('"');
    at = end;
  }
}
