// npm run pack-check: the package as its users get it. Packs it, lints the tarball, installs it in an ESM and in a
// CommonJS project outside the tree, and there type-checks and runs the first example of the README.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installMissing, run } from './install.mjs';

installMissing();
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'rx-informer-pack-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let passed = 0;
let failed = 0;

/** Required, where the README's example imports: both ways in are used. */
const SERVER = `
  require('rx-informer/testing').createApiServer().then((server) => {
    const metadata = { name: 'web-1', namespace: 'default', labels: { app: 'web' } };
    server.create({ apiVersion: 'v1', kind: 'Pod', metadata });
    process.stdout.write(server.kubeconfig());
  });
`;

/** That our types arrive, and not as `any`. */
const TYPES = `
  import { createInformer, type Notification, type Pod } from 'rx-informer';
  import { createApiServer } from 'rx-informer/testing';
  type Known<T> = 0 extends 1 & T ? never : T;
  export const phase = (told: Notification<Pod>): Known<string | undefined> => told.object.status?.phase;
  export const key: Known<Parameters<typeof createInformer>[1]> = 'v1';
  export const url: Promise<Known<string>> = createApiServer().then((server) => server.url);
  // @ts-expect-error A creationTimestamp is text over the wire.
  export const created = (told: Notification<Pod>): Date | undefined => told.meta.creationTimestamp;
`;

await check('builds and packs', () => {
  run('npm', ['run', '--silent', 'build']);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root });
});
const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');

await check('publint finds nothing', () => quietly('npx', ['publint', 'run', tarball, '--strict'], root));
await check('attw finds no type that resolves to something else', () =>
  // client-node is a module only, so what a CommonJS user resolves is up to it.
  quietly('npx', ['attw', tarball, '--ignore-rules', 'cjs-resolves-to-esm'], root),
);

const [example] = /(?<=^```ts\n).*?(?=^```$)/ms.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [''];

for (const { name, extension, clientNode } of [
  { name: 'an ESM project with client-node 2', extension: 'mts', clientNode: '^2.0.1' },
  { name: 'a CommonJS project with client-node 1.4', extension: 'cts', clientNode: '~1.4.0' },
]) {
  const project = join(folder, extension);
  mkdirSync(project);
  await check(`${name} installs it`, () => {
    write(project, 'package.json', {
      private: true,
      type: extension === 'mts' ? 'module' : 'commonjs',
      dependencies: {
        'rx-informer': `file:${tarball}`,
        '@kubernetes/client-node': clientNode,
        rxjs: '^7.8.0',
        'typescript-5': 'npm:typescript@~5.4.0',
        'typescript-6': 'npm:typescript@~6.0.0',
      },
      overrides: { '@kubernetes/client-node': { undici: '^7.30.2' } },
    });
    quietly('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], project);
    writeFileSync(join(project, `example.${extension}`), example);
    writeFileSync(join(project, `types.${extension}`), TYPES);
    write(project, 'tsconfig.json', {
      compilerOptions: {
        module: 'nodenext',
        target: 'es2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        // Of client-node; what is checked is what the example gets from us.
        skipLibCheck: true,
        types: ['node'],
      },
      files: [`example.${extension}`, `types.${extension}`],
    });
  });
  for (const version of [5, 6]) {
    await check(`${name} type-checks with TypeScript ${version === 5 ? '5.4' : '6.0'}`, () =>
      quietly(
        process.execPath,
        [`node_modules/typescript-${version}/bin/tsc`, '-p', '.', ...flags(extension, version)],
        project,
      ),
    );
  }
  await check(`${name} runs the example of the README`, () =>
    runExample(project, extension.replace('ts', 'js')),
  );
}

console.log(`\npack-check: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** On the package's own embedded server; done when it has told the pod that is there. */
async function runExample(project, extension) {
  const server = spawn(process.execPath, ['-e', SERVER], {
    cwd: project,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const kubeconfig = join(project, 'kubeconfig');
  writeFileSync(kubeconfig, String((await once(server.stdout, 'data'))[0]));
  const child = spawn(process.execPath, [`example.${extension}`], {
    cwd: project,
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const giveUp = setTimeout(() => child.kill(), 20_000);
  try {
    const [line = ''] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [])]);
    if (!/^add default\/web-1/.test(String(line)))
      throw new Error(`it printed ${JSON.stringify(String(line))}`);
  } finally {
    clearTimeout(giveUp);
    child.kill();
    server.kill();
  }
}

/** TypeScript 5.4 does not know yet that a CommonJS file may require a module; its older resolution does not care. */
function flags(extension, version) {
  return extension === 'cts' && version === 5 ? ['--module', 'commonjs', '--moduleResolution', 'node10'] : [];
}

async function check(name, work) {
  try {
    await work();
    passed += 1;
    console.log(`✓ ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`✗ ${name}\n${error.stdout ?? ''}${error.stderr ?? ''}${error.message}`);
  }
}

function quietly(command, args, cwd) {
  execFileSync(command, args, { cwd, stdio: 'pipe', encoding: 'utf8' });
}

function write(project, name, content) {
  writeFileSync(join(project, name), JSON.stringify(content, undefined, 2));
}
