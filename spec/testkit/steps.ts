import type { KubernetesObject } from '../../src/kubernetes/objects.ts';
import type { StatusBody } from '../../src/kubernetes/status.ts';
import { failure } from './objects.ts';

/** What a request asks for. `STREAM` is a watch that wants the whole set first; `GET` is discovery. */
export type RequestType = 'LIST' | 'STREAM' | 'WATCH' | 'GET';

/** One thing that the server does on the connection of an answer. */
export type Action =
  /** What follows comes so much later. Unit: milliseconds. */
  | { readonly type: 'after'; readonly delay: number }
  | { readonly type: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** A piece of the body. */
  | { readonly type: 'body'; readonly bytes: Buffer }
  /** Bytes on the socket, past HTTP. */
  | { readonly type: 'raw'; readonly bytes: Buffer }
  /** The answer ends as it should. */
  | { readonly type: 'end' }
  /** The connection is closed, the answer is not complete. */
  | { readonly type: 'cut' }
  /** The connection is reset; what was just written may be lost, so put an `after(1)` before it. */
  | { readonly type: 'reset' };

/** A request that the server expects, and what it does then. */
export interface Step {
  readonly expects: RequestType;
  readonly actions: readonly Action[];
}

// ---- actions ----

export const after = (delay: number): Action => ({ type: 'after', delay });
export const bytes = (text: string | Buffer): Action => ({ type: 'body', bytes: Buffer.from(text) });
export const end = (): Action => ({ type: 'end' });
export const cut = (): Action => ({ type: 'cut' });
export const reset = (): Action => ({ type: 'reset' });

/** Anything as a line of a watch; a string as it is. */
export const line = (content: unknown): Action =>
  bytes(`${typeof content === 'string' ? content : JSON.stringify(content)}\n`);

const event = (type: string, object: unknown): Action => line({ type, object });
export const added = (object: KubernetesObject): Action => event('ADDED', object);
export const modified = (object: KubernetesObject): Action => event('MODIFIED', object);
export const deleted = (object: KubernetesObject): Action => event('DELETED', object);
export const bookmark = (version: number | string, annotations?: Record<string, string>): Action =>
  event('BOOKMARK', {
    metadata: { resourceVersion: String(version), ...(annotations && { annotations }) },
  });
/** The bookmark that ends the initial events of a streaming list. */
export const initialEnd = (version: number | string): Action =>
  bookmark(version, { 'k8s.io/initial-events-end': 'true' });
/** An ERROR event. */
export const errorEvent = (...status: Parameters<typeof failure>): Action =>
  event('ERROR', failure(...status));

// ---- steps ----

/** An answer made by hand. */
export const answer = (expects: RequestType, ...actions: Action[]): Step => ({ expects, actions });

/** A complete answer with this JSON. */
export const json = (
  expects: RequestType,
  content: unknown,
  ...more: [number?, Record<string, string>?]
): Step => body(expects, JSON.stringify(content), ...more);

/** A complete answer with this body, JSON or not. */
export const body = (
  expects: RequestType,
  content: string | Buffer,
  status = 200,
  headers: Record<string, string> = {},
): Step => answer(expects, head(status, headers), bytes(content), end());

/** A list, complete; an undefined version is left out. */
export const list = (version: number | string | undefined, ...items: KubernetesObject[]): Step =>
  json('LIST', listBody(items, { resourceVersion: version === undefined ? undefined : String(version) }));

/** A page of a list, with the token of the next one. */
export const page = (version: number | string, next: string, ...items: KubernetesObject[]): Step =>
  json('LIST', listBody(items, { resourceVersion: String(version), continue: next }));

/** A watch: answered at once, and open until an action ends it. */
export const watch = (...actions: Action[]): Step => answer('WATCH', head(200), ...actions);

/** A streaming list that goes on as a watch; only asked for where the server was made with `streaming: true`. */
export const stream = (...actions: Action[]): Step => answer('STREAM', head(200), ...actions);

/** A Status of a failure. */
export const refuse = (expects: RequestType, ...status: Parameters<typeof failure>): Step =>
  json(expects, failure(...status), status[0]);

/** The same with a `Retry-After` header. Unit: seconds. */
export const refuseFor = (
  seconds: number,
  expects: RequestType,
  ...status: Parameters<typeof failure>
): Step => json(expects, failure(...status), status[0], { 'retry-after': String(seconds) });

/** Nothing at all, not even headers. */
export const silence = (expects: RequestType): Step => answer(expects);

/** The connection is closed without an answer. On a kept-alive one, the request comes again at once on another. */
export const hangUp = (expects: RequestType): Step => answer(expects, cut());

/** Exactly these bytes on the socket, HTTP or not. */
export const raw = (expects: RequestType, text: string | Buffer, ...then: Action[]): Step =>
  answer(expects, { type: 'raw', bytes: Buffer.from(text) }, ...then);

/** What discovery says of a group and version. */
export const resources = (groupVersion: string, ...kinds: ApiResource[]): Step =>
  json('GET', { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: kinds });

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

const head = (status: number, headers: Record<string, string> = {}): Action => ({
  type: 'head',
  status,
  headers: { 'content-type': 'application/json', ...headers },
});

const listBody = (items: KubernetesObject[], metadata: object): object => ({
  kind: 'List',
  apiVersion: 'v1',
  metadata,
  items,
});

// ---- steps made of steps ----

/** The whole answer comes later. Unit: milliseconds. */
export const late = (delay: number, { expects, actions }: Step): Step =>
  answer(expects, after(delay), ...actions);

/** The connection is closed after so many bytes of the body. */
export function cutAfter(size: number, { expects, actions }: Step): Step {
  const kept: Action[] = [];
  let left = size;
  for (const action of actions) {
    if (action.type !== 'body') {
      kept.push(action);
      continue;
    }
    kept.push(bytes(action.bytes.subarray(0, left)));
    left -= action.bytes.length;
    if (left <= 0) break;
  }
  return answer(expects, ...kept, cut());
}

/** The body comes in pieces of this size, one each millisecond. */
export function inPieces(size: number, { expects, actions }: Step): Step {
  const pieces = (whole: Buffer): Action[] =>
    Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => [
      after(1),
      bytes(whole.subarray(i * size, (i + 1) * size)),
    ]).flat();
  return answer(
    expects,
    ...actions.flatMap((action) => (action.type === 'body' ? pieces(action.bytes) : [action])),
  );
}

/** The Status with which a server without streaming lists refuses one. */
export const NO_STREAMING: StatusBody = failure(422, 'Invalid', {
  message: 'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden',
});
