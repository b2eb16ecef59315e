// npm test: installs what is missing, builds, type-checks, lints and runs every spec that needs only Node.
import { spawn } from 'node:child_process';
import { installMissing, run } from './install.mjs';

installMissing();

// The three read the same files and write different ones: side by side they take half the time.
const checks = await Promise.all(['build', 'typecheck', 'lint'].map(quietly));
for (const { script, output } of checks) process.stdout.write(`\n— ${script}\n${output}`);
if (checks.some(({ code }) => code !== 0)) process.exit(1);

console.log('\n— spec');
run('npm', ['run', '--silent', 'spec', '--', ...process.argv.slice(2)]);

function quietly(script) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', script], { cwd: new URL('..', import.meta.url) });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('close', (code) => resolve({ script, code, output }));
  });
}
