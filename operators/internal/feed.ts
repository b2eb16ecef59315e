import type { Subscriber } from 'rxjs';
import type { Context } from '../../src/context.ts';
import { UserFunctionError } from '../../src/errors.ts';
import { Flow } from '../../src/flow.ts';
import { type Notification, replayedOf } from '../../src/store/notification.ts';
import { Replay } from '../../src/store/replay.ts';
import type { WritableStore } from '../../src/store/store.ts';
import { inSlices } from './inSlices.ts';
import type { NotificationsOptions } from './notificationsOptions.ts';

export type End<T> = (subscriber: Subscriber<Notification<T>>) => void;

/**
 * One subscriber of a run. It goes through three states:
 * 1. waiting, until the first list of this run is in the store;
 * 2. replaying: it is told the store as of one revision, in slices, and no faster than it wants: it may hold what
 *    it was told. Live changes of what it was told already pass; those of what is still to come are folded in;
 * 3. live.
 */
export class Feed<T> {
  readonly #subscriber: Subscriber<Notification<T>>;
  readonly #store: WritableStore<T>;
  readonly #context: Context;
  readonly #options: NotificationsOptions;
  /** Held while the subscriber wants nothing more of the store. */
  readonly #busy = new Flow();
  readonly #hold = (): (() => void) => this.#busy.hold();
  /** The revision it joined at; `undefined` while it waits. */
  #joined: number | undefined;
  #replay: Replay<T> | undefined;
  #replayed: (() => void) | undefined;
  #end: End<T> | undefined;
  #telling = false;

  constructor(
    subscriber: Subscriber<Notification<T>>,
    store: WritableStore<T>,
    context: Context,
    options: NotificationsOptions,
  ) {
    this.#subscriber = subscriber;
    this.#store = store;
    this.#context = context;
    this.#options = options;
  }

  take(notification: Notification<T>): void {
    if (this.#joined === undefined) return;
    if (notification.type !== 'sync' && notification.revision <= this.#joined) return;
    if (this.#replay?.absorb(notification) !== true) this.#subscriber.next(notification);
  }

  /** `replayed` is called once: when all was told, when the subscriber takes its time, or when it left. */
  join(replayed?: () => void): void {
    this.#joined = this.#store.revision;
    this.#replayed = replayed;
    if (this.#options.initial === false) {
      this.#live();
      return;
    }
    this.#replay = new Replay(this.#store.snapshot());
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
      else this.#live();
    });
  }

  /** It was told all that the store held. */
  #live(): void {
    this.#replay = undefined;
    this.#countOff();
    this.#callSynced();
    this.#end?.(this.#subscriber);
  }

  /** After what is still to be told of the store. */
  end(end: End<T>): void {
    if (this.#replay === undefined) end(this.#subscriber);
    else this.#end = end;
  }

  /** It has left. */
  close(): void {
    this.#replay = undefined;
    this.#countOff();
  }

  #countOff(): void {
    const replayed = this.#replayed;
    this.#replayed = undefined;
    replayed?.();
  }

  #callSynced(): void {
    if (this.#subscriber.closed) return;
    try {
      this.#options.onSynced?.();
    } catch (cause) {
      this.#context.status.problem(new UserFunctionError('onSynced', undefined, cause));
    }
  }
}
