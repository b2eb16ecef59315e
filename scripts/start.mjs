// npm start: installs what is missing, then runs the command line, in this process.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { installMissing } from './install.mjs';

installMissing();
// Files are named from where it was called; npm says so itself.
process.env.INIT_CWD ??= process.cwd();
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const require = createRequire(import.meta.url);
require('ts-node/register');
require('../src/cli/main.ts');
