import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { InvalidOptionError } from '../errors.ts';
import { serveCustomResources } from './customResources.ts';
import type { ControlPlane } from './handlers/context.ts';
import type { ServedKind } from './kinds.ts';
import type { Random } from './registry/generated.ts';
import { Registry } from './registry/registry.ts';
import { ServedKinds } from './servedKinds.ts';
import { Storage } from './storage.ts';
import { EventLines } from './watch/eventLines.ts';
import { WatchStreams } from './watch/watchStreams.ts';

export interface ControlPlaneOptions {
  /** All time: the ends of watches, bookmarks, timestamps. Default: real time. */
  readonly scheduler?: SchedulerLike;
  /** Uids, generated names, default timeouts. Default: `Math.random`. */
  readonly random?: Random;
  /** Kinds beside the built-in ones. Default: none. */
  readonly kinds?: readonly ServedKind[];
  /** Whether there is the streaming list; without it the server refuses it as an old one does. Default: true. */
  readonly watchList?: boolean;
  /** How many changes of a kind are remembered at least; watches from before that get 410. Default: 10000. */
  readonly history?: number;
  /** The version to count from, a decimal number of up to 19 digits. Default: `1`. */
  readonly resourceVersion?: string;
}

/** All of an API server except what it is reached by. Errors: InvalidOptionError. */
export function createControlPlane(options: ControlPlaneOptions): ControlPlane {
  const { scheduler = asyncScheduler, random = Math.random, watchList = true, history = 10_000 } = options;
  const kinds = new ServedKinds();
  const storage = new Storage({ history, firstVersion: firstVersionOf(options.resourceVersion ?? '1') });
  const registry = new Registry(storage, () => scheduler.now(), random);
  const streams = new WatchStreams();
  serveCustomResources(storage, kinds);
  for (const kind of options.kinds ?? []) kinds.register(kind);
  kinds.onUnregister((kind) => streams.close({ kind }));
  const namespaces = kinds.byKind('v1', 'Namespace');
  if (namespaces === undefined) throw new Error('the built-in kinds have no Namespace');
  const lines = new EventLines();
  return { storage, registry, kinds, namespaces, streams, lines, scheduler, random, watchList };
}

/** Returns the way back to what there is now; it resets all watches. */
export function backupOf({ storage, streams }: ControlPlane): () => void {
  const restore = storage.backup();
  return () => {
    restore();
    streams.close({ reset: true });
  };
}

function firstVersionOf(text: string): bigint {
  if (/^[1-9]\d{0,18}$/.test(text)) return BigInt(text);
  throw new InvalidOptionError('resourceVersion', text, 'pass a decimal number of up to 19 digits');
}
