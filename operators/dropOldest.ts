import type { OperatorFunction } from 'rxjs';
import { DropOldestQueue } from '../src/queue/dropQueues.ts';
import type { Notification } from '../src/store/notification.ts';
import { type BufferOptions, capacityOf, consume } from './internal/consume.ts';
import type { Project } from './internal/project.ts';

/**
 * Hands one notification after the other to `project`, as `coalesce` does and with its guarantees. What waits is
 * kept as it came up to the capacity; above it, the oldest that wait are merged by key: the history before the
 * newest is lost and counted, the last state of each key is not.
 *
 * Throws InvalidOptionError.
 */
export function dropOldest<T, R>(
  project: Project<T, R>,
  options: BufferOptions = {},
): OperatorFunction<Notification<T>, R> {
  const capacity = capacityOf(options);
  const queue = () => new DropOldestQueue<T>(capacity);
  return consume(project, { name: 'dropOldest', capacity, queue }, options);
}
