import type { Observable } from 'rxjs';
import type { Queries } from '../../operators/createQueries.ts';
import type { NotificationsOptions } from '../../operators/internal/notificationsOptions.ts';
import type { Context } from '../context.ts';
import type { InformerError } from '../errors.ts';
import type { Backlogs } from '../queue/backlog.ts';
import type { InformerStatus, Phase } from '../status.ts';
import type { Notification } from '../store/notification.ts';
import type { Store } from '../store/store.ts';
import type { Readiness } from './readiness.ts';

/** A local, always-current copy of one kind of object, and what changes of it. */
export interface Informer<T> extends Queries<T> {
  /**
   * What changes: first every object of the store as an add marked `initial`, then live. Subscribing starts the
   * informer if it is not running; when the last subscriber has left (and `linger` is over) it stops, unless
   * `start()` was called. Completes at `stop()`; errors only with a terminal InformerError.
   */
  readonly notifications$: Observable<Notification<T>>;
  /** The same, told as this subscriber wants it. Throws InvalidOptionError. */
  notifications(options?: NotificationsOptions): Observable<Notification<T>>;
  readonly store: Store<T>;
  /**
   * Emits once and completes: when the first list is in the store, and everybody who was subscribed then was
   * told it. At once if that has happened. Errors with what ends the informer before that. Of many queries by key or
   * index, those that are not told within 8 ms are told right after it.
   */
  readonly synced$: Observable<void>;
  /** What it does: first the phase it is in, then each list, page, watch, end, wait, error and problem. Never ends. */
  readonly status$: Observable<InformerStatus>;
  readonly phase: Phase;
  /** What failed last; `undefined` as soon as the server is followed again, or listed. */
  readonly lastError: InformerError | undefined;
  /** How it does, and why it is not in sync where it is not. A new object each time. */
  readonly readiness: Readiness;
  /** The same: now, and each time its `state` is another one. Never ends. */
  readonly readiness$: Observable<Readiness>;
  /** How far each of those is behind who hand its notifications to a handler, with its `context`. */
  readonly backlogs: Backlogs;
  /** For operators behind `notifications$`: they go by its clock, and what fails in them is told on `status$`. */
  readonly context: Context;
  /** Whether a watch is open and answered: what is not in the store yet has not happened long ago. */
  readonly live: boolean;
  /**
   * Version of the last list, event or bookmark that is in the store: none older than the last list or bookmark. Opaque.
   */
  readonly resourceVersion: string | undefined;
  /** Time since the last byte from the server; undefined before the first. Unit: milliseconds. */
  readonly silence: number | undefined;
  /** Runs it without a subscriber, until `stop()`. Again, it does nothing. */
  start(): void;
  /** Ends every subscription, request, timer and socket of it. Again, it does nothing. The store stays, as stale. */
  stop(): void;
}
