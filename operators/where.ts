import { defer, filter, type MonoTypeOperatorFunction, map } from 'rxjs';
import { checkOptions, requireFunction } from '../src/checks.ts';
import { type Context, contextOf } from '../src/context.ts';
import { Membership, type Predicate } from '../src/store/membership.ts';
import type { Notification } from '../src/store/notification.ts';

export interface FilterOptions {
  /** Default: one of its own, with no way to the status of an informer. */
  readonly context?: Context | undefined;
}

/**
 * Tells of the objects that match only: one that comes to match is an add, one that no longer does is a delete with
 * the last state that did, a resync passes for one that matches.
 *
 * `predicate` is given the entry, and asked once for each state. It remembers the keys of the objects that match, for
 * each subscriber.
 *
 * Guarantees: nothing is updated, deleted or told again that was not added before, and what was added is deleted in
 * the end, whatever `predicate` answers. Where it depends on something else, too, that takes effect with the next
 * change or resync of an object. Where it throws, that is reported on the status as a UserFunctionError with
 * its key, and the object does not match until its next state; so it is with a damaged body that it reads.
 *
 * Throws InvalidOptionError.
 */
export function where<T>(
  predicate: Predicate<T>,
  options: FilterOptions = {},
): MonoTypeOperatorFunction<Notification<T>> {
  requireFunction('predicate', predicate);
  checkOptions('options', options);
  const { status } = contextOf(options);
  return (source) =>
    defer(() => {
      const membership = new Membership(predicate, (error) => {
        status.problem(error);
      });
      return source.pipe(
        map((notification) => membership.told(notification)),
        filter((told) => told !== undefined),
      );
    });
}
