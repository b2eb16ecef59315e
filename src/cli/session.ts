import {
  catchError,
  EMPTY,
  filter,
  interval,
  map,
  merge,
  type Observable,
  of,
  type SchedulerLike,
  switchMap,
  take,
  timer,
} from 'rxjs';
import type { InformerError } from '../errors.ts';
import { createInformer } from '../informer/factory.ts';
import type { Informer } from '../informer/informer.ts';
import type { KubernetesObject } from '../kubernetes/objects.ts';
import type { InformerStatus } from '../status.ts';
import type { Notification } from '../store/notification.ts';
import { isHopeless, isUnknownApiVersion, PATIENCE, sentenceOf } from './failure.ts';
import { missingApiVersion$, missingNamespace$ } from './knownNames.ts';
import type { NamedCluster } from './kubeConfig.ts';
import type { WatchCommand } from './options.ts';
import type { ViewEvent } from './view/event.ts';
import type { Facts } from './view/screen.ts';
import { duration } from './view/text.ts';

/** One informer, and what there is to show of it. */
export interface Session {
  /** What changes. The informer runs while this is subscribed to. */
  readonly changes$: Observable<Notification<KubernetesObject>>;
  /** Everything else that is shown. */
  readonly others$: Observable<ViewEvent>;
  /** Emits once, in a sentence: what makes it senseless to go on. */
  readonly failure$: Observable<string>;
  facts(): Facts;
}

/** Throws InvalidOptionError. */
export function createSession(
  command: WatchCommand,
  { cluster, name }: NamedCluster,
  scheduler: SchedulerLike,
): Session {
  const { apiVersion, kind } = command.kind;
  const { namespace, labelSelector, fieldSelector, resync, verbose } = command;
  const informer = createInformer<KubernetesObject>(cluster, apiVersion, kind, {
    namespace,
    labelSelector,
    fieldSelector,
    resync,
    scheduler,
  });
  const where = `${new URL(cluster.server).origin}, ${name}`;
  const title = titleOf(command, name);
  const at = (): number => scheduler.now();

  const noted = (text: string): ViewEvent => ({ type: 'note', at: at(), text });
  const missing$ = informer.synced$.pipe(
    switchMap(() => (namespace === undefined ? EMPTY : missingNamespace$(cluster, namespace))),
    map(noted),
    catchError(() => EMPTY),
  );
  // Somebody may be logging in meanwhile, so this is no reason to give up.
  const silent$ = timer(PATIENCE, scheduler).pipe(
    filter(() => informer.silence === undefined),
    map(() => noted(`no answer from ${where} in ${duration(PATIENCE)}: is the network up, or a login open?`)),
  );
  const others$ = merge(
    informer.status$.pipe(
      filter((status) => verbose || fatalErrorOf(informer, status) === undefined),
      map((status): ViewEvent => ({ type: 'status', at: at(), status })),
    ),
    missing$,
    silent$,
    interval(1000, scheduler).pipe(map((): ViewEvent => ({ type: 'second', at: at() }))),
  );

  return {
    // What ended it is told as the failure.
    changes$: informer.notifications$.pipe(catchError(() => EMPTY)),
    others$,
    failure$: failure$(informer, where, () => missingApiVersion$(cluster, apiVersion)),
    facts: () => ({
      title,
      size: informer.store.size,
      version: informer.store.resourceVersion,
      readiness: informer.readiness,
    }),
  };
}

function failure$(
  informer: Informer<KubernetesObject>,
  where: string,
  missing: () => Observable<string>,
): Observable<string> {
  return informer.status$.pipe(
    map((status) => fatalErrorOf(informer, status)),
    filter((error) => error !== undefined),
    switchMap((error) =>
      isUnknownApiVersion(error)
        ? missing().pipe(map((text) => `At ${where}: ${text}`))
        : of(sentenceOf(error, where)),
    ),
    take(1),
  );
}

/** What makes it senseless to go on. Once it has had a list, it recovers from everything that can pass. */
function fatalErrorOf(
  { resourceVersion }: Informer<KubernetesObject>,
  status: InformerStatus,
): InformerError | undefined {
  if (status.type === 'failed') return status.error;
  if (status.type !== 'error' || resourceVersion !== undefined) return undefined;
  return isHopeless(status) ? status.error : undefined;
}

function titleOf({ kind, namespace, labelSelector, fieldSelector }: WatchCommand, name: string): string {
  const group = kind.apiVersion === 'v1' ? '' : ` (${kind.apiVersion})`;
  const selectors = [labelSelector, fieldSelector].filter((selector) => selector !== undefined);
  return [`${kind.kind}${group}`, `in ${namespace ?? 'all namespaces'}`, ...selectors, `of ${name}`].join(
    ' ',
  );
}
