import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CodeBlock {
  /** File and line, as `README.md:42`. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
}

const ROOT = join(__dirname, '../..');

/** What users read. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true })
    .map((file) => join('docs', String(file)))
    .filter((file) => file.endsWith('.md')),
];

export const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

export function codeBlocks(page: string): CodeBlock[] {
  const text = textOf(page);
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map((match) => {
    const [, language = '', code = ''] = match;
    const line = text.slice(0, match.index).split('\n').length + 1;
    return { place: `${page}:${line}`, language, code };
  });
}
