import type { OperatorFunction } from 'rxjs';
import type { Notification } from '../src/store/notification.ts';
import { consume, type DeliveryOptions } from './internal/consume.ts';
import { coalescing } from './internal/policies.ts';
import type { Project } from './internal/project.ts';

/**
 * Hands one notification after the other to `project`, the next one when that is done; what comes meanwhile
 * waits, merged by key: the old state of the first, the new one of the last, so that what waits is bounded by
 * the number of keys.
 *
 * Guarantees: notifications of one key are handled in order and never two at once; the last state of each key
 * arrives. A `project` that throws, rejects or errors is reported on the status as a UserFunctionError with its
 * key, and does not end the stream or hurt anybody else. What the store holds is pulled as it is handled, and
 * much work gives way to everything else.
 *
 * Throws InvalidOptionError.
 */
export const coalesce = <T, R>(
  project: Project<T, R>,
  options: DeliveryOptions = {},
): OperatorFunction<Notification<T>, R> => consume(project, coalescing(), options);
