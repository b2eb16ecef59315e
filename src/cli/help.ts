import { OPTIONS } from './options.ts';

const INDENT = 28;

/** What `--help` prints. */
export function helpText(): string {
  return `${INTRODUCTION}\n\n${Object.entries(OPTIONS).map(optionText).join('\n')}\n`;
}

const INTRODUCTION = `npm start                       a demo: an API server in the process, a live load of pods, and an informer on it
npm start -- --context NAME     the same on a cluster of yours, which is only read
npm start -- --kind svc --context NAME -n kube-system

In a terminal it shows the cache and its newest changes; into a pipe it writes one line each:
ADD, UPDATE, DELETE or SYNC, then key and version; or STATUS and what happened. Ctrl-C ends it.`;

function optionText([name, option]: [string, (typeof OPTIONS)[keyof typeof OPTIONS]]): string {
  const short = 'short' in option ? `-${option.short}, ` : '    ';
  const value = 'value' in option ? ` ${option.value}` : '';
  return `  ${`${short}--${name}${value}`.padEnd(INDENT)}  ${option.help}`;
}
