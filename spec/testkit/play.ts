import { type InformerError, informerErrorOf } from '../../src/errors.ts';
import { createInformer } from '../../src/informer/factory.ts';
import type { Informer } from '../../src/informer/informer.ts';
import type { InformerOptions } from '../../src/informer/options.ts';
import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import type { InformerStatus } from '../../src/status.ts';
import type { Notification } from '../../src/store/notification.ts';
import { createClock, type SteppedClock } from '../../src/testing/clock.ts';
import { type ScriptedServer, type ScriptedServerOptions, scriptedServer } from './scriptedServer.ts';
import type { Step } from './steps.ts';

export interface PlayOptions<T> extends ScriptedServerOptions, Omit<InformerOptions<T>, 'scheduler'> {
  /** Default: 'v1'. */
  readonly apiVersion?: string | undefined;
  /** Default: 'Pod'. */
  readonly kind?: string | undefined;
  /** What there is before the informer is made. Default: a new one. */
  readonly stage?: Stage | undefined;
  /** Whether somebody subscribes at once. Default: true. */
  readonly subscribed?: boolean | undefined;
}

/** A clock and a server. */
export interface Stage {
  readonly clock: SteppedClock;
  readonly server: ScriptedServer;
}

/** What one subscriber of an informer, and of its status, was told. Grows as time goes on. */
export interface Seen<T> {
  /** In order: `add a@90 initial`, `update a@90->a@101`, `delete a@101 finalStateUnknown`, `sync a@101`, `synced`. */
  readonly told: string[];
  readonly notifications: Notification<T>[];
  readonly statuses: InformerStatus[];
  /** Of the statuses of the type `error`, which failure it was: `410 Expired`, `ECONNRESET`, `STALLED`. */
  readonly errors: string[];
  /** Those of the type `problem`. */
  readonly problems: string[];
  /** How the notifications ended. */
  readonly end:
    | { readonly type: 'completed' }
    | { readonly type: 'failed'; readonly error: InformerError }
    | undefined;
  readonly unsubscribe: () => void;
}

export interface Played<T> extends Stage, Seen<T> {
  readonly informer: Informer<T>;
}

/**
 * Makes an informer, subscribes to it, and plays the script (see scriptedServer.ts), until nothing more happens without time going by. After the test it is
 * stopped; then no request, timer or socket may be left, and the script must have been followed to its end.
 *
 * Chance is 0 unless told otherwise: waits are 800, 1600, 3200 ms and so on, and watches end after 300 s.
 */
export async function play<T extends KubernetesObject>(
  steps: readonly Step[],
  options: PlayOptions<T> = {},
): Promise<Played<T>> {
  const { apiVersion = 'v1', kind = 'Pod', streaming, subscribed = true, stage, ...rest } = options;
  const { clock, server } = stage ?? (await onStage(steps, { streaming }));
  const informer = createInformer<T>(server.cluster, apiVersion, kind, {
    random: () => 0,
    ...rest,
    scheduler: clock,
  });
  atTheEnd(() => informer.stop());
  const seen = subscribed ? watching(informer) : NOTHING;
  await clock.settle();
  // Not a copy: `end` is read when asked for.
  return Object.assign(Object.create(seen) as Seen<T>, { clock, server, informer });
}

/** A clock and a scripted server, without an informer yet. */
export async function onStage(steps: readonly Step[], options: ScriptedServerOptions = {}): Promise<Stage> {
  const clock = createClock();
  const server = await scriptedServer(clock, steps, options);
  stages.push({ clock, server });
  return { clock, server };
}

/** Subscribes to an informer and writes down what it tells. */
export function watching<T>(informer: Pick<Informer<T>, 'notifications$' | 'status$'>): Seen<T> {
  const told: string[] = [];
  const notifications: Notification<T>[] = [];
  const statuses: InformerStatus[] = [];
  const errors: string[] = [];
  const problems: string[] = [];
  let end: Seen<T>['end'];
  const subscription = informer.status$.subscribe((status) => {
    statuses.push(status);
    if (status.type === 'synced') told.push('synced');
    if (status.type === 'error') errors.push(nameOf(status.error));
    if (status.type === 'problem') problems.push(nameOf(status.error));
  });
  subscription.add(
    informer.notifications$.subscribe({
      next(notification) {
        notifications.push(notification);
        told.push(inWords(notification));
      },
      error(error: unknown) {
        end = { type: 'failed', error: informerErrorOf(error) };
      },
      complete() {
        end = { type: 'completed' };
      },
    }),
  );
  return {
    told,
    notifications,
    statuses,
    errors,
    problems,
    get end() {
      return end;
    },
    unsubscribe: () => subscription.unsubscribe(),
  };
}

/** Waits for what is no socket or timer of the clock: a child process, a name that is looked up. */
export async function until(clock: SteppedClock, condition: () => boolean): Promise<void> {
  const begun = performance.now();
  while (!condition()) {
    if (performance.now() - begun > IN_VAIN) throw new Error(`waited in vain for ${String(condition)}`);
    await clock.settle();
  }
}

/** What a store holds, in the same words: `['a@90', 'kube-system/b@91']`. */
export const heldIn = (store: Informer<unknown>['store']): string[] => store.list().map(stateOf);

/** Is called after the test, last come first served, before the script is checked. */
export function atTheEnd(tidy: () => void): void {
  tidyings.push(tidy);
}

/** Of real time, since that is what other processes go by. Unit: milliseconds. */
const IN_VAIN = 20_000;

// Nothing here waits for real time, but a busy machine may take its time.
jest.setTimeout(30_000);

const stages: Stage[] = [];
const tidyings: (() => void)[] = [];

afterEach(async () => {
  for (const tidy of tidyings.splice(0).reverse()) tidy();
  const faults: string[] = [];
  for (const { clock, server } of stages.splice(0)) {
    await clock.settle();
    if (server.sockets.size > 0) faults.push(`${server.sockets.size} sockets are left`);
    await server.close();
    if (clock.pending > 0) faults.push(`${clock.pending} timers are left`);
    clock.dispose();
    if (server.faults.length > 0) faults.push(...server.faults, `asked: ${server.asked.join(', ')}`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
});

const NOTHING: Seen<never> = {
  told: [],
  notifications: [],
  statuses: [],
  errors: [],
  problems: [],
  end: undefined,
  unsubscribe: () => undefined,
};

const stateOf = ({ key, resourceVersion = '' }: Notification<unknown>['entry']): string =>
  `${key.replace(/^default\//, '')}@${resourceVersion}`;

function inWords(notification: Notification<unknown>): string {
  const state = stateOf(notification.entry);
  switch (notification.type) {
    case 'add':
      return `add ${state}${notification.initial ? ' initial' : ''}`;
    case 'update':
      return `update ${stateOf(notification.oldEntry)}->${state}`;
    case 'delete':
      return `delete ${state}${notification.finalStateUnknown ? ' finalStateUnknown' : ''}`;
    case 'sync':
      return `sync ${state}`;
  }
}

function nameOf(error: InformerError): string {
  const { status, reason } = error as { status?: number; reason?: string };
  if (status !== undefined) return `${status} ${reason ?? ''}`.trim();
  return reason ?? error.code;
}
