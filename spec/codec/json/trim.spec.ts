import * as fc from 'fast-check';
import { copyWithout, cutBefore, cutsIn } from '../../../src/codec/json/trim.ts';
import type { Omission } from '../../../src/codec/omit.ts';
import { parseOmit } from '../../../src/codec/omit.ts';
import { Members, STRUCTURE, style, type Tree, text, write } from './arbitraries.ts';

/** Few names, so that paths meet members, and members meet each other. */
const memberName = fc.oneof(fc.constantFrom('a', 'b', 'é', '"', 'a.b', '__proto__'), text);
const { object } = fc.letrec<{ value: Tree; object: Members }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.oneof(text, fc.integer(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(memberName, tie('value')), { maxLength: 5 })
    .map((members) => new Members(members)),
}));

type Path = readonly (string | typeof EACH)[];
const EACH = Symbol('[*]');
const step = fc.oneof({ weight: 4, arbitrary: memberName }, { weight: 1, arbitrary: fc.constant(EACH) });
const path: fc.Arbitrary<Path> = fc
  .tuple(memberName, fc.array(step, { maxLength: 3 }), fc.option(memberName, { nil: undefined }))
  .map(([first, steps, last]) => {
    const whole = [first, ...steps, ...(last === undefined ? [] : [last])];
    return whole.at(-1) === EACH ? [...whole, 'a'] : whole;
  });
const paths = fc.array(path, { minLength: 1, maxLength: 4 });
const written = (path: Path) =>
  path.map((step) => (step === EACH ? '[*]' : `[${JSON.stringify(step)}]`)).join('');

function omissionOf(paths: readonly Path[]): Omission {
  const omission = parseOmit(paths.map(written));
  if (omission === undefined) throw new Error('no paths');
  return omission;
}

function trim(text: string, omission: Omission, at = 0): string {
  const bytes = Buffer.from(text);
  return Buffer.from(copyWithout(bytes, cutsIn(bytes, at, omission))).toString();
}

/** The model: decoded, without what is left out. */
function without(value: unknown, [step, ...rest]: Path): void {
  if (typeof value !== 'object' || value === null || step === undefined) return;
  if (step === EACH) {
    if (Array.isArray(value)) for (const element of value) without(element, rest);
  } else if (!Array.isArray(value) && Object.hasOwn(value, step)) {
    if (rest.length === 0) Reflect.deleteProperty(value, step);
    else without(Object.getOwnPropertyDescriptor(value, step)?.value, rest);
  }
}

describe('trimming', () => {
  it('is deleting, before anything is decoded', () => {
    fc.assert(
      fc.property(object, style, paths, (object, style, paths) => {
        const text = write(object, style).trim();
        const model: unknown = JSON.parse(text);
        for (const path of paths) without(model, path);
        expect(JSON.parse(trim(text, omissionOf(paths)))).toEqual(model);
      }),
      { numRuns: 500 },
    );
  });

  it('leaves what is around the object', () => {
    const omission = omissionOf([['a']]);
    expect(trim('{"a":1,"object":{"a":2,"b":3},"b":"a"}', omission, 16)).toBe(
      '{"a":1,"object":{"b":3},"b":"a"}',
    );
  });

  it('does not make whole what is cut', () => {
    fc.assert(
      fc.property(object, style, paths, fc.nat(), (object, style, paths, length) => {
        const text = write(object, style).trim();
        const cut = Buffer.from(text)
          .subarray(0, length % Buffer.from(text).length)
          .toString('latin1');
        expect(() => JSON.parse(trim(cut, omissionOf(paths))) as unknown).toThrow(SyntaxError);
      }),
    );
  });

  it('throws for no damage, and makes no other object of it', () => {
    const damage = fc.tuple(fc.nat(), fc.constantFrom(...STRUCTURE));
    fc.assert(
      fc.property(object, style, paths, damage, (object, style, paths, [place, byte]) => {
        const text = write(object, style).trim();
        const at = place % text.length;
        // Half a character is no text.
        const damaged = Buffer.from(text.slice(0, at) + byte + text.slice(at + 1)).toString();
        const trimmed = trim(damaged, omissionOf(paths));
        let model: unknown;
        try {
          model = JSON.parse(damaged);
        } catch {
          // The damage may have gone with what is left out; what is left is what was there.
          return;
        }
        for (const path of paths) without(model, path);
        expect(JSON.parse(trimmed)).toEqual(model);
      }),
    );
  });

  it.each([
    ['{"b":1 "c":2}', [['b']]],
    ['{"a":{"b":1 "c":2}}', [['a', 'b']]],
    ['{"a":[{"b":1} {"c":1}]}', [['a', EACH, 'b']]],
    ['{"b":1,,"c":2}', [['b']]],
    ['{"a":["x";"y"],"b":1}', [['a', EACH, 'c'], ['b']]],
    ['{"a":[1,],"b":1}', [['a', EACH, 'c'], ['b']]],
    ['{"a":[{"c":1]},"b":1}', [['a', EACH, 'c'], ['b']]],
  ] as const)('leaves %s as damaged as it is', (damaged, paths) => {
    expect(trim(damaged, omissionOf(paths))).toBe(damaged);
  });

  it.each([
    ['{"a":1}', '{}'],
    ['{ "a" : 1 , "b" : 2 }', '{ "b" : 2 }'],
    ['{"b":2,"a":1}', '{"b":2}'],
    ['{"b":2,"a":1,"c":3}', '{"b":2,"c":3}'],
    ['{"a":1,"a":2,"b":3,"a":4}', '{"b":3}'],
    ['{"a":1,"b":2,"\\u0061":3}', '{"b":2}'],
    ['{"b":2,"a":1,"a":3}', '{"b":2}'],
    ['{"b":2,"a":1,"\\u0061":3}', '{"b":2}'],
  ])('takes the commas of %s, too', (text, trimmed) => {
    expect(trim(text, omissionOf([['a']]))).toBe(trimmed);
  });

  it('takes a member that comes again behind all the others', () => {
    expect(trim('{"b":1,"c":1,"a":2,"a":3}', omissionOf([['a'], ['c']]))).toBe('{"b":1}');
    expect(trim('{"b":1,"c":1,"a":2,"c":3}', omissionOf([['a'], ['c']]))).toBe('{"b":1}');
  });

  it('does not walk through what is behind the last member that goes', () => {
    expect(trim('{"b":1,"a":2,"d":[}', omissionOf([['a']]))).toBe('{"b":1,"d":[}');
    expect(trim('{"b":1,"a":2,"c":3,"d":[}', omissionOf([['a'], ['c']]))).toBe('{"b":1,"d":[}');
  });

  it.each(['5', '"x"', 'null', '[]', '[ ]', '{}', '[5]', '[[]]', '[{}]', '{"x":1}'])(
    'goes past %s where a path expects something else',
    (value) => {
      const omission = omissionOf([['a', 'c'], ['a', EACH, 'c'], ['a', EACH, EACH, 'c'], ['b']]);
      expect(trim(`{"a":${value},"b":1}`, omission)).toBe(`{"a":${value}}`);
      const ofElements = omissionOf([['a', EACH, 'c'], ['b']]);
      expect(trim(`{"a":${value},"b":1}`, ofElements)).toBe(`{"a":${value}}`);
    },
  );

  it('tells where something is afterwards', () => {
    const bytes = Buffer.from('{"a":1,"b":{"a":2,"c":3}}');
    const cuts = cutsIn(bytes, 0, omissionOf([['a'], ['b', 'a']]));
    const at = bytes.indexOf('3');
    expect(copyWithout(bytes, cuts)[at - cutBefore(at, cuts)]).toBe(bytes[at]);
    expect([0, 4, 5, 8, 9, 20].map((place) => cutBefore(place, [4, 5, 8, 11]))).toEqual([0, 0, 1, 1, 4, 4]);
  });
});
