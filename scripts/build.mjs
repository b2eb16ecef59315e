// npm run build: the package as it is published, for require() in dist/cjs and for import in dist/esm.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { run } from './install.mjs';

const dist = new URL('../dist/', import.meta.url);
rmSync(dist, { recursive: true, force: true });
for (const [folder, type] of [
  ['cjs', 'commonjs'],
  ['esm', 'module'],
]) {
  run('npx', ['tsc', '-p', `tsconfig.${folder}.json`]);
  mkdirSync(new URL(`${folder}/`, dist), { recursive: true });
  writeFileSync(new URL(`${folder}/package.json`, dist), `${JSON.stringify({ type, sideEffects: false })}\n`);
}
