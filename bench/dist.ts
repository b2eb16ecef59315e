import { createRequire } from 'node:module';

/** The package as its users get it, which is not what is in src: compiled, and without the checks of types. */
export function built(): typeof import('../src/index.ts') {
  return createRequire(__filename)('../dist/cjs/src/index.js') as typeof import('../src/index.ts');
}
