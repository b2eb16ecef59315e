import type { OperatorFunction } from 'rxjs';
import type { Notification } from '../src/store/notification.ts';
import { type BufferOptions, consume } from './internal/consume.ts';
import { droppingNewest } from './internal/policies.ts';
import type { Project } from './internal/project.ts';

/**
 * Hands one notification after the other to `project`, as `coalesce` does and with its guarantees. What waits is
 * kept as it came up to the capacity; what comes on top of it is merged by key: the history behind the oldest is
 * lost and counted, the last state of each key is not.
 *
 * Throws InvalidOptionError.
 */
export const dropNewest = <T, R>(
  project: Project<T, R>,
  options: BufferOptions = {},
): OperatorFunction<Notification<T>, R> => consume(project, droppingNewest(options), options);
