import { filter, type MonoTypeOperatorFunction } from 'rxjs';
import type { Notification } from '../src/store/notification.ts';

/**
 * Leaves out what was there before: the adds marked `initial`. What changes of these objects later is told, so there
 * are updates and deletes of what was not added.
 */
export const ignoreInitial = <N extends Notification<unknown>>(): MonoTypeOperatorFunction<N> =>
  filter((notification) => notification.type !== 'add' || !notification.initial);
