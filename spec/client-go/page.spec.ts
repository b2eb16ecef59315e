import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(__dirname, '../../docs/client-go.md'), 'utf8');
const rows = [...page.matchAll(/^\| (\d+) \| (.+) \| (.+) \| (.+) \|$/gm)].map(
  ([, number = '', , , state = '']) => ({
    number,
    state,
  }),
);
/** `14 reflector` */
const told = rows.flatMap(({ number, state }) => {
  const file = /^(?:tested|differs) \((\w+)\)/.exec(state)?.[1];
  return file === undefined ? [] : [`${number} ${file}`];
});
const tested = readdirSync(__dirname)
  .filter((name) => name.endsWith('.spec.ts') && name !== 'page.spec.ts')
  .flatMap((name) => {
    const titles = readFileSync(join(__dirname, name), 'utf8').matchAll(/(?:\bit|\))\(\s*['"`](\d+) /g);
    return [...titles].map(([, number]) => `${String(number)} ${name.replace('.spec.ts', '')}`);
  });

it('lists all 96 cases, each once and in order', () => {
  const numbers = rows.map(({ number }) => Number(number));
  expect(numbers).toEqual(Array.from({ length: 96 }, (_, i) => i + 1));
});

it('says of each case that it is tested, differs, cannot be, or what it waits for', () => {
  for (const { state } of rows) {
    expect(state).toMatch(/^(tested \(\w+\)(; .+)?|differs \(\w+\), \d+|not applicable: .+|waiting for .+)$/);
  }
});

it('has a test for each that is tested or differs, in the file it names, and for no other', () => {
  expect([...told].sort()).toEqual([...new Set(tested)].sort());
});

it('explains each difference', () => {
  const references = rows.flatMap(({ state }) => /^differs \(\w+\), (\d+)/.exec(state)?.[1] ?? []);
  const notes = [...page.matchAll(/^(\d+)\. /gm)].map(([, number]) => number);
  expect([...new Set(references)]).toEqual(notes);
});
