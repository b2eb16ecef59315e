import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readBreakages } from '../invariants/breakages.ts';
import { textOf } from './blocks.ts';

const ROOT = join(__dirname, '../..');
const PAGE = 'docs/semantics.md';

/** The specs that each row of the table names, by the number of the invariant. */
const rows = new Map(
  [...textOf(PAGE).matchAll(/^\| (\d+) \| .* \| (.*) \|$/gm)].map(([, number = '', specs = '']) => [
    number,
    [...specs.matchAll(/\]\((.*?)\)/g)].map(([, link = '']) => join(dirname(PAGE), link)),
  ]),
);

const breakages = readBreakages().map((breakage) => ({
  ...breakage,
  name: basename(breakage.file),
  number: /^\d+/.exec(breakage.invariant)?.[0] ?? '',
}));

describe('the table of invariants', () => {
  it('has fifteen', () => {
    expect([...rows.keys()]).toEqual(Array.from({ length: 15 }, (_, index) => String(index + 1)));
  });

  it.each([...rows])('names for %s the specs that its patches turn red', (number, specs) => {
    const expected = breakages.filter((breakage) => breakage.number === number).map(({ spec }) => spec);
    expect(expected).not.toEqual([]);
    expect([...specs].sort()).toEqual([...new Set(expected)].sort());
  });
});

describe('a patch', () => {
  it.each(breakages)('$name breaks what is there', ({ file, name, number, spec }) => {
    expect(name).toMatch(new RegExp(`^${number.padStart(2, '0')}-`));
    const broken = [...readFileSync(file, 'utf8').matchAll(/^--- a\/(.*)$/gm)].map(([, path = '']) => path);
    expect(broken).not.toEqual([]);
    expect([spec, ...broken].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(broken.filter((path) => !/^(src|operators)\//.test(path))).toEqual([]);
  });
});
