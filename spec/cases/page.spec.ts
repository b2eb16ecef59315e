import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(__dirname, '../../docs/failures.md'), 'utf8');
const rows = [...page.matchAll(/^\| (C\d\d) \| (.+) \| (.+) \| (.+) \|$/gm)].map(
  ([, number = '', title, kind, state = '']) => ({ number, title, kind, state }),
);
/** `C01 silentStall` */
const told = rows.flatMap(({ number, state }) => {
  const file = /^tested \((\w+)\)/.exec(state)?.[1];
  return file === undefined ? [] : [`${number} ${file}`];
});
const tested = readdirSync(__dirname)
  .filter((name) => name.endsWith('.spec.ts') && name !== 'neighbours.spec.ts')
  .flatMap((name) => {
    const titles = readFileSync(join(__dirname, name), 'utf8').matchAll(/(?:it|describe|\))\(\s*'(C\d\d) /g);
    return [...titles].map(([, number]) => `${String(number)} ${name.replace('.spec.ts', '')}`);
  });

it('lists all 47 cases, each once and in order', () => {
  const numbers = rows.map(({ number }) => number);
  expect(numbers).toHaveLength(47);
  expect(numbers).toEqual([...new Set(numbers)].sort());
});

it('says of each case that it is tested, or what it waits for', () => {
  for (const { state } of rows) expect(state).toMatch(/^(tested \(\w+\)|waiting for \w+|differs \(\d\))/);
});

it('says tested of those that are, with the file they are in', () => {
  expect([...told].sort()).toEqual([...new Set(tested)].sort());
});

it('explains each difference', () => {
  const references = rows.flatMap(({ state }) => /differs \((\d)\)/.exec(state)?.[1] ?? []);
  expect(references).toEqual([...page.matchAll(/^(\d)\. /gm)].map(([, number]) => number));
});
