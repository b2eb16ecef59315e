// Installs the dependencies if they are missing or are not those of the lock file.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`rx-informer needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** name → version of what the lock file wants, as npm itself records what it installed. */
function versions(file) {
  try {
    const { packages } = JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));
    return new Map(
      Object.entries(packages)
        .filter(([path]) => path !== '')
        .map(([path, { version, optional }]) => [path, { version, optional }]),
    );
  } catch {
    return new Map();
  }
}

export function installMissing() {
  const installed = versions('../node_modules/.package-lock.json');
  const missing = [...versions('../package-lock.json')].some(
    ([path, { version, optional }]) => !optional && installed.get(path)?.version !== version,
  );
  if (!missing) return;
  console.log('Installing the dependencies (once) …');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** Runs a command in the project folder and ends this process when it fails. */
export function run(command, args, options = {}) {
  const cwd = new URL('..', import.meta.url);
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit', ...options });
  if (error !== undefined) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}
