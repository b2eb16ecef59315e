import { CHANGED, LIST_VERSION, LISTED, type Pods } from './pods.ts';

/** How much is handed to the socket at once. Unit: bytes. */
const PIECE = 256 * 1024;

const EVENT_END = Buffer.from('}\n');
const ADDED = Buffer.from('{"type":"ADDED","object":');
const MODIFIED = Buffer.from('{"type":"MODIFIED","object":');

/** The list as a streaming list: each object as ADDED, then the bookmark that ends it. */
export function* initialEvents(pods: Pods, objects: number): Generator<Buffer> {
  yield* pieces(pods, objects, (target, at, index) => {
    const end = pods.writeObject(target, put(ADDED, target, at), index, LISTED + index);
    return put(EVENT_END, target, end);
  });
  const metadata = {
    resourceVersion: String(LIST_VERSION),
    annotations: { 'k8s.io/initial-events-end': 'true' },
  };
  const object = { kind: 'Pod', apiVersion: 'v1', metadata };
  yield Buffer.from(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
}

/** The list in one body, as a server answers from its cache, whatever the limit. */
export function* list(pods: Pods, objects: number): Generator<Buffer> {
  const metadata = JSON.stringify({ resourceVersion: String(LIST_VERSION) });
  yield Buffer.from(`{"kind":"PodList","apiVersion":"v1","metadata":${metadata},"items":[`);
  yield* pieces(pods, objects, (target, at, index) => {
    const start = index === 0 ? at : put(COMMA, target, at);
    return pods.writeItem(target, start, index, LISTED + index);
  });
  yield Buffer.from(']}\n');
}

const COMMA = Buffer.from(',');

/** Changes from one event to before another, of one object after the other. */
export function* changes(pods: Pods, objects: number, from: number, to: number): Generator<Buffer> {
  yield* pieces(pods, to - from, (target, at, offset) => {
    const event = from + offset;
    const end = pods.writeObject(target, put(MODIFIED, target, at), event % objects, CHANGED + event);
    return put(EVENT_END, target, end);
  });
}

/** That the version is too old, so that the reader lists again. */
export function expired(): Buffer {
  const object = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'too old resource version',
    reason: 'Expired',
    code: 410,
  };
  return Buffer.from(`${JSON.stringify({ type: 'ERROR', object })}\n`);
}

function* pieces(
  pods: Pods,
  count: number,
  write: (target: Buffer, at: number, index: number) => number,
): Generator<Buffer> {
  const room = pods.largest + MODIFIED.length + EVENT_END.length;
  let target = Buffer.allocUnsafe(PIECE);
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + room > PIECE) {
      yield target.subarray(0, at);
      // A socket keeps what it was given until that is sent.
      target = Buffer.allocUnsafe(PIECE);
      at = 0;
    }
    at = write(target, at, index);
  }
  if (at > 0) yield target.subarray(0, at);
}

function put(bytes: Buffer, target: Buffer, at: number): number {
  target.set(bytes, at);
  return at + bytes.length;
}
