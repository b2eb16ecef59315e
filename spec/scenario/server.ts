import { filter, firstValueFrom, interval, type SchedulerLike, timeout } from 'rxjs';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';
import type { Cluster } from '../../src/transport/cluster.ts';
import type { Address } from './apiClient.ts';

/** A server on which the scenario is played: the embedded one on a stepped clock, or a real one. */
export interface ScenarioServer {
  /** The time of all that is played: informers, clients, slow subscribers. */
  readonly scheduler: SchedulerLike;
  /** For the clients that write. */
  readonly address: Address;
  /** For the informers. */
  cluster(): Cluster;
  readonly kubectl: Kubectl;
  /** As `kill -9` does: no connection outlives it, and new ones are refused. */
  crash(): Promise<void>;
  /** The server is there again, with what it had stored. */
  restart(): Promise<void>;
  /** The versions before this moment can no longer be watched from. */
  compact(): Promise<void>;
  /** Lets time pass until the work is done. On a stepped clock none passes otherwise. */
  during<T>(work: Promise<T>): Promise<T>;
}

/** What of kubectl the scenario uses, on ConfigMaps of all namespaces. */
export interface Kubectl {
  /** `kubectl create -f -` of a list. */
  create(objects: readonly ConfigMap[]): Promise<void>;
  /** `kubectl label -l selector label`, where somebody else may delete at the same time. */
  label(selector: string, label: string, value: string): Promise<void>;
  /** `kubectl delete -l selector`, where somebody else may delete at the same time. */
  delete(selector: string): Promise<void>;
  /** `kubectl get -o json`. */
  get(selector: string): Promise<ConfigMap[]>;
}

/** How often a condition is looked at. Unit: milliseconds. */
const GLANCE = 50;
/** Unit: milliseconds. */
const PATIENCE = 120_000;

/** Lets time pass until a condition holds, for a bounded time. */
export function until(server: ScenarioServer, what: string, condition: () => boolean): Promise<number> {
  const { scheduler } = server;
  const holds$ = interval(GLANCE, scheduler).pipe(
    filter(condition),
    timeout({
      first: PATIENCE,
      scheduler,
      with: () => {
        throw new Error(`in ${String(PATIENCE / 1000)} s it did not come about that ${what}`);
      },
    }),
  );
  return server.during(firstValueFrom(holds$));
}
