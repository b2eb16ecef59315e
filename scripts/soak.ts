// npm run soak: a load and mishaps in real time, and whether the memory of informers stays flat. `--help` says more.
import { soakCommand } from '../spec/soak/commandLine.ts';

soakCommand(process.argv.slice(2), (text) => process.stdout.write(text)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
