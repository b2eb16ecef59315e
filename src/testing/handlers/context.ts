import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SchedulerLike } from 'rxjs';
import type { ServedKind } from '../kinds.ts';
import { formOf } from '../negotiation.ts';
import type { Target } from '../paths.ts';
import type { Random } from '../registry/generated.ts';
import type { Registry } from '../registry/registry.ts';
import { Representation } from '../representation.ts';
import type { ServedKinds } from '../servedKinds.ts';
import type { Storage } from '../storage.ts';
import { rowObjectOf } from '../tables.ts';
import type { ApiVerb } from '../verbs.ts';
import type { EventLines } from '../watch/eventLines.ts';
import type { WatchStreams } from '../watch/watchStreams.ts';

/** What all handlers work on. */
export interface ControlPlane {
  readonly storage: Storage;
  readonly registry: Registry;
  readonly kinds: ServedKinds;
  readonly namespaces: ServedKind;
  readonly streams: WatchStreams;
  readonly lines: EventLines;
  readonly scheduler: SchedulerLike;
  readonly random: Random;
  /** Whether there is the streaming list. */
  readonly watchList: boolean;
}

/** One request that names a kind. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  readonly verb: ApiVerb;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

export type Handler = (plane: ControlPlane, exchange: Exchange) => void | Promise<void>;

/** How this request wants to be answered. Errors: StatusError 406 or 400. */
export function representationOf({ scheduler }: ControlPlane, exchange: Exchange): Representation {
  const { request, target, query } = exchange;
  const form = formOf(request.headers.accept, target.kind, target.name === '');
  const rowObject = rowObjectOf(form === 'table' ? (query.get('includeObject') ?? '') : '');
  return new Representation(target.kind, form, rowObject, () => scheduler.now());
}
