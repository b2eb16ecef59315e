// npm test: installs what is missing, builds, type-checks, lints and runs every spec that needs only Node.
import { installMissing, run } from './install.mjs';

installMissing();
for (const [name, args] of [
  ['build', ['run', '--silent', 'build']],
  ['type-check', ['run', '--silent', 'typecheck']],
  ['lint', ['run', '--silent', 'lint']],
  ['specs', ['run', '--silent', 'spec', '--', ...process.argv.slice(2)]],
]) {
  console.log(`\n— ${name}`);
  run('npm', args);
}
