import type { Seen } from './checksum.ts';
import type { Cost, Held } from './measure.ts';

/** What one contender is to do, in a process of its own. */
export interface Job {
  readonly contender: Contender;
  /** Of the server, with the number of objects as the path. */
  readonly server: string;
  readonly objects: number;
  /** Changes after the list; as many again come first, which do not count: every engine compiles what is hot. */
  readonly events: number;
  /** So many events a second, to measure how late each is told. Default: as fast as they are read. */
  readonly rate?: number;
  /** Default: `streaming`. */
  readonly list?: 'streaming' | 'paged';
  /** What is read of each object. Default: `key`. */
  readonly read?: 'key' | 'metadata' | 'object';
  /** Default: `frozen`. */
  readonly as?: 'frozen' | 'checked';
  /** Default: 1. */
  readonly subscribers?: number;
  /** Lists after the first one, of the same objects. Default: 0. */
  readonly relists?: number;
  readonly omit?: readonly string[];
  /** Of a real server, in place of `server`. */
  readonly kubeconfig?: string;
}

export type Contender =
  | 'floor'
  | 'ours'
  | 'makeInformer'
  | 'clientGoTyped'
  | 'clientGoDynamic'
  | 'clientGoProtobuf'
  | 'lookup';

/** What it took. */
export interface Outcome {
  readonly list: Cost & { readonly seen: Seen };
  readonly watch?: Cost & { readonly seen: Seen };
  /** Of the first relist, and how many notifications all of them brought. */
  readonly relist?: Cost & { readonly notifications: number };
  /** For one object, after the list. */
  readonly held?: Held;
  /** Per object, grown by all relists but the first. Unit: bytes. */
  readonly leaked?: number;
  /** The longest that the event loop was blocked by the list. Unit: milliseconds. */
  readonly maxBlock?: number;
  /** How late events were told, the 99th percentile. Unit: milliseconds. */
  readonly late?: number;
  /** Of one look-up in an index. Unit: microseconds. */
  readonly lookup?: number;
}
