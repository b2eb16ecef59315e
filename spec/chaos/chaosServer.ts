import type { SchedulerLike } from 'rxjs';
import type { Informer } from '../../src/informer/informer.ts';
import type { InformerOptions } from '../../src/informer/options.ts';
import type { ConfigMap } from '../../src/kubernetes/kinds.ts';

/** A server in a storm: its objects by the straight way, informers by the way on which the faults are. */
export interface ChaosServer {
  readonly scheduler: SchedulerLike;
  readonly tempo: Tempo;
  /** Whether a write is done when its call returns, so that handlers may write in between. */
  readonly writesAtOnce: boolean;
  informer(options: InformerOptions<ConfigMap>): Informer<ConfigMap>;
  create(object: ConfigMap): Promise<ConfigMap>;
  /** A merge patch. */
  patch(key: string, patch: object): Promise<ConfigMap>;
  delete(key: string): Promise<void>;
  list(selection: ListSelection): Promise<ConfigMap[]>;
  /** Lets time pass. Unit: milliseconds. */
  advance(milliseconds: number): Promise<void>;
  /** Faults from now on, until `calm`. */
  disturb(): void;
  calm(): void;
  /** How often which kind of fault happened. */
  readonly faults: Readonly<Record<string, number>>;
  /** How many watches were answered with the page of a proxy, as if it were events. */
  readonly pages: number;
  /** Ends all watches that are open. */
  closeWatches(reset: boolean): void;
  /** The versions before this moment expire. */
  compact(): Promise<void>;
  /** Returns the way back to what there is now, of a server that can be set back. */
  backup?(): () => void;
  /** Writes to something else, until no version is given that was given before. */
  catchUp?(): void;
  /** All connections break, and new ones are refused until `restart`. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  /** What is still open after all that was started on it is stopped, in words. */
  leftovers(): Promise<string[]>;
  close(): Promise<void>;
}

export interface ListSelection {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
}

/** How long things take at the most: a stepped clock can wait for what would be tedious in real time. Unit: milliseconds. */
export interface Tempo {
  /** Between two writes, or other things that happen. */
  readonly gap: number;
  /** Until the next quiet point. */
  readonly storm: number;
  /** Between the quiet point and the next storm: without faults, and with few writes. */
  readonly calm: number;
  /** For a slow handler. */
  readonly slow: number;
  /** Until everybody has got over everything. */
  readonly patience: number;
  /** The first and shortest of what informers ask for. Unit: seconds. */
  readonly watchTimeout: number;
  /** The shortest period of a resync. */
  readonly resync: number;
  /** The longest backoff. */
  readonly backoff: number;
}
