import type { Entry } from '../../src/codec/codec.ts';
import type { Notification } from '../../src/store/notification.ts';
import type { Projected } from './project.ts';

/** What a handler is told beside the object. */
export interface HandlerContext<T> {
  readonly key: string;
  /** Its `error` says why, where an object is `undefined` since it cannot be read. */
  readonly entry: Entry<T>;
  /** Which try this is since the key was last handled without a failure, from 1. */
  readonly attempt: number;
  /** Is aborted at the time limit, with a HandlerTimeoutError as its reason, and when nobody waits any more. */
  readonly signal: AbortSignal;
}

export interface AddContext<T> extends HandlerContext<T> {
  /** It was there before: a part of the first list, or of what a late subscriber gets first. */
  readonly initial: boolean;
}

export interface DeleteContext<T> extends HandlerContext<T> {
  /** Only a list showed that it is gone, so the object may be older than its end. */
  readonly finalStateUnknown: boolean;
}

/**
 * What is done with each notification; one that is not given does nothing. What a handler returns is waited for: a
 * promise, an observable or an async iterable; anything else is its result.
 */
export interface Handlers<T, Add = unknown, Update = unknown, Delete = unknown, Sync = unknown> {
  readonly onAdd?: ((object: T, context: AddContext<T>) => Projected<Add>) | undefined;
  /** `old` is the state that was handled before. */
  readonly onUpdate?: ((old: T, object: T, context: HandlerContext<T>) => Projected<Update>) | undefined;
  /** `object` is the last known state. */
  readonly onDelete?: ((object: T, context: DeleteContext<T>) => Projected<Delete>) | undefined;
  /** A resync: nothing changed. */
  readonly onSync?: ((object: T, context: HandlerContext<T>) => Projected<Sync>) | undefined;
}

export type HandlerName = keyof Handlers<unknown>;

export const HANDLERS: Readonly<Record<Notification<unknown>['type'], HandlerName>> = {
  add: 'onAdd',
  update: 'onUpdate',
  delete: 'onDelete',
  sync: 'onSync',
};

/** One call of a handler. */
export class HandlerCall<T> implements AddContext<T>, DeleteContext<T> {
  readonly attempt: number;
  readonly #notification: Notification<T>;
  /** Made for those who ask for its signal. */
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;

  constructor(notification: Notification<T>, attempt: number) {
    this.#notification = notification;
    this.attempt = attempt;
  }

  get key(): string {
    return this.#notification.key;
  }

  get entry(): Entry<T> {
    return this.#notification.entry;
  }

  get initial(): boolean {
    return this.#notification.type === 'add' && this.#notification.initial;
  }

  get finalStateUnknown(): boolean {
    return this.#notification.type === 'delete' && this.#notification.finalStateUnknown;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    return this.#controller.signal;
  }

  /** Once. */
  abort(reason?: unknown): void {
    this.#aborted ??= { reason };
    this.#controller?.abort(this.#aborted.reason);
  }

  begin<R>(handlers: Handlers<T, R, R, R, R>): Projected<R | undefined> {
    const told = this.#notification;
    switch (told.type) {
      case 'add':
        return handlers.onAdd?.(told.object, this);
      case 'update':
        return handlers.onUpdate?.(told.old, told.object, this);
      case 'delete':
        return handlers.onDelete?.(told.object, this);
      case 'sync':
        return handlers.onSync?.(told.object, this);
    }
  }
}
