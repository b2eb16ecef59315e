import { isDeepStrictEqual } from 'node:util';
import { filter, type MonoTypeOperatorFunction } from 'rxjs';
import { checkOptions, requireFunction } from '../src/checks.ts';
import type { Entry } from '../src/codec/codec.ts';
import { contextOf } from '../src/context.ts';
import { UserFunctionError } from '../src/errors.ts';
import { atOnce } from '../src/promises.ts';
import type { Notification } from '../src/store/notification.ts';
import type { FilterOptions } from './where.ts';

/**
 * Leaves out updates that left alone what `selector` takes of an object: both states are asked for, and what comes
 * back is compared in depth. Everything that is no update passes.
 *
 * `selector` is given the entry: what it does not read is not decoded. `old` of an update is the state before it,
 * which may be one that was left out: what is selected of it is that of the state told before. Where `selector`
 * throws, that is reported on the status as a UserFunctionError with its key, and the update passes.
 *
 * Throws InvalidOptionError.
 */
export function onlyWhenChanged<T>(
  selector: (entry: Entry<T>) => unknown,
  options: FilterOptions = {},
): MonoTypeOperatorFunction<Notification<T>> {
  requireFunction('selector', selector);
  checkOptions('options', options);
  const { status } = contextOf(options);
  const isChanged = (old: Entry<T>, entry: Entry<T>): boolean => {
    try {
      return !isDeepStrictEqual(atOnce(selector(old)), atOnce(selector(entry)));
    } catch (cause) {
      status.problem(new UserFunctionError('selector', entry.key, old.error ?? entry.error ?? cause));
      return true;
    }
  };
  return filter((told) => told.type !== 'update' || isChanged(told.oldEntry, told.entry));
}
