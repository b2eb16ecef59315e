import type { ServerResponse } from 'node:http';
import { type SchedulerLike, Subscription } from 'rxjs';
import type { ServedKind } from '../kinds.ts';
import type { Representation } from '../representation.ts';
import type { Change, Revision } from '../revision.ts';
import type { Selection } from '../selectors/selection.ts';
import type { StatusBody } from '../status.ts';
import type { Storage } from '../storage.ts';
import { type EventLines, eventLine } from './eventLines.ts';
import { LineWriter } from './lineWriter.ts';

export interface WatchSource {
  readonly storage: Storage;
  readonly scheduler: SchedulerLike;
  readonly lines: EventLines;
}

export interface WatchRequest {
  readonly representation: Representation;
  readonly selection: Selection;
  readonly bookmarks: boolean;
  readonly compressed: boolean;
  /** Unit: milliseconds. */
  readonly timeout: number;
}

const bookmarkPeriod = 60_000;
/** The last bookmark comes so long before the end of a watch. Unit: milliseconds. */
const lastBookmarkBefore = 2_000;

/** One watch that is being answered. */
export class WatchStream {
  readonly kind: ServedKind;
  readonly #response: ServerResponse;
  readonly #source: WatchSource;
  readonly #request: WatchRequest;
  readonly #writer: LineWriter;
  readonly #subscription = new Subscription();

  constructor(response: ServerResponse, source: WatchSource, request: WatchRequest) {
    this.kind = request.representation.kind;
    this.#response = response;
    this.#source = source;
    this.#request = request;
    this.#writer = new LineWriter(response, request.compressed);
    response.once('close', () => this.#subscription.unsubscribe());
  }

  /** Calls back once, when the watch is over, whoever ended it. */
  onEnd(listener: () => void): void {
    this.#subscription.add(listener);
  }

  /** The present objects as additions, then what changes; `endBookmark` marks where the one becomes the other. */
  startWithObjects(revisions: Iterable<Revision>, endBookmark: boolean): void {
    const { selection, representation } = this.#request;
    for (const revision of revisions) {
      if (selection.matches(revision.object)) {
        this.#writer.write(eventLine('ADDED', representation.object(revision)));
      }
    }
    if (endBookmark) this.#bookmark(true);
    this.#follow(this.#source.storage.version);
  }

  /** What changed after a version, then what changes. A version that is not reached yet is waited for. */
  startWithChanges(changes: Iterable<Change>, version: bigint): void {
    for (const change of changes) this.#send(change);
    this.#follow(version);
  }

  /** Says why it cannot go on, and ends. */
  fail(status: StatusBody): void {
    this.#writer.write(eventLine('ERROR', JSON.stringify(status)));
    this.end();
  }

  end(): void {
    if (this.#subscription.closed) return;
    this.#subscription.unsubscribe();
    this.#writer.end();
  }

  /** Cuts the connection, as a server that dies does. */
  reset(): void {
    this.#subscription.unsubscribe();
    this.#response.socket?.resetAndDestroy();
  }

  #follow(version: bigint): void {
    const { storage, scheduler } = this.#source;
    const { timeout, bookmarks } = this.#request;
    const deadline = scheduler.now() + timeout;
    const stop = storage.table(this.kind).listen((change) => {
      if (change.version > version) this.#send(change);
    });
    this.#subscription.add(stop);
    this.#subscription.add(scheduler.schedule(() => this.end(), timeout));
    if (bookmarks) this.#scheduleBookmark(version, deadline);
  }

  #send(change: Change): void {
    const { selection, representation } = this.#request;
    const line = this.#source.lines.line(change, selection, representation);
    if (line !== undefined) this.#writer.write(line);
  }

  /** Every minute, and shortly before the end; none that says nothing new since the start. */
  #scheduleBookmark(version: bigint, deadline: number): void {
    const { storage, scheduler } = this.#source;
    const delay = Math.min(bookmarkPeriod, deadline - lastBookmarkBefore - scheduler.now());
    if (delay <= 0) return;
    const timer = scheduler.schedule(() => {
      this.#subscription.remove(timer);
      if (storage.version > version) this.#bookmark(false);
      this.#scheduleBookmark(version, deadline);
    }, delay);
    this.#subscription.add(timer);
  }

  #bookmark(initialEventsEnd: boolean): void {
    const { storage } = this.#source;
    const object = this.#request.representation.bookmark(String(storage.version), initialEventsEnd);
    this.#writer.write(eventLine('BOOKMARK', JSON.stringify(object)));
  }
}
