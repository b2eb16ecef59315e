// The command line: `npm start`.
import {
  asyncScheduler,
  defer,
  EMPTY,
  filter,
  firstValueFrom,
  fromEvent,
  interval,
  map,
  merge,
  Observable,
  switchMap,
} from 'rxjs';
import { informerErrorOf } from '../errors.ts';
import { USER_AGENT } from '../transport/userAgent.ts';
import { demoCluster$ } from './demo/demoCluster.ts';
import { sentenceOf } from './failure.ts';
import { helpText } from './help.ts';
import { clusterOf, type NamedCluster } from './kubeConfig.ts';
import { type Command, parseOptions, type Target, type WatchCommand } from './options.ts';
import { createSession, type Session } from './session.ts';
import { showIntoPipe } from './showIntoPipe.ts';
import { showOnTerminal } from './showOnTerminal.ts';
import { Terminal } from './terminal.ts';
import { counted } from './view/text.ts';

/** How the process ends. */
interface Ending {
  readonly code: 0 | 1;
  /** Why. Default: as somebody asked for. */
  readonly sentence?: string;
}

const { stdout, stderr, env } = process;
const isTerminal = stdout.isTTY && env['TERM'] !== 'dumb';
const terminal = new Terminal(stdout, (env['NO_COLOR'] ?? '') === '');

function run(command: Command): Observable<Ending> {
  switch (command.type) {
    case 'help':
      return printed(helpText());
    case 'version':
      return printed(`${USER_AGENT.replace('/', ' ')}\n`);
    case 'watch':
      return watched(command);
  }
}

const printed = (text: string): Observable<Ending> =>
  new Observable((subscriber) => {
    stdout.write(text, () => {
      subscriber.next({ code: 0 });
    });
  });

/** Shows one kind of one cluster, as long as that makes sense. */
const watched = (command: WatchCommand): Observable<Ending> =>
  clusterOf$(command.target).pipe(
    switchMap((cluster) => {
      const session = createSession(command, cluster, asyncScheduler);
      const failed$ = session.failure$.pipe(map((sentence): Ending => ({ code: 1, sentence })));
      return merge(failed$, shown(session, command));
    }),
  );

function clusterOf$(target: Target): Observable<NamedCluster> {
  if (target.type === 'cluster') return defer(() => clusterOf(target, process));
  stdout.write(startText(target.pods));
  return demoCluster$(target).pipe(map((cluster) => ({ cluster, name: 'the embedded API server' })));
}

function shown(session: Session, { verbose }: WatchCommand): Observable<never> {
  return isTerminal
    ? showOnTerminal(session, verbose, terminal, stdout, asyncScheduler)
    : showIntoPipe(session, verbose, stdout, asyncScheduler);
}

const startText = (pods: number): string =>
  `${isTerminal ? '' : 'STATUS '}starting the embedded API server with ${counted(pods, 'pod')}\n`;

/** npm's shell, ended by a signal, does not hand it on: then this is an orphan. */
const orphaned$ = defer(() => {
  const parent = process.ppid;
  return env['npm_lifecycle_event'] === undefined
    ? EMPTY
    : interval(250).pipe(filter(() => process.ppid !== parent));
});

/** Somebody wants it to end. */
const asked$ = merge(
  orphaned$,
  ...['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => fromEvent(process, signal)),
  // Whoever read the output has gone.
  fromEvent(stdout, 'error'),
).pipe(map((): Ending => ({ code: 0 })));

function end({ code, sentence }: Ending): void {
  if (sentence !== undefined) stderr.write(`${sentence}\n`);
  process.exit(code);
}

function fail(thrown: unknown): void {
  const error = informerErrorOf(thrown);
  const { stack } = (error.code === 'UNEXPECTED' ? error.cause : {}) as Partial<Error>;
  end({ code: 1, sentence: [sentenceOf(error), stack].filter((text) => text !== undefined).join('\n') });
}

// A fault must not leave the terminal as it is either.
process.on('exit', () => {
  terminal.close();
});
stderr.on('error', () => undefined);
firstValueFrom(
  merge(
    asked$,
    defer(() => run(parseOptions(process.argv.slice(2)))),
  ),
).then(end, fail);
