import type { Subscriber } from 'rxjs';
import type { Context } from '../../src/context.ts';
import { UserFunctionError } from '../../src/errors.ts';
import { Flow } from '../../src/flow.ts';
import { isPromise } from '../../src/promises.ts';
import { type Notification, replayedOf, syncOf } from '../../src/store/notification.ts';
import { Replay } from '../../src/store/replay.ts';
import type { WritableStore } from '../../src/store/store.ts';
import { inSlices } from './inSlices.ts';
import type { NotificationsOptions } from './notificationsOptions.ts';
import { resyncTicks } from './resyncTicks.ts';

/** What a subscriber is told of: the store, or the part of it that it asked for. */
export type Told<T> = Pick<WritableStore<T>, 'get' | 'has' | 'keys' | 'revision' | 'snapshot' | 'telling'>;

export type End<T> = (subscriber: Subscriber<Notification<T>>) => void;

/** What of the store is being told, one by one. */
interface Round<T> {
  readonly next: () => Notification<T> | undefined;
  readonly paused: () => boolean;
  readonly finish: () => void;
}

/**
 * One subscriber of a run. It goes through three states:
 * 1. waiting, until the first list of this run is in the store;
 * 2. replaying: it is told the store as of one revision, in slices, and no faster than it wants: it may hold what
 *    it was told. Live changes of what it was told already pass; those of what is still to come are folded in;
 * 3. live. A resync is told in the same way, beside what changes.
 */
export class Feed<T> {
  readonly #subscriber: Subscriber<Notification<T>>;
  readonly #store: Told<T>;
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
  #round: Round<T> | undefined;
  #telling = false;

  constructor(
    subscriber: Subscriber<Notification<T>>,
    store: Told<T>,
    context: Context,
    options: NotificationsOptions,
  ) {
    this.#subscriber = subscriber;
    this.#store = store;
    this.#context = context;
    this.#options = options;
    this.#busy.listen(this.#goOn);
  }

  /** Begins its own resyncs. The stream of their periods may be one of the same source. */
  resync(): void {
    const { resync } = this.#options;
    if (resync === undefined) return;
    const ticks$ = resyncTicks(resync, this.#context);
    this.#subscriber.add(
      ticks$.subscribe(() => {
        this.#tellAgain();
      }),
    );
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
    if (this.#options.initial === false) this.#live();
    else this.#tellStore();
    // One told before it may have made it leave.
    if (this.#subscriber.closed) this.close();
  }

  /** After what is still to be told of the store. */
  end(end: End<T>): void {
    if (this.#replay === undefined) end(this.#subscriber);
    else this.#end = end;
  }

  /** It has left. */
  close(): void {
    this.#replay = undefined;
    this.#round = undefined;
    this.#countOff();
  }

  #tellStore(): void {
    const replay = new Replay(this.#store.snapshot());
    this.#replay = replay;
    this.#begin({
      next: () => {
        const entry = replay.pull();
        return entry && replayedOf(entry, this.#store.revision, this.#hold);
      },
      paused: () => this.#busy.paused,
      finish: () => {
        this.#live();
      },
    });
  }

  /** It was told all that the store held. */
  #live(): void {
    this.#replay = undefined;
    this.#callSynced();
    this.#countOff();
    this.#end?.(this.#subscriber);
  }

  /** Not twice at a time, and not beside what it is told of the store anyway. */
  #tellAgain(): void {
    if (this.#joined === undefined || this.#round !== undefined) return;
    const { telling } = this.#store;
    const forget = telling.listen(this.#goOn);
    this.#subscriber.add(forget);
    const keys = [...this.#store.keys()].values();
    this.#begin({
      next: () => {
        let key = keys.next();
        // What is gone by now was told as that.
        while (key.done !== true && !this.#store.has(key.value)) key = keys.next();
        const entry = key.done === true ? undefined : this.#store.get(key.value);
        return entry && syncOf(entry, this.#store.revision, this.#hold);
      },
      // Nobody is told a state as the same before it was told as a change.
      paused: () => this.#busy.paused || telling.paused,
      finish: () => {
        forget();
        this.#subscriber.remove(forget);
      },
    });
  }

  #begin(round: Round<T>): void {
    this.#round = round;
    this.#tell(round);
  }

  readonly #goOn = (paused: boolean): void => {
    if (!paused && this.#round !== undefined) this.#tell(this.#round);
  };

  #tell(round: Round<T>): void {
    if (this.#telling) return;
    this.#telling = true;
    const step = (): boolean => {
      const notification = round.paused() ? undefined : round.next();
      if (notification !== undefined) this.#subscriber.next(notification);
      return notification !== undefined;
    };
    inSlices(this.#context.scheduler, this.#subscriber, step, () => {
      this.#telling = false;
      if (round.paused()) {
        this.#countOff();
        return;
      }
      this.#round = undefined;
      round.finish();
    });
  }

  #countOff(): void {
    const replayed = this.#replayed;
    this.#replayed = undefined;
    replayed?.();
  }

  #callSynced(): void {
    if (this.#subscriber.closed) return;
    const fail = (cause: unknown): void => {
      this.#context.status.problem(new UserFunctionError('onSynced', undefined, cause));
    };
    try {
      const returned: unknown = this.#options.onSynced?.();
      if (isPromise(returned)) returned.then(undefined, fail);
    } catch (cause) {
      fail(cause);
    }
  }
}
