import { acceptsGzip, commonHeaders, gzipHeaders, jsonHeaders } from '../answer.ts';
import { type ListOptions, listOptionsOf, versionOption } from '../listOptions.ts';
import type { Target } from '../paths.ts';
import { selectionOf } from '../selectors/selection.ts';
import { unexplained } from '../status.ts';
import { CompactedError } from '../table.ts';
import { gone, tooLargeResourceVersion } from '../versionErrors.ts';
import { WatchStream } from '../watch/watchStream.ts';
import { type ControlPlane, type Handler, representationOf } from './context.ts';

export const watch: Handler = (plane, exchange) => {
  const { target, query, request, response } = exchange;
  const representation = representationOf(plane, exchange);
  const options = withInitialEvents(listOptionsOf(query, true, plane.watchList), plane.watchList);
  const selection = selectionOf(target.kind, { ...onlyTarget(options, target), namespace: target.namespace });
  const version = versionOption(options.resourceVersion, unexplained);
  const compressed =
    options.sendInitialEvents === true && options.allowWatchBookmarks && acceptsGzip(request);

  response.writeHead(200, { ...commonHeaders, ...jsonHeaders, ...(compressed ? gzipHeaders : {}) });
  response.flushHeaders();
  const stream = new WatchStream(response, plane, {
    representation,
    selection,
    bookmarks: options.allowWatchBookmarks,
    compressed,
    timeout: timeoutOf(options, plane),
  });
  plane.streams.add(stream);
  // No event is a list.
  if (representation.form === 'metadataList') stream.end();
  else start(stream, options, version, plane);
};

/** A watch from no version or from "0" begins with the present objects; with the streaming list it is one. */
function withInitialEvents(options: ListOptions, watchList: boolean): ListOptions {
  const { resourceVersion, resourceVersionMatch, sendInitialEvents } = options;
  const old = resourceVersion === '' || resourceVersion === '0';
  if (!watchList || sendInitialEvents !== undefined || resourceVersionMatch !== '' || !old) return options;
  return { ...options, sendInitialEvents: true };
}

function onlyTarget(options: ListOptions, { name }: Target): ListOptions {
  return name === '' ? options : { ...options, fieldSelector: `metadata.name=${name}` };
}

/** Unit: milliseconds. Default: between half an hour and an hour. */
function timeoutOf({ timeout = 0 }: ListOptions, { random }: ControlPlane): number {
  return timeout > 0 ? timeout * 1000 : Math.floor(1_800_000 * (1 + random()));
}

/** From here on the answer has begun: what goes wrong is told by an ERROR event. */
function start(stream: WatchStream, options: ListOptions, version: bigint, { storage }: ControlPlane): void {
  const table = storage.table(stream.kind);
  const { sendInitialEvents, allowWatchBookmarks } = options;
  if (sendInitialEvents === true && version > storage.version) {
    stream.fail(tooLargeResourceVersion(String(version), String(storage.version)).body);
    return;
  }
  if (sendInitialEvents === true || (sendInitialEvents === undefined && version === 0n)) {
    stream.startWithObjects(table.revisions, sendInitialEvents === true && allowWatchBookmarks);
    return;
  }
  const from = version === 0n ? storage.version : version;
  try {
    stream.startWithChanges(table.changesAfter(from), from);
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error;
    stream.fail(gone(String(from), String(error.oldest)).body);
  }
}
