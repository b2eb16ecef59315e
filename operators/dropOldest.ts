import type { OperatorFunction } from 'rxjs';
import type { Notification } from '../src/store/notification.ts';
import { type BufferOptions, consume } from './internal/consume.ts';
import { droppingOldest } from './internal/policies.ts';
import type { Project } from './internal/project.ts';

/**
 * Hands one notification after the other to `project`, as `coalesce` does and with its guarantees. What waits is
 * kept as it came up to the capacity; above it, the oldest that wait are merged by key: the history before the
 * newest is lost and counted, the last state of each key is not.
 *
 * Throws InvalidOptionError.
 */
export const dropOldest = <T, R>(
  project: Project<T, R>,
  options: BufferOptions = {},
): OperatorFunction<Notification<T>, R> => consume(project, droppingOldest(options), options);
