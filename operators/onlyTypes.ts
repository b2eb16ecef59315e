import { filter, type OperatorFunction } from 'rxjs';
import { InvalidOptionError } from '../src/errors.ts';
import type { Notification } from '../src/store/notification.ts';

/**
 * Passes notifications of these types on, as they are. Who is told of some types only cannot follow what there is:
 * put it behind what needs all of them.
 *
 * Throws InvalidOptionError.
 */
export function onlyTypes<N extends Notification<unknown>, Type extends N['type']>(
  ...types: readonly Type[]
): OperatorFunction<N, Extract<N, { readonly type: Type }>> {
  const wanted = new Set<string>(types);
  if (wanted.size === 0 || ![...wanted].every((type) => TYPES.has(type))) {
    throw new InvalidOptionError('types', types, `give some of ${[...TYPES].join(', ')}`);
  }
  return filter((notification): notification is Extract<N, { readonly type: Type }> =>
    wanted.has(notification.type),
  );
}

const TYPES: ReadonlySet<string> = new Set<Notification<unknown>['type']>([
  'add',
  'update',
  'delete',
  'sync',
]);
