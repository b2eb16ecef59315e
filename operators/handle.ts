import { filter, type OperatorFunction } from 'rxjs';
import { checkFunction, checkOptions, isRecord } from '../src/checks.ts';
import { InvalidOptionError } from '../src/errors.ts';
import type { BackoffOptions } from '../src/queue/backoff.ts';
import { Retries } from '../src/queue/retries.ts';
import type { Notification } from '../src/store/notification.ts';
import type { BlockOptions } from './block.ts';
import { type BufferOptions, type DeliveryOptions, deliver } from './internal/consume.ts';
import { checkDuration } from './internal/duration.ts';
import { HANDLERS, type Handlers } from './internal/handlerCall.ts';
import { Handling, type Outcome } from './internal/handling.ts';
import { policyOf } from './internal/policies.ts';

export interface HandlerLimits {
  /**
   * How long a handler may take. After that its `signal` is aborted, its outcome is a HandlerTimeoutError, and others
   * are handled in its place. Its key waits for its end, as a handler of one key never runs twice at once; an
   * observable is left, so it ends at once. Unit: milliseconds. Default: as long as it takes.
   */
  readonly timeout?: number | undefined;
  /**
   * Whether what failed is tried again, after a wait that grows with each failure in a row of its key. Unit:
   * milliseconds; by default it begins at 5 and is doubled up to 1,000,000, each wait being drawn between once and
   * twice of that. Default: false.
   */
  readonly retry?: boolean | Omit<BackoffOptions, 'random'> | undefined;
}

/** How it may fall behind: as the operator of that name does, with its options. Default: `coalesce`. */
export type HandleOptions = HandlerLimits &
  (
    | (DeliveryOptions & { readonly policy?: 'coalesce' | undefined })
    | (BufferOptions & { readonly policy: 'dropOldest' | 'dropNewest' | 'throwIfFull' })
    | (BlockOptions & { readonly policy: 'block' })
  );

/**
 * Calls a handler for each notification, by its type, and emits what became of each call. It consumes as `coalesce`
 * does, or by another policy, and with its guarantees: one after the other, in order for a key and never two of it at
 * once, while what comes meanwhile waits, merged or bounded.
 *
 * Guarantees: a handler that throws, rejects, errors or takes too long ends nothing and hurts nobody else. It is
 * reported on the status, with its key and which attempt it was, and is an outcome. With `retry`, the last state of
 * each key is handled in the end: what failed waits, merged with what comes for its key, so that it is the newest state
 * that is tried again. `old` is then the state that was handled last; what was never added successfully is still an
 * add; and what failed to be added is deleted by `onDelete`, as it may have been added in part. When the source ends,
 * what waits for another try has it at once, as its last. Unsubscribed, no timer is left, and each `signal` is aborted.
 *
 * Throws InvalidOptionError. Errors: with the policy `throwIfFull`, BufferFullError.
 */
export function handle<T, Add = never, Update = never, Delete = never, Sync = never>(
  handlers: Handlers<T, Add, Update, Delete, Sync>,
  options: HandleOptions = {},
): OperatorFunction<Notification<T>, Outcome<Add | Update | Delete | Sync>> {
  checkHandlers(handlers);
  checkOptions('options', options);
  const { timeout } = options;
  if (timeout !== undefined) checkDuration('timeout', timeout, 1);
  const settings = { timeout, retry: retryOf(options) };
  const delivered = deliver<T, Outcome<Add | Update | Delete | Sync>>(
    (subscriber, context) => new Handling(handlers, settings, subscriber, context),
    { ...policyOf<T>(options), name: 'handle' },
    options,
  );
  // What nobody handles takes up no room.
  const isHandled = ({ type }: Notification<T>): boolean => type !== 'sync' || handlers.onSync !== undefined;
  return (source) => source.pipe(filter(isHandled), delivered);
}

/** Throws InvalidOptionError. */
function checkHandlers(handlers: unknown): void {
  const names = Object.values(HANDLERS);
  if (!isRecord(handlers) || names.every((name) => handlers[name] === undefined)) {
    throw new InvalidOptionError('handlers', handlers, `give some of ${names.join(', ')}`);
  }
  for (const name of names) checkFunction(name, handlers[name]);
}

/** Throws InvalidOptionError. */
function retryOf({ retry = false }: HandlerLimits): BackoffOptions | undefined {
  if (retry === false) return undefined;
  if (retry !== true) checkOptions('retry', retry);
  const backoff = { initial: 5, cap: 1_000_000, ...(retry === true ? {} : retry) };
  new Retries(backoff);
  return backoff;
}
