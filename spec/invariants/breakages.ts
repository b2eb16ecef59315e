import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A patch of this folder: what it breaks and which spec must notice, then the difference. */
export interface Breakage {
  readonly file: string;
  /** As in docs/semantics.md: its number, and how it is broken. */
  readonly invariant: string;
  readonly spec: string;
  /** Part of the name of the test, if it is not any of that spec. */
  readonly test: string | undefined;
}

/** Throws for a patch without its first lines. */
export function readBreakages(): Breakage[] {
  return readdirSync(__dirname)
    .filter((name) => name.endsWith('.patch'))
    .sort()
    .map(breakageOf);
}

function breakageOf(name: string): Breakage {
  const file = join(__dirname, name);
  const text = readFileSync(file, 'utf8');
  const field = (label: string): string | undefined => new RegExp(`^${label}: (.*)$`, 'm').exec(text)?.[1];
  const invariant = field('Invariant');
  const spec = field('Spec');
  if (invariant === undefined || spec === undefined) {
    throw new Error(`${name} must begin with the lines "Invariant: …" and "Spec: …"`);
  }
  return { file, invariant, spec, test: field('Test') };
}
