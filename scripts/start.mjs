// npm start: installs what is missing, then runs the command line.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installMissing } from './install.mjs';

installMissing();
const root = fileURLToPath(new URL('..', import.meta.url));
const child = spawn(process.execPath, ['-r', 'ts-node/register', 'src/cli/main.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
// The terminal sends Ctrl-C to both; the child decides how to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
