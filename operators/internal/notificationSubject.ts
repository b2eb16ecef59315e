import { Observable, type SubjectLike, type Subscriber } from 'rxjs';
import type { Context } from '../../src/context.ts';
import { Flow } from '../../src/flow.ts';
import { type Notification, replayedOf } from '../../src/store/notification.ts';
import { Replay } from '../../src/store/replay.ts';
import type { WritableStore } from '../../src/store/store.ts';
import { inSlices } from './inSlices.ts';

/**
 * The connector of `shareNotifications`: a subject whose memory is the store, for one run of the source.
 *
 * A subscriber goes through three states:
 * 1. waiting, until the first list of this run is in the store;
 * 2. replaying: it is told the store as of one revision, in slices, and no faster than it wants: it may hold what
 *    it was told. Live changes of what it was told already pass; those of what is still to come are folded in;
 * 3. live.
 */
export class NotificationSubject<T>
  extends Observable<Notification<T>>
  implements SubjectLike<Notification<T>>
{
  readonly #store: WritableStore<T>;
  readonly #context: Context;
  readonly #feeds = new Set<Feed<T>>();
  #connected = false;
  #listed = false;
  #end: End<T> | undefined;

  constructor(store: WritableStore<T>, context: Context) {
    super((subscriber) => this.#join(subscriber));
    this.#store = store;
    this.#context = context;
  }

  /** Whether the source came to an end by itself. */
  get ended(): boolean {
    return this.#end !== undefined;
  }

  /** The run begins, with a list. Returns its end. */
  connect(): () => void {
    this.#connected = true;
    const forget = this.#store.onReplaced(() => {
      forget();
      this.#firstList();
    });
    return () => {
      this.#connected = false;
      forget();
    };
  }

  next(notification: Notification<T>): void {
    // Who joins meanwhile finds it in the store.
    for (const feed of [...this.#feeds]) feed.take(notification);
  }

  error(error: unknown): void {
    this.#endAll((subscriber) => {
      subscriber.error(error);
    });
  }

  complete(): void {
    this.#endAll((subscriber) => {
      subscriber.complete();
    });
  }

  #join(subscriber: Subscriber<Notification<T>>): () => void {
    const feed = new Feed(subscriber, this.#store, this.#context);
    this.#feeds.add(feed);
    if (this.#listed) feed.replay();
    if (this.#end !== undefined) feed.end(this.#end);
    return () => {
      this.#feeds.delete(feed);
      feed.close();
    };
  }

  /** Who waits joins at this revision, before its difference is told: it gets the list, not the difference. */
  #firstList(): void {
    this.#listed = true;
    const feeds = [...this.#feeds];
    let left = feeds.length;
    const synced = (): void => {
      if (left === 0 && this.#connected) this.#context.status.report({ type: 'synced' });
    };
    for (const feed of feeds) {
      feed.replay(() => {
        left -= 1;
        synced();
      });
    }
    if (feeds.length === 0) synced();
  }

  #endAll(end: End<T>): void {
    this.#end = end;
    for (const feed of [...this.#feeds]) feed.end(end);
  }
}

type End<T> = (subscriber: Subscriber<Notification<T>>) => void;

/** One subscriber. */
class Feed<T> {
  readonly #subscriber: Subscriber<Notification<T>>;
  readonly #store: WritableStore<T>;
  readonly #context: Context;
  /** Held while the subscriber wants nothing more of the store. */
  readonly #busy = new Flow();
  readonly #hold = (): (() => void) => this.#busy.hold();
  /** The revision it joined at; `undefined` while it waits. */
  #joined: number | undefined;
  #replay: Replay<T> | undefined;
  #replayed: (() => void) | undefined;
  #end: End<T> | undefined;
  #telling = false;

  constructor(subscriber: Subscriber<Notification<T>>, store: WritableStore<T>, context: Context) {
    this.#subscriber = subscriber;
    this.#store = store;
    this.#context = context;
  }

  take(notification: Notification<T>): void {
    if (this.#joined === undefined) return;
    if (notification.type !== 'sync' && notification.revision <= this.#joined) return;
    if (this.#replay?.absorb(notification) !== true) this.#subscriber.next(notification);
  }

  /** `replayed` is called once: when all was told, when the subscriber takes its time, or when it left. */
  replay(replayed?: () => void): void {
    const snapshot = this.#store.snapshot();
    this.#joined = snapshot.revision;
    this.#replay = new Replay(snapshot);
    this.#replayed = replayed;
    this.#busy.listen((paused) => {
      if (!paused) this.#tell();
    });
    this.#tell();
    // One told before it may have made it leave.
    if (this.#subscriber.closed) this.close();
  }

  #tell(): void {
    const replay = this.#replay;
    if (this.#telling || replay === undefined) return;
    this.#telling = true;
    const step = (): boolean => {
      const entry = this.#busy.paused ? undefined : replay.pull();
      if (entry !== undefined) this.#subscriber.next(replayedOf(entry, this.#store.revision, this.#hold));
      return entry !== undefined;
    };
    inSlices(this.#context.scheduler, this.#subscriber, step, () => {
      this.#telling = false;
      if (this.#busy.paused) this.#countOff();
      else this.close();
    });
  }

  /** After what is still to be told of the store. */
  end(end: End<T>): void {
    if (this.#replay === undefined) end(this.#subscriber);
    else this.#end = end;
  }

  /** Nothing of the store is to be told any more. */
  close(): void {
    this.#replay = undefined;
    this.#countOff();
    this.#end?.(this.#subscriber);
  }

  #countOff(): void {
    const replayed = this.#replayed;
    this.#replayed = undefined;
    replayed?.();
  }
}
