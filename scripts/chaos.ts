// npm run chaos: storms of writes and faults around several informers. `--help` says more.
import { chaosCommand } from '../spec/chaos/commandLine.ts';

chaosCommand(process.argv.slice(2), (text) => process.stdout.write(text)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
